package messaging

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/messaging/guard"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Nudge is what is said to a member who is about to send what may hurt. It
// asks; it never forbids.
type Nudge struct {
	Category string `json:"category" enum:"harassment,sexual_pressure,money,off_platform,spam"`
	Title    string `json:"title"`
	Text     string `json:"text"`
}

var nudges = map[string]Nudge{
	guard.Harassment: {Title: "Are you sure?",
		Text: "This may hurt to read. A pause and other words often say it better."},
	guard.SexualPressure: {Title: "Are you sure?",
		Text: "This may feel like pressure. Many people like to get there in their own time."},
	guard.Money: {Title: "A word about money",
		Text: "Asking for money or gifts makes many people uneasy, and nobody here should ever have to send any."},
	guard.OffPlatform: {Title: "So soon?",
		Text: "Some people like to stay here until they know each other better. It's fine to wait until they offer."},
	guard.Spam: {Title: "Are you sure?",
		Text: "This may look like advertising. A few words of your own will be read more gladly."},
}

// Check looks at words that actor is about to send to a member, and answers
// with a nudge or nil. Nothing of it is kept. NotFound where actor could not
// write to that member, RateLimited.
func (s *Service) Check(ctx context.Context, actor web.Actor, recipient uuid.UUID, content string) (*Nudge, error) {
	if err := s.checks.allow(actor.ID); err != nil {
		return nil, err
	}
	if err := mayWrite(ctx, s.pool, actor.ID, recipient); err != nil {
		return nil, pg.Fault(err)
	}
	found := guard.Look(content).Category
	nudge, ok := nudges[found]
	if !ok {
		return nil, nil
	}
	nudge.Category = found
	return &nudge, nil
}

// mayWrite fails with ErrNoRows where the two have no conversation that is
// there and $1 does not see the other, whom a request could be sent to.
func mayWrite(ctx context.Context, db pg.DB, me, other uuid.UUID) error {
	return db.QueryRow(ctx, `SELECT 1 FROM users u WHERE u.id = @other AND u.id <> @viewer AND (`+members.Visible+`
		OR EXISTS (SELECT FROM conversations c WHERE c.user_a = least(@viewer::uuid, u.id) AND c.user_b = greatest(@viewer::uuid, u.id)
			AND c.closed_at IS NULL AND u.profile_status = 'active'))`, pgx.NamedArgs{"viewer": me, "other": other}).Scan(new(int))
}

// The receiver's answers to "Does this bother you?".
const (
	Fine    = "fine"
	Bothers = "bothers"
)

// AnswerFlag keeps what actor, who received the message at seq, says of it. What
// bothers them comes to the moderators, whether the filter had found it or not.
// The same answer again changes nothing.
//
// It tells the actor's other devices that are here, and nobody else: a rev
// would show the sender that something was said of the message. A device that
// is away learns of it when it next reads that page.
//
// NotFound when it is no message to actor in a conversation that is there, or
// when nobody had asked and it is to be fine or was taken back.
func (s *Service) AnswerFlag(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64, answer string) (Message, error) {
	return s.change(ctx, actor, other, seq, func(tx pgx.Tx, h held, m heldMessage) (audience, error) {
		var flag, before *string
		err := tx.QueryRow(ctx, `SELECT flag, flag_answer FROM messages WHERE conversation_id = $1 AND seq = $2 AND sender_id <> $3`,
			h.ID, seq, actor.ID).Scan(&flag, &before)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nobody, noMessage()
		case err != nil:
			return nobody, err
		case flag == nil && before == nil && (answer == Fine || m.Deleted):
			return nobody, fault.New(fault.NotFound, "There is nothing to answer.")
		case before != nil && *before == answer:
			return nobody, nil
		}
		_, err = tx.Exec(ctx, `UPDATE messages SET flag_answer = $3 WHERE conversation_id = $1 AND seq = $2`, h.ID, seq, answer)
		return actorOnly, err
	})
}

// ReviewEach has each text looked at by another party after it was delivered,
// by a job in the message's own transaction.
func (s *Service) ReviewEach() *Service {
	s.review = true
	return s
}

// ToReview is the text of a message that another party should look at; empty
// when it is gone, flagged already, or its receiver has said what they think.
func (s *Service) ToReview(ctx context.Context, message uuid.UUID) (string, error) {
	var text string
	err := s.pool.QueryRow(ctx, `SELECT content FROM messages WHERE id = $1 AND flag IS NULL AND flag_answer IS NULL
		AND deleted_at IS NULL`, message).Scan(&text)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return text, pg.Fault(err)
}

// RaiseFlag flags a message that nobody has flagged or answered yet, for what
// another party found, and tells its receiver, unless they have declined the
// request it is in. As with an answer it gets no rev.
func (s *Service) RaiseFlag(ctx context.Context, id uuid.UUID, category string, score float64) error {
	type flagged struct {
		receiver uuid.UUID // Nil unless the receiver is told
		message  Message
	}
	raised, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (flagged, error) {
		var conversation, receiver uuid.UUID
		var seq int64
		var open bool // for the receiver
		// The conversation is locked first, as by all writers of its messages.
		err := tx.QueryRow(ctx, `SELECT c.id, m.seq, CASE c.user_a WHEN m.sender_id THEN c.user_b ELSE c.user_a END,
				c.closed_at IS NULL AND c.declined_at IS NULL
			FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.id = $1 FOR NO KEY UPDATE OF c`, id).
			Scan(&conversation, &seq, &receiver, &open)
		if err != nil {
			return flagged{}, err
		}
		tag, err := tx.Exec(ctx, `INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, score, source)
			SELECT id, conversation_id, seq, sender_id, $4, content, $2, $3, 'remote' FROM messages
			WHERE id = $1 AND flag IS NULL AND flag_answer IS NULL AND deleted_at IS NULL ON CONFLICT DO NOTHING`, id, category, score, receiver)
		if err != nil || tag.RowsAffected() == 0 {
			return flagged{}, err
		}
		if _, err = tx.Exec(ctx, `UPDATE messages SET flag = $3 WHERE conversation_id = $1 AND seq = $2`, conversation, seq, category); err != nil {
			return flagged{}, err
		}
		if !open {
			return flagged{}, nil
		}
		if err = touchSide(ctx, tx, receiver, conversation); err != nil {
			return flagged{}, err
		}
		message, err := messageAt(ctx, tx, receiver, conversation, seq)
		return flagged{receiver, message}, err
	})
	if fault.Is(err, fault.NotFound) {
		return nil // gone meanwhile
	}
	if err == nil && raised.receiver != uuid.Nil {
		s.announceTo(raised.receiver, raised.message)
	}
	return err
}
