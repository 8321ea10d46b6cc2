package notifications_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/testkit"
)

// gate pauses a like between its insert and its commit.
type gate struct {
	jobqueue.Inserter
	reached, open chan struct{}
}

func (g gate) InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	close(g.reached)
	<-g.open
	return g.Inserter.InsertTx(ctx, tx, args, opts)
}

type discardBus struct{}

func (discardBus) Publish(string, []byte) {}

// A like that commits while NotifyLikes runs is part of its notification or of the next
// one.
func TestNotifyLikes_ALikeMeanwhileIsInThisOrTheNextPush(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"the like", "the decision"} {
		w := newEnv(t)
		ctx := context.Background()
		w.device(1)
		w.like("Maya")
		_, err := matching.New(w.Pool, discardBus{}, w.jobs).Like(ctx, w.member("Zoe"), matching.LikeInput{To: w.b.ID, Kind: matching.Like})
		require.NoError(t, err)
		w.Exec(`UPDATE river_job SET state = 'running', attempted_at = now() WHERE kind = 'notify_likes'`)

		pausedJobs := gate{w.jobs, make(chan struct{}), make(chan struct{})}
		late := w.member("Ann")
		likeErr, decisionErr := make(chan error, 1), make(chan error, 1)
		like := func() {
			_, err := matching.New(w.Pool, discardBus{}, pausedJobs).Like(ctx, late, matching.LikeInput{To: w.b.ID, Kind: matching.Like})
			likeErr <- err
		}
		decision := func(tx pgx.Tx) error {
			if _, err := w.s.NotifyLikes(ctx, tx, w.jobs, matching.NotifyLikesArgs{MemberID: w.b.ID}); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `UPDATE river_job SET state = 'completed', finalized_at = now() WHERE kind = 'notify_likes' AND state = 'running'`)
			return err
		}
		isWaiting := func() bool {
			return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
		}
		switch first {
		case "the like":
			go like()
			<-pausedJobs.reached
			go func() { decisionErr <- pgx.BeginFunc(ctx, w.Pool, decision) }()
			require.Eventually(t, func() bool { return isWaiting() || len(decisionErr) == 1 }, testkit.Timeout, time.Millisecond)
			close(pausedJobs.open)
			require.NoError(t, <-likeErr)
			require.NoError(t, <-decisionErr)
		case "the decision":
			close(pausedJobs.open)
			require.NoError(t, pgx.BeginFunc(ctx, w.Pool, func(tx pgx.Tx) error {
				if err := decision(tx); err != nil {
					return err
				}
				go like()
				require.Eventually(t, isWaiting, testkit.Timeout, time.Millisecond)
				return nil
			}))
			require.NoError(t, <-likeErr)
		}
		if w.Count(`SELECT count(*) FROM river_job WHERE kind = 'notify_likes' AND state = 'scheduled'`) > 0 {
			require.NoError(t, pgx.BeginFunc(ctx, w.Pool, decision))
		}
		var titles []string
		for _, args := range w.removePushes() {
			sent := w.deliver(args)
			require.NotNil(t, sent)
			titles = append(titles, w.shownBy(*sent).Title)
		}
		want := map[string][]string{"the like": {"3 people like you"}, "the decision": {"2 people like you", "Ann likes you"}}
		require.Equal(t, want[first], titles, "first %s", first)
	}
}
