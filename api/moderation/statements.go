package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Statement is what a hidden member wrote for the moderator.
type Statement struct {
	Text      string    `json:"text"`
	CreatedAt time.Time `json:"createdAt"`
}

// maxStatement is the maximum length of a statement, in characters.
const maxStatement = 2000

// State stores the actor's statement on the reports that hide the profile. A member can make one statement until all of
// these reports are decided. A repetition with the same text changes nothing.
//
// Errors: Invalid for an empty or invalid text; Conflict if no report hides the profile, and for another text than that
// of the first statement.
func (s *Service) State(ctx context.Context, actor web.Actor, content string) error {
	content, err := text.Lines("text", content, maxStatement)
	if err != nil {
		return err
	}
	if content == "" {
		return fault.InvalidField("text", "Please write what the moderator should know.")
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		standing, err := members.LockStanding(ctx, tx, actor.ID)
		if err != nil {
			return err
		}
		first, err := selectStatement(ctx, tx, actor.ID)
		switch {
		case err != nil:
			return err
		case first != nil && first.Text == content:
			return nil
		case first != nil:
			return fault.New(fault.Conflict, "You have sent your statement already.")
		case !standing.UnderReport:
			return fault.New(fault.Conflict, "Your profile isn't hidden anymore.")
		}
		_, err = tx.Exec(ctx, `INSERT INTO hidden_statements (id, user_id, content) VALUES (gen_random_uuid(), $1, $2)`, actor.ID, content)
		return err
	})
}

// selectStatement returns the member's newest statement since the oldest pending report that hides or hid the profile, or
// nil without one.
func selectStatement(ctx context.Context, db pg.DB, member uuid.UUID) (*Statement, error) {
	var s Statement
	err := db.QueryRow(ctx, `
		SELECT content, created_at
		FROM hidden_statements
		WHERE user_id = $1
			AND created_at > (
				SELECT min(created_at)
				FROM reports
				WHERE reported_user_id = $1
					AND status = 'pending'
					AND (hides_profile OR hides_until IS NOT NULL)
			)
		ORDER BY created_at DESC
		LIMIT 1`, member).Scan(&s.Text, &s.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	s.CreatedAt = web.Time(s.CreatedAt)
	return &s, pg.Fault(err)
}
