package badges

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/pg"
)

// CheckArgs are the arguments of the job that awards a member the badges that a cause has earned.
// Jobs are not unique: the job of the last event to commit counts all of them.
type CheckArgs struct {
	MemberID uuid.UUID `json:"memberId"`
	Cause    Cause     `json:"cause"`
}

// Kind returns the name of the job.
func (CheckArgs) Kind() string { return "check_badges" }

// notifyDelay is the time in which a member can see a badge in the app before the job decides on a
// push, as for matches and messages: the commit tells an app that is just connecting, or shows /badges.
const notifyDelay = 4 * time.Second

// NotifyArgs are the arguments of the job that decides whether to notify a member of a badge.
type NotifyArgs struct {
	ID       uuid.UUID `json:"id" river:"unique"` // of the row of earned_badges
	MemberID uuid.UUID `json:"memberId"`
}

// Kind returns the name of the job.
func (NotifyArgs) Kind() string { return "notify_badge" }

// InsertOpts schedules the job after notifyDelay.
func (NotifyArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{ScheduledAt: time.Now().Add(notifyDelay), MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

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
// check of the member's referrer when that transaction has completed the referral.
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

// Award awards a member, in the transaction that completes the job, what a cause has earned. It
// reports whether that was anything; then the caller calls Announce after the commit. Repeating it
// awards nothing.
func (s *Service) Award(ctx context.Context, tx pgx.Tx, args CheckArgs) (bool, error) {
	awarded, err := s.award(ctx, tx, args.MemberID, criteriaOf(args.Cause))
	return len(awarded) > 0, err
}

// Announce tells the devices of a member that the member's badges have changed.
func (s *Service) Announce(member uuid.UUID) { s.announce(member) }

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

// Backfill awards members what they have earned, as if they had closed the celebrations, for demo
// data. It enqueues and announces nothing.
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

// Recompute awards all members what their history has earned, and returns the number of new
// badges. It interrupts nobody: it enqueues and announces nothing, and the new badges have no
// celebration. It takes no badge away, and can be interrupted and repeated.
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
