package badges

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/pg"
)

// Enqueue enqueues, in the transaction of a cause, the check of each of the members who lack a badge
// that it can earn.
func (s *Service) Enqueue(ctx context.Context, tx pgx.Tx, cause Cause, ids ...uuid.UUID) error {
	lacking, err := selectLacking(ctx, tx, ids, criteriaOf(cause))
	if err != nil || len(lacking) == 0 {
		return err
	}
	checks := make([]river.InsertManyParams, len(lacking))
	for i, id := range lacking {
		checks[i].Args = CheckArgs{MemberID: id, Cause: cause}
	}
	_, err = s.jobs.InsertManyTx(ctx, tx, checks)
	return err
}

// ProfileSaved is called in the transaction that changes a member's profile. It also enqueues the
// check of the member's referrer if that transaction has completed the referral: now() is its start, so an earlier completion
// is before it.
func (s *Service) ProfileSaved(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	if err := s.Enqueue(ctx, tx, ProfileSaved, member); err != nil {
		return err
	}
	rows, _ := tx.Query(ctx, `SELECT referrer_id FROM completed_referrals WHERE referred_id = $1 AND completed_at >= now()`, member)
	referrers, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil || len(referrers) == 0 {
		return err
	}
	return s.Enqueue(ctx, tx, FriendCame, referrers...)
}

// Award awards a member, in the transaction that completes the job, the badges that a cause has earned. It reports whether
// there were any; the caller then calls Announce after the commit. Repeating it awards nothing.
func (s *Service) Award(ctx context.Context, tx pgx.Tx, args CheckArgs) (awarded bool, err error) {
	earned, err := s.award(ctx, tx, args.MemberID, criteriaOf(args.Cause))
	return len(earned) > 0, err
}

// Announce calls the function of WatchChanges.
func (s *Service) Announce(member uuid.UUID) {
	if s.onChange != nil {
		s.onChange(member)
	}
}

// award awards the badges of the criteria that the member has earned, and enqueues the decision on a push for each. It returns
// the ids of their rows.
func (s *Service) award(ctx context.Context, tx pgx.Tx, member uuid.UUID, names []string) ([]uuid.UUID, error) {
	earned, err := insertEarned(ctx, tx, member, names, false)
	if err != nil || len(earned) == 0 {
		return nil, err
	}
	for _, id := range earned {
		if _, err := s.jobs.InsertTx(ctx, tx, NotifyArgs{ID: id, MemberID: member}, nil); err != nil {
			return nil, err
		}
	}
	if s.onAward != nil {
		err = s.onAward(ctx, tx, member, earned)
	}
	return earned, err
}

// Backfill is for demo data: it awards members the badges that they have earned, with closed celebrations. It enqueues and
// announces nothing.
func Backfill(ctx context.Context, tx pgx.Tx, ids []uuid.UUID) error {
	for _, id := range ids {
		if _, err := insertEarned(ctx, tx, id, allCriteria, false); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `UPDATE user_badges SET is_notified = true WHERE user_id = ANY ($1)`, ids)
	return err
}

// recomputeBatch is the number of members that are recomputed in one transaction.
const recomputeBatch = 100

// Recompute awards all members the badges that their history has earned, and returns the number of new ones. It enqueues and
// announces nothing, and the new badges have no celebration. It takes no badge away, and can be interrupted and repeated.
func (s *Service) Recompute(ctx context.Context) (int, error) {
	total, after := 0, uuid.Nil
	for {
		rows, _ := s.pool.Query(ctx, `SELECT id FROM profiles WHERE id > $1 ORDER BY id LIMIT $2`, after, recomputeBatch)
		ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
		if err != nil || len(ids) == 0 {
			return total, pg.Fault(err)
		}
		awarded, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (n int, err error) {
			for _, id := range ids {
				earned, err := insertEarned(ctx, tx, id, allCriteria, true)
				if err != nil {
					return n, err
				}
				n += len(earned)
			}
			return n, nil
		})
		if err != nil {
			return total, err
		}
		total, after = total+awarded, ids[len(ids)-1]
	}
}
