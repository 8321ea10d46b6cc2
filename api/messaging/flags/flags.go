// Package flags implements the message filter beyond the guard: the nudge before a text is sent,
// the recipient's answer to a flag, and flags that the external moderation raises. The flags
// of messages are columns of the table of package messages, which stores those of the guard.
package flags

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/guard"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Nudge asks a member to reconsider a text before sending it. It never prevents
// sending.
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
		Text: "Asking for money or gifts makes many people uneasy, and no one here should ever have to send any."},
	guard.OffPlatform: {Title: "So soon?",
		Text: "Some people like to stay here until they know each other better. It's fine to wait until they offer."},
	guard.Spam: {Title: "Are you sure?",
		Text: "This may look like advertising. A few words of your own will be read more gladly."},
}

// Service checks texts and stores flags and answers. It is safe for concurrent use.
type Service struct {
	pool     *pgxpool.Pool
	messages *messages.Service
	checks   *limits.Members
}

// New returns a service. A member is limited to 120 checks of a text a minute. New panics if a
// dependency is nil.
func New(pool *pgxpool.Pool, m *messages.Service) *Service {
	nilcheck.Must("flags.New", nilcheck.Deps{"pool": pool, "messages": m})
	return &Service{pool: pool, messages: m, checks: limits.NewMembers(120, time.Minute, limits.CheckingMessages)}
}

// SetLimitClock makes the limit of checks use now as its clock. It is for tests.
func (s *Service) SetLimitClock(now func() time.Time) { s.checks.SetClock(now) }

// Check classifies a text that the actor is about to send to a member. It returns a nudge,
// or nil if the guard finds nothing. The text is not stored. It returns NotFound if the
// actor may not write to the member, and RateLimited.
func (s *Service) Check(ctx context.Context, actor web.Actor, recipient uuid.UUID, content string) (*Nudge, error) {
	if err := s.checks.Allow(actor.ID); err != nil {
		return nil, err
	}
	if err := checkMayWrite(ctx, s.pool, actor.ID, recipient); err != nil {
		return nil, pg.Fault(err)
	}
	category := guard.Classify(content).Category
	nudge, ok := nudges[category]
	if !ok {
		return nil, nil
	}
	nudge.Category = category
	return &nudge, nil
}

// checkMayWrite returns ErrNoRows unless the two members have an open conversation or the
// sender may send the recipient a request.
func checkMayWrite(ctx context.Context, db pg.DB, sender, recipient uuid.UUID) error {
	return db.QueryRow(ctx, `
		SELECT 1
		FROM profiles u
		WHERE u.id = @recipient
			AND u.id <> @viewer
			AND (
				EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = u.id)
				OR EXISTS (
					SELECT FROM conversations c
					WHERE c.user_a = least(@viewer::uuid, u.id)
						AND c.user_b = greatest(@viewer::uuid, u.id)
						AND c.closed_at IS NULL
						AND u.profile_status = 'active'
				)
			)`, pgx.NamedArgs{"viewer": sender, "recipient": recipient}).Scan(new(int))
}

// The recipient's answers to "Does this bother you?".
const (
	Fine    = "fine"
	Bothers = "bothers"
)

// Answer stores the actor's answer about a message that they received. A message that
// bothers them is reviewed by moderators, even if the guard has not flagged it. A repeated
// answer changes nothing.
//
// Only the actor's sockets get an event, because a new rev would reveal the answer to the
// sender. An offline device gets the answer when it next reads that page.
//
// It returns NotFound unless the actor received the message in an open conversation. For a
// message without a flag it also returns NotFound if the answer is fine or the message was
// deleted.
func (s *Service) Answer(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64, answer string) (messages.Message, error) {
	return s.messages.Change(ctx, actor, other, seq, func(tx pgx.Tx, c conversations.Locked, m messages.State) (messages.Audience, error) {
		var flag, before *string
		err := tx.QueryRow(ctx, `
			SELECT
				flag,
				flag_answer
			FROM messages
			WHERE conversation_id = $1
				AND seq = $2
				AND sender_id <> $3`, c.ID, seq, actor.ID).Scan(&flag, &before)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return messages.NoAudience, messages.ErrNoMessage()
		case err != nil:
			return messages.NoAudience, err
		case flag == nil && before == nil && (answer == Fine || m.Deleted):
			return messages.NoAudience, fault.New(fault.NotFound, "There is nothing to answer.")
		case before != nil && *before == answer:
			return messages.ActorOnlyAgain, nil
		}
		_, err = tx.Exec(ctx, `
			UPDATE messages SET flag_answer = $3
			WHERE conversation_id = $1
				AND seq = $2`, c.ID, seq, answer)
		return messages.ActorOnly, err
	})
}

// Reviewed is the part of a message that the external moderation classifies.
type Reviewed struct {
	Text    string
	FileIDs []uuid.UUID // of pictures and videos
}

// FindReviewed returns the text and the files of a message for the external moderation. Both
// are empty if the message was deleted, is already flagged, or was answered by its recipient.
func (s *Service) FindReviewed(ctx context.Context, message uuid.UUID) (r Reviewed, err error) {
	err = s.pool.QueryRow(ctx, `
		SELECT
			m.content,
			ARRAY(
				SELECT f.id
				FROM attachments f
				WHERE m.message_type IN ('image', 'video')
					AND f.conversation_id = m.conversation_id
					AND f.seq = m.seq
				ORDER BY f.position
			)
		FROM messages m
		WHERE m.id = $1
			AND m.flag IS NULL
			AND m.flag_answer IS NULL
			AND m.deleted_at IS NULL`, message).Scan(&r.Text, &r.FileIDs)
	if errors.Is(err, pgx.ErrNoRows) {
		return Reviewed{}, nil
	}
	return r, pg.Fault(err)
}

// flagged is a message with a new flag.
type flagged struct {
	message   messages.Message
	recipient uuid.UUID // Nil unless the recipient gets an event
}

// Raise flags a message with a category of the external moderation. It does nothing for
// a message that is flagged, answered or deleted. The recipient gets an event, unless the conversation is closed or a request
// that they have declined. As with an answer, there is no new rev.
func (s *Service) Raise(ctx context.Context, id uuid.UUID, category string, score float64) error {
	raised, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (flagged, error) {
		return raiseTx(ctx, tx, id, category, score)
	})
	if fault.Is(err, fault.NotFound) {
		return nil // deleted meanwhile
	}
	if err == nil && raised.recipient != uuid.Nil {
		s.messages.PublishChangeTo(raised.recipient, raised.message)
	}
	return err
}

func raiseTx(ctx context.Context, tx pgx.Tx, id uuid.UUID, category string, score float64) (flagged, error) {
	var conversation, recipient uuid.UUID
	var seq int64
	var shown bool // to the recipient
	// The conversation is locked first, as in all writes of its messages.
	err := tx.QueryRow(ctx, `
		SELECT
			c.id,
			m.seq,
			CASE c.user_a WHEN m.sender_id THEN c.user_b ELSE c.user_a END,
			c.closed_at IS NULL AND c.declined_at IS NULL
		FROM messages m
		JOIN conversations c ON c.id = m.conversation_id
		WHERE m.id = $1
		FOR NO KEY UPDATE OF c`, id).
		Scan(&conversation, &seq, &recipient, &shown)
	if err != nil {
		return flagged{}, err
	}
	var raised bool
	err = tx.QueryRow(ctx, `
		SELECT raise_message_flag(m, $4, $2, $3)
		FROM messages m
		WHERE m.id = $1
			AND m.flag IS NULL
			AND m.flag_answer IS NULL
			AND m.deleted_at IS NULL`, id, category, score, recipient).Scan(&raised)
	if errors.Is(err, pgx.ErrNoRows) {
		return flagged{}, nil
	}
	if err != nil || !raised {
		return flagged{}, err
	}
	_, err = tx.Exec(ctx, `
		UPDATE messages SET flag = $3
		WHERE conversation_id = $1
			AND seq = $2`, conversation, seq, category)
	if err != nil || !shown {
		return flagged{}, err
	}
	if err = conversations.TouchSide(ctx, tx, recipient, conversation); err != nil {
		return flagged{}, err
	}
	message, err := messages.BySeq(ctx, tx, recipient, conversation, seq)
	return flagged{message, recipient}, err
}
