package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
)

// appealTerm is the time after the decision that a member is not of age in which the member can
// show the age. Then the account is deleted.
const appealTerm = 30 * 24 * time.Hour

// AppealTermArgs are the arguments of the job that runs at the end of appealTerm.
type AppealTermArgs struct {
	SanctionID uuid.UUID `json:"sanctionId" river:"unique"`
}

// Kind returns the name of the job in River.
func (AppealTermArgs) Kind() string { return "appeal_term" }

// InsertOpts allow one job per sanction. River retries it for months, because the account must be
// deleted.
func (AppealTermArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 50, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// TermState is what follows from the end of an appealTerm.
type TermState int

// The states.
const (
	TermVoid    TermState = iota // the ban was taken back, or the account is deleted: nothing follows
	TermAppeal                   // an appeal waits for its decision: to be asked again
	TermExpired                  // the account is to be deleted
)

// EndAppealTerm returns the member of a decision that the member is not of age, and what follows
// from the end of the term. It locks the member until tx ends.
func EndAppealTerm(ctx context.Context, tx pgx.Tx, args AppealTermArgs) (member uuid.UUID, state TermState, err error) {
	err = tx.QueryRow(ctx, `SELECT user_id FROM sanctions WHERE id = $1 AND deletes_at IS NOT NULL`, args.SanctionID).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return member, TermVoid, nil
	}
	if err != nil {
		return member, TermVoid, err
	}
	standing, err := members.LockStanding(ctx, tx, member)
	if err != nil {
		return member, TermVoid, err
	}
	inForce, err := isInForce(ctx, tx, args.SanctionID, standing.Status)
	if err != nil || !inForce {
		return member, TermVoid, err
	}
	var waits bool
	err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM appeals WHERE sanction_id = $1 AND outcome IS NULL)`, args.SanctionID).Scan(&waits)
	if err != nil || waits {
		return member, TermAppeal, err
	}
	return member, TermExpired, nil
}
