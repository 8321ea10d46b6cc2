package moments

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
)

// MakeArgs are the arguments of the job that makes a moment of something that has just happened to
// a member. A repeated job makes nothing.
type MakeArgs struct {
	MemberID  uuid.UUID `json:"memberId" river:"unique"`
	Type      Kind      `json:"momentType" river:"unique"`
	SubjectID uuid.UUID `json:"subjectId" river:"unique"`
}

// Kind returns the name of the job.
func (MakeArgs) Kind() string { return "make_moment" }

// InsertOpts allow one job for each member, type and subject.
func (MakeArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// NotifyArgs are the arguments of the job that notifies a member of another one's request to show them in a picture.
type NotifyArgs struct {
	MomentID uuid.UUID `json:"momentId" river:"unique"`
	MemberID uuid.UUID `json:"memberId" river:"unique"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_consent" }

// InsertOpts allow one job for each request.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

func (s *Service) enqueue(ctx context.Context, tx pgx.Tx, list ...MakeArgs) error {
	if len(list) == 0 {
		return nil
	}
	params := make([]river.InsertManyParams, len(list))
	for i, args := range list {
		params[i].Args = args
	}
	_, err := s.jobs.InsertManyTx(ctx, tx, params)
	return err
}

// Matched is called in the transaction of a match, with its members.
func (s *Service) Matched(ctx context.Context, tx pgx.Tx, match uuid.UUID, ids ...uuid.UUID) error {
	var list []MakeArgs
	for _, id := range ids {
		list = append(list, MakeArgs{id, Match, match})
	}
	return s.enqueue(ctx, tx, list...)
}

// Awarded is called in the transaction that awards badges, with the ids of their rows.
func (s *Service) Awarded(ctx context.Context, tx pgx.Tx, member uuid.UUID, earned []uuid.UUID) error {
	var list []MakeArgs
	for _, id := range earned {
		list = append(list, MakeArgs{member, Badge, id})
	}
	return s.enqueue(ctx, tx, list...)
}

// ProfileSaved is called in the transaction that changes a member's profile. It enqueues the moment
// of the member's referrer when that transaction has completed the referral.
func (s *Service) ProfileSaved(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	rows, _ := tx.Query(ctx, `
		SELECT referrer_id, 'referral', id
		FROM completed_referrals
		WHERE referred_id = $1
			AND completed_at >= now()`, member)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[MakeArgs])
	if err != nil {
		return err
	}
	return s.enqueue(ctx, tx, list...)
}

// Make makes the moment of a job in the transaction that completes it. It reports whether it made
// one; then the caller calls Announce after the commit.
func (s *Service) Make(ctx context.Context, tx pgx.Tx, args MakeArgs) (bool, error) {
	id, err := insertMoment(ctx, tx, args.MemberID, args.Type, args.SubjectID)
	return id != uuid.Nil && err == nil, ignoreNotFound(err)
}

// Backfill makes the moments of what has happened to a member, at most limit of each type, for demo
// data.
func Backfill(ctx context.Context, tx pgx.Tx, member uuid.UUID, limit int) error {
	for _, kind := range []Kind{Match, Badge, Referral} {
		subjects, err := selectSubjects(ctx, tx, member, kind)
		if err != nil {
			return err
		}
		for _, s := range subjects[:min(limit, len(subjects))] {
			id, err := insertMoment(ctx, tx, member, kind, s.ID)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `UPDATE shareable_moments SET created_at = $2 WHERE id = $1`, id, s.At); err != nil {
				return err
			}
		}
	}
	return nil
}
