package notifications_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/notifications"
)

// remind runs the reminder of a date and answers with what is pushed.
func (w *world) remind(date uuid.UUID, revision int) (told []notifications.News) {
	w.t.Helper()
	ctx := context.Background()
	require.NoError(w.t, pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		return w.s.RemindOfDate(ctx, tx, w.jobs, dates.ReminderArgs{DateID: date, Revision: revision})
	}))
	rows, err := w.pool.Query(ctx, `DELETE FROM river_job WHERE kind = 'push_news' RETURNING args`)
	require.NoError(w.t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	require.NoError(w.t, err)
	for _, raw := range all {
		var args notifications.NewsArgs
		require.NoError(w.t, json.Unmarshal(raw, &args))
		told = append(told, args.News)
	}
	return told
}

func TestBothAreRemindedOfADateThatStands(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.device(1)
	_, err := w.s.Subscribe(t.Context(), w.a, subscription(t, 2))
	require.NoError(t, err)
	date := uuid.Must(uuid.NewV7())
	at := time.Now().Add(3 * time.Hour).UTC()
	w.exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, revision, proposed_by, changed_by, accepted_at, message_seq)
		VALUES ($1, $2, $3, $1, 'Café Luna', $5, 'UTC', 'accepted', 2, $3, $4, now(), 2)`, date, w.conversation, w.a.ID, w.b.ID, at)
	told := w.remind(date, 2)
	require.Len(t, told, 2)
	with := map[uuid.UUID]string{w.a.ID: "Bea", w.b.ID: "Ada"}
	for _, news := range told {
		require.NotNil(t, news.Until)
		require.WithinDuration(t, at, *news.Until, time.Millisecond, "of no use once the date has begun")
		news.Until = nil
		require.Equal(t, notifications.News{
			Member: news.Member, Category: notifications.Messages, Title: "Your date with " + with[news.Member],
			Body: "At " + at.Format("3:04 PM") + ", Café Luna", Path: "/messages/" + w.conversation.String(), Tag: "date-" + date.String(), Date: &dates.ReminderArgs{DateID: date, Revision: 2},
		}, news)
	}
	require.NotEqual(t, told[0].Member, told[1].Member)

	require.Empty(t, w.remind(date, 1), "it was changed since")
	for _, change := range []string{
		`UPDATE users SET profile_status = 'suspended' WHERE first_name = 'Bea'`, `UPDATE conversations SET closed_at = now()`,
		`UPDATE dates SET status = 'cancelled', accepted_at = NULL`,
	} {
		w.exec(change)
		require.Empty(t, w.remind(date, 2), change)
	}
}

// A push service that holds a reminder for a phone that is switched off must
// drop it when the date begins.
func TestDeliverNews_TimeToLiveEndsWithTheNews(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.device(1)
	var device uuid.UUID
	require.NoError(t, w.pool.QueryRow(t.Context(), `SELECT id FROM push_subscriptions`).Scan(&device))
	deliver := func(until *time.Time, at time.Time) []time.Duration {
		w.phone.sent = nil
		_, err := w.s.DeliverNews(t.Context(), notifications.NewsArgs{SubscriptionID: device, At: at, News: notifications.News{
			Member: w.b.ID, Category: notifications.Messages, Title: "Your date", Body: "At 7:00 PM", Path: "/messages", Tag: "date", Until: until,
		}})
		require.NoError(t, err)
		var ttls []time.Duration
		for _, m := range w.phone.sent {
			ttls = append(ttls, m.TTL)
		}
		return ttls
	}
	soon, past := time.Now().Add(3*time.Hour), time.Now().Add(-time.Second)
	ttls := deliver(&soon, time.Now())
	require.Len(t, ttls, 1)
	require.LessOrEqual(t, ttls[0], 3*time.Hour)
	require.Empty(t, deliver(&past, time.Now()), "the date has begun")
	ttls = deliver(nil, time.Now().Add(-20*time.Hour))
	require.Len(t, ttls, 1)
	require.LessOrEqual(t, ttls[0], 4*time.Hour, "20 of its 24 hours are over")
}
