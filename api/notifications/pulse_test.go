package notifications_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/notifications"
	"heartward/api/platform/testkit"
	"heartward/api/pulse"
	"heartward/push"
)

// wantReminder turns b's reminder on, at a time that is due since a minute.
func (w *env) wantReminder() notifications.Preferences {
	w.Helper()
	settings := notifications.Defaults()
	settings.Pulse = true
	_, err := w.s.SaveSettings(w.Context(), w.b, settings)
	require.NoError(w, err)
	w.makeDue(time.Minute)
	return settings
}

func (w *env) makeDue(age time.Duration) {
	w.Helper()
	w.Exec(`UPDATE notification_settings SET pulse_next_at = now() - $1::interval WHERE pulse_next_at IS NOT NULL`, age)
}

// remindPulses runs the job and returns the enqueued pushes.
func (w *env) remindPulses() []notifications.PushArgs {
	w.Helper()
	require.NoError(w, w.s.RemindPulses(w.Context(), w.jobs))
	return w.removePushes()
}

// writePulse stores an entry of today, and one of the day after in case the day changes during the test.
func (w *env) writePulse(today time.Time) {
	w.Helper()
	for days := range 2 {
		w.writePulseOf(today.AddDate(0, 0, days).Format(time.DateOnly))
	}
}

func (w *env) writePulseOf(date string) {
	w.Helper()
	w.Exec(`INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		VALUES (gen_random_uuid(), $1, $2, $2::date, $2::date + 1, 'What?', 'hopeful', 'Written', gen_random_uuid(), now())`, w.b.ID, date)
}

func TestRemindPulses_PushesTheQuestionOnceADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	w.device(2)
	settings, began := w.wantReminder(), time.Now().UTC()
	pushes := w.remindPulses()
	require.Len(t, pushes, 2, "one for each device")
	today := time.Now().UTC()
	sent := w.deliver(pushes[0])
	require.NotNil(t, sent)
	shown := w.shownBy(*sent)
	require.Contains(t, []string{string(pulse.QuestionOf(began)), string(pulse.QuestionOf(today))}, shown.Body, "of the day of the job")
	require.Equal(t, shownNotification{
		Title: "Your Love Pulse", Body: shown.Body, Navigate: "https://heartward.test/love-pulse", Tag: "love-pulse",
	}, shown)

	next := testkit.Select[time.Time](t, w.Pool, `SELECT pulse_next_at FROM notification_settings`)
	require.True(t, next.After(today) && next.Before(today.Add(24*time.Hour+time.Minute)))
	require.Equal(t, "20:00", next.UTC().Format("15:04"))
	require.Empty(t, w.remindPulses(), "the next one is tomorrow")

	// Another time on the same day brings no second reminder.
	settings.PulseTime = "20:30"
	_, err := w.s.SaveSettings(t.Context(), w.b, settings)
	require.NoError(t, err)
	w.makeDue(time.Minute)
	require.Empty(t, w.remindPulses())
}

func TestRemindPulses_SkipsWhoNeedsNone(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(w *env){
		"has written":  func(w *env) { w.writePulse(time.Now().UTC()) },
		"outage":       func(w *env) { w.makeDue(3 * time.Hour) },
		"suspended":    func(w *env) { w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, w.b.ID) },
		"other device": func(w *env) { w.Exec(`UPDATE push_subscriptions SET categories = ARRAY['messages']`) },
		"turned off": func(w *env) {
			_, err := w.s.SaveSettings(w.Context(), w.b, notifications.Defaults())
			require.NoError(w, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			w.device(1)
			w.wantReminder()
			change(w)
			require.Empty(t, w.remindPulses())
			require.Zero(t, w.Count(`SELECT count(*) FROM notification_settings WHERE pulse_next_at <= now()`), "the next time is set all the same")
		})
	}
}

func TestRemindPulses_DropsAPushThatIsNotNeededAnyMore(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	settings, began := w.wantReminder(), time.Now().UTC()
	pushes := w.remindPulses()
	require.Len(t, pushes, 1)
	from, to := time.Now().UTC().Add(-time.Hour).Format("15:04"), time.Now().UTC().Add(time.Hour).Format("15:04")
	settings.QuietFrom, settings.QuietTo = &from, &to
	_, err := w.s.SaveSettings(t.Context(), w.b, settings)
	require.NoError(t, err)
	result, err := w.s.Deliver(t.Context(), pushes[0])
	require.NoError(t, err)
	require.Equal(t, push.Later, result.Outcome, "quiet hours")
	settings.QuietFrom, settings.QuietTo = nil, nil
	_, err = w.s.SaveSettings(t.Context(), w.b, settings)
	require.NoError(t, err)

	yesterday, err := notifications.NewPush(pushes[0].DeviceID, w.b.ID, notifications.PulseReminder{Date: "2026-01-01"})
	require.NoError(t, err)
	require.Nil(t, w.deliver(yesterday), "the day is over")
	w.writePulse(began)
	require.Nil(t, w.deliver(pushes[0]), "written meanwhile")
}

func TestSaveSettings_KeepsAReminderThatIsDue(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.device(1)
	settings := w.wantReminder()
	settings.Sound = false
	_, err := w.s.SaveSettings(t.Context(), w.b, settings)
	require.NoError(t, err)
	require.Len(t, w.remindPulses(), 1)
}

// Three workers at once remind each of many members once.
func TestRemindPulses_RemindsEachMemberOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	const members = 1300
	w.addMembers(members, "now() - interval '1 minute'")
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth)
		SELECT gen_random_uuid(), id, 'https://fcm.googleapis.com/fcm/send/many-' || id, 'k', 'a' FROM users WHERE email LIKE '%@many.test'`)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if err := w.s.RemindPulses(t.Context(), w.jobs); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	// A worker leaves what another one has locked; the next minute finds what that one did not finish.
	require.NoError(t, w.s.RemindPulses(t.Context(), w.jobs))
	reminded := map[uuid.UUID]int{}
	for _, args := range w.removePushes() {
		reminded[args.MemberID]++
	}
	require.Len(t, reminded, members)
	for _, n := range reminded {
		require.Equal(t, 1, n)
	}
}

// addMembers adds members with the reminder on, whose next one is at an SQL expression of n.
func (w *env) addMembers(count int, next string) {
	w.Helper()
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, $1) n`, count)
	w.Exec(`INSERT INTO notification_settings (user_id, preferences, pulse_next_at)
		SELECT id, '{"pulse": true}', ` + next + ` FROM (SELECT id, row_number() OVER () AS n FROM users WHERE email LIKE '%@many.test') u`)
}

// Of 50,000 members with a reminder the job reads those whose time has come.
func TestDuePulses_ReadOnlyThoseDue(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.addMembers(50_000, "now() + (n - 20) * interval '1 second'")
	w.Exec(`ANALYZE notification_settings`)
	tx, err := w.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	rows, err := tx.Query(t.Context(), `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) `+
		strings.NewReplacer("$1", "now()", "$2", "500").Replace(notifications.DuePulsesSQL))
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	plan := strings.Join(lines, "\n")
	require.Contains(t, plan, "notification_settings_pulse_due")
	require.NotContains(t, plan, "Seq Scan")
	require.NotRegexp(t, fmt.Sprintf(`rows=\d{%d,}`, 4), plan)
}
