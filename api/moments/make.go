package moments

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/fault"
)

// enqueue inserts the jobs that make moments.
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
// of the member's referrer if that transaction has completed the referral: now() is its start, so an earlier completion is
// before it.
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
// one; the caller then calls Announce after the commit. It makes none if the subject is gone.
func (s *Service) Make(ctx context.Context, tx pgx.Tx, args MakeArgs) (made bool, err error) {
	id, err := insertMoment(ctx, tx, args.MemberID, args.Type, args.SubjectID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	return id != uuid.Nil, err
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
