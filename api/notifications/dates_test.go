package notifications_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/notifications"
	"heartward/api/platform/testkit"
)

// remind runs the reminder of a date and returns the enqueued pushes.
func (w *env) remind(date uuid.UUID, revision int) []notifications.PushArgs {
	w.Helper()
	ctx := context.Background()
	require.NoError(w, pgx.BeginFunc(ctx, w.Pool, func(tx pgx.Tx) error {
		return w.s.RemindOfDate(ctx, tx, w.jobs, dates.ReminderArgs{DateID: date, Revision: revision})
	}))
	return w.removePushes()
}

func TestRemindOfDate_PushesToBothMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	_, err := w.s.Subscribe(t.Context(), w.a, subscription(t, 2), nil)
	require.NoError(t, err)
	date := uuid.Must(uuid.NewV7())
	at := time.Now().Add(3 * time.Hour).UTC()
	w.Exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, revision, proposed_by, changed_by, accepted_at, message_seq)
		VALUES ($1, $2, $3, $1, 'Café Luna', $5, 'UTC', 'accepted', 2, $3, $4, now(), 2)`, date, w.conversation, w.a.ID, w.b.ID, at)
	pushes := w.remind(date, 2)
	require.Len(t, pushes, 2)
	with := map[uuid.UUID]string{w.a.ID: "Bea", w.b.ID: "Ada"}
	for _, args := range pushes {
		sent := w.deliver(args)
		require.NotNil(t, sent)
		require.LessOrEqual(t, sent.TTL, 3*time.Hour, "the push expires when the date begins")
		require.Equal(t, shownNotification{
			Title: "Your date with " + with[args.MemberID], Body: "At " + at.Format("3:04 PM") + ", Café Luna",
			Navigate: "https://heartward.test/messages/" + w.conversation.String(), Tag: "date-" + date.String(),
		}, w.shownBy(*sent))
	}
	require.NotEqual(t, pushes[0].MemberID, pushes[1].MemberID)

	require.Empty(t, w.remind(date, 1), "the date has changed")
	for _, change := range []string{
		`UPDATE users SET profile_status = 'suspended' WHERE first_name = 'Bea'`, `UPDATE conversations SET closed_at = now()`,
		`UPDATE dates SET status = 'cancelled', accepted_at = NULL`,
	} {
		w.Exec(change)
		require.Empty(t, w.remind(date, 2), change)
		for _, args := range pushes {
			require.Nil(t, w.deliver(args), "a push that was enqueued before the change: %s", change)
		}
	}
}

// The TTL makes the push service drop an undelivered notification when it expires.
func TestDeliver_TTLEndsWhenNotificationExpires(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	device := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM push_subscriptions`)
	notification := notifications.Notification{Category: notifications.Badges, Title: "A badge", Path: "/badges", Tag: "badge"}
	expiringAt := func(at time.Time) notifications.PushArgs {
		n := notification
		n.Expires = at
		args, err := notifications.NewPush(device, w.b.ID, n)
		require.NoError(t, err)
		return args
	}
	sent := w.deliver(expiringAt(time.Now().Add(3 * time.Hour)))
	require.NotNil(t, sent)
	require.LessOrEqual(t, sent.TTL, 3*time.Hour)
	require.Nil(t, w.deliver(expiringAt(time.Now().Add(-time.Second))))

	for _, late := range []time.Time{{}, time.Now().Add(90 * 24 * time.Hour)} {
		notification.Expires = late
		require.NoError(t, pgx.BeginFunc(t.Context(), w.Pool, func(tx pgx.Tx) error {
			return w.s.Push(t.Context(), tx, w.jobs, w.b.ID, notification)
		}))
		pushes := w.removePushes()
		require.Len(t, pushes, 1)
		sent = w.deliver(pushes[0])
		require.NotNil(t, sent)
		require.LessOrEqual(t, sent.TTL, 24*time.Hour)
	}
}

func TestDeliver_UnknownEventIsRetried(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	_, err := w.s.Deliver(t.Context(), notifications.PushArgs{DeviceID: uuid.New(), MemberID: w.b.ID, Type: "of a later release"})
	require.ErrorContains(t, err, "of a later release")
	require.Empty(t, w.phone.sent)
}
