package dates

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Met is a member's answer to whether the two members met.
type Met string

// The answers.
const (
	MetYes    Met = "yes"
	MetNo     Met = "no"
	MetNotYet Met = "not_yet"
)

// maxFeedbackNote is the maximum length of a note, in characters.
const maxFeedbackNote = 500

// Feedback is a member's feedback on a date. It is returned to that member only,
// not to the other member or to admins.
type Feedback struct {
	Met        Met       `json:"met" enum:"yes,no,not_yet"`
	FeltSafe   *bool     `json:"feltSafe" nullable:"true"`
	Note       string    `json:"note"`
	AnsweredAt time.Time `json:"answeredAt"`
}

// GiveFeedback stores actor's feedback on an accepted date, replacing an earlier one. It
// returns NotFound unless the date is actor's, Conflict until three hours after its
// time or if it was not accepted, and Invalid for an invalid note.
func (s *Service) GiveFeedback(ctx context.Context, actor web.Actor, id uuid.UUID, feedback Feedback) (Date, error) {
	note, err := text.Lines("note", feedback.Note, maxFeedbackNote)
	if err != nil {
		return Date{}, err
	}
	if _, err := s.Get(ctx, actor, id); err != nil {
		return Date{}, err
	}
	tag, err := s.pool.Exec(ctx, `
		INSERT INTO date_feedback AS f (date_id, user_id, met, felt_safe, note)
		SELECT d.id, $1, $3, $4, $5
		FROM dates d
		WHERE d.id = $2
			AND d.status = 'accepted'
			AND d.at + `+feedbackDelay+` <= now()
		ON CONFLICT (date_id, user_id) DO UPDATE
		SET
			met = $3,
			felt_safe = $4,
			note = $5,
			answered_at = now()`,
		actor.ID, id, feedback.Met, feedback.FeltSafe, note)
	if err != nil {
		return Date{}, pg.Fault(err)
	}
	if tag.RowsAffected() == 0 {
		return Date{}, fault.New(fault.Conflict, "We ask about a date once it was agreed and is over.")
	}
	return s.Get(ctx, actor, id)
}
