package dates

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Met is whether two members have met.
type Met string

// The answers.
const (
	MetYes    Met = "yes"
	MetNo     Met = "no"
	MetNotYet Met = "not_yet"
)

// mostWords is how long what a member says of a date may be.
const mostWords = 500

// Feedback is what one member says of a date afterwards. It is shown to that
// member alone: no other operation reads it, not for the other member and not
// for admins. Who wants something done about it sends a report.
type Feedback struct {
	Met        Met       `json:"met" enum:"yes,no,not_yet"`
	FeltSafe   *bool     `json:"feltSafe" nullable:"true"`
	Note       string    `json:"note"`
	AnsweredAt time.Time `json:"answeredAt"`
}

// Answer keeps what actor says of a date that was agreed, from three hours
// after its time on. A later answer takes the place of the one before. NotFound
// unless the date is actor's; Conflict when there is nothing to ask yet.
func (s *Service) Answer(ctx context.Context, actor web.Actor, id uuid.UUID, said Feedback) (Date, error) {
	note, err := members.CleanText("note", said.Note, mostWords, true)
	if err != nil {
		return Date{}, err
	}
	if _, err := s.Get(ctx, actor, id); err != nil {
		return Date{}, err
	}
	tag, err := s.pool.Exec(ctx, `
		INSERT INTO date_feedback AS f (date_id, user_id, met, felt_safe, note)
		SELECT d.id, $1, $3, $4, $5 FROM dates d WHERE d.id = $2 AND d.status = 'accepted' AND d.at + `+askAfter+` <= now()
		ON CONFLICT (date_id, user_id) DO UPDATE SET met = $3, felt_safe = $4, note = $5, answered_at = now()`,
		actor.ID, id, said.Met, said.FeltSafe, note)
	if err != nil {
		return Date{}, pg.Fault(err)
	}
	if tag.RowsAffected() == 0 {
		return Date{}, fault.New(fault.Conflict, "We ask about a date once it was agreed and is over.")
	}
	return s.Get(ctx, actor, id)
}
