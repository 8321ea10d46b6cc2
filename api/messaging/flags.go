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

// AnswerFlag keeps what actor, who received the message at seq, says of it, and
// tells the other devices. What bothers them comes to the moderators, whether
// the filter had found it or not. The same answer again changes nothing.
//
// NotFound when it is no message to actor in a conversation that is there, or
// when it is to be fine and nobody had asked.
func (s *Service) AnswerFlag(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64, answer string) (Message, error) {
	return s.change(ctx, actor, other, seq, func(tx pgx.Tx, h held, _ heldMessage) (bool, error) {
		var flag, before *string
		err := tx.QueryRow(ctx, `SELECT flag, flag_answer FROM messages WHERE conversation_id = $1 AND seq = $2 AND sender_id <> $3`,
			h.ID, seq, actor.ID).Scan(&flag, &before)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return false, noMessage()
		case err != nil:
			return false, err
		case answer == Fine && flag == nil && before == nil:
			return false, fault.New(fault.NotFound, "There is nothing to answer.")
		case before != nil && *before == answer:
			return false, nil
		}
		_, err = tx.Exec(ctx, `UPDATE messages SET flag_answer = $3 WHERE conversation_id = $1 AND seq = $2`, h.ID, seq, answer)
		return !h.IsRequest, err // who asks does not learn that they were read
	})
}
