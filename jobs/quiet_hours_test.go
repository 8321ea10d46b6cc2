package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/notifications"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// Jobs snoozed until the end of quiet hours are rescheduled when the hours change,
// and not before.
func TestSnoozedJobs_WakeWhenQuietHoursChange(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx := context.Background()
	sent := make(sentPushes, 10)
	client := start(t, pool, sent)
	s := notifications.New(pool, client, sent, notifications.Config{})
	id, from, to := conversation(t, pool, "https://fcm.googleapis.com")
	quiet := notifications.Defaults()
	clock := func(d time.Duration) *string { return new(time.Now().UTC().Add(d).Format("15:04")) }
	quiet.QuietFrom, quiet.QuietTo = clock(-2*time.Hour), clock(8*time.Hour)
	_, err := s.SaveSettings(ctx, web.Actor{ID: to}, quiet)
	require.NoError(t, err)

	// One job of each kind: a decision on messages, one on likes, and pushes of
	// messages, of a match and of a rendered notification.
	badge := notifications.Notification{Category: notifications.Badges, Title: "A badge", Body: "It is yours", Path: "/badges", Tag: "badge"}
	write(t, pool, client, id, from, to)
	testkit.Exec(t, pool, `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		VALUES (gen_random_uuid(), $1, $2, 'like', now() + interval '1 minute')`, member(t, pool, "Zoe"), to)
	match := uuid.Must(uuid.NewV7())
	testkit.Exec(t, pool, `INSERT INTO matches (id, user_a, user_b) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3))`, match, from, to)
	require.NoError(t, pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := client.InsertTx(ctx, tx, matching.NotifyLikesArgs{MemberID: to}, nil); err != nil {
			return err
		}
		for _, event := range []notifications.Event{notifications.NewMatch{MatchID: match}, notifications.UnreadMessages{ConversationID: id, Seq: 1}} {
			args, err := notifications.NewPush(to, to, event)
			if err != nil {
				return err
			}
			if _, err := client.InsertTx(ctx, tx, args, nil); err != nil {
				return err
			}
		}
		return s.Push(ctx, tx, client, to, badge)
	}))
	testkit.Exec(t, pool, `UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind IN ('notify', 'notify_likes')`)
	countSnoozed := func(where string) (n int) {
		require.NoError(t, pool.QueryRow(ctx, `SELECT count(*) FROM river_job WHERE state = 'scheduled' AND metadata ? 'snoozes' AND `+where).Scan(&n))
		return n
	}
	require.Eventually(t, func() bool { return countSnoozed(`true`) == 5 }, testkit.Timeout, 20*time.Millisecond)
	require.Empty(t, sent)
	require.Equal(t, 5, countSnoozed(`scheduled_at > now() + interval '6 hours'`), "each is snoozed until the quiet hours end")
	// Other scheduled jobs are not rescheduled: a decision that collects likes, and
	// jobs of another member.
	stranger := member(t, pool, "Eve")
	testkit.Exec(t, pool, `INSERT INTO river_job (kind, args, state, max_attempts, scheduled_at, metadata, queue, priority) VALUES
		('notify', jsonb_build_object('recipientId', $1::text), 'scheduled', 5, now() + interval '1 hour', '{"snoozes": 1}', 'default', 1),
		('notify_likes', jsonb_build_object('memberId', $2::text), 'scheduled', 5, now() + interval '1 hour', '{}', 'default', 1)`, stranger, to)

	quiet.AutoplayVideo = true
	_, err = s.SaveSettings(ctx, web.Actor{ID: to}, quiet)
	require.NoError(t, err)
	require.Equal(t, 6, countSnoozed(`true`), "jobs stay snoozed, because the quiet hours have not changed")
	_, err = s.SaveSettings(ctx, web.Actor{ID: to}, notifications.Defaults())
	require.NoError(t, err)
	for range 4 { // the decision on messages enqueues no second push
		testkit.Receive(t, sent, "a snoozed push")
	}
	badge.Expires = time.Now().Add(time.Hour)
	late, err := notifications.NewPush(to, to, badge)
	require.NoError(t, err)
	// A decision that read the old hours while the new ones were saved is snoozed after
	// the first wake-up. The second wake-up finds it.
	testkit.Exec(t, pool, `INSERT INTO river_job (kind, args, state, max_attempts, scheduled_at, metadata, queue, priority) VALUES
		('push', $1, 'scheduled', 8, now() + interval '8 hours', '{"snoozes": 1}', 'push', 1)`, late)
	var second int
	require.NoError(t, pool.QueryRow(ctx, `SELECT count(*) FROM river_job WHERE kind = 'wake_snoozed'
		AND scheduled_at > now() + interval '1 minute'`).Scan(&second), "the second wake-up is later than the end of any running job")
	require.Equal(t, 2, second, "two changes of the quiet hours enqueue two second wake-ups")
	testkit.Exec(t, pool, `UPDATE river_job SET scheduled_at = now(), state = 'available' WHERE kind = 'wake_snoozed'`)
	testkit.Receive(t, sent, "the push that was snoozed late")
	waiting := testkit.Select[int](t, pool, `SELECT count(*) FROM river_job WHERE state = 'scheduled' AND scheduled_at > now() + interval '50 minutes'`)
	require.Equal(t, 2, waiting)
}
