package figures_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/figures"
	"heartward/api/members"
	"heartward/api/platform/testkit"
)

var (
	// now is a Wednesday afternoon, and today its day.
	now   = time.Date(2026, 6, 17, 15, 0, 0, 0, time.UTC)
	today = time.Date(2026, 6, 17, 0, 0, 0, 0, time.UTC)
)

const day = 24 * time.Hour

// counted returns a day with counts, in the order of the fields.
func counted(at time.Time, signUps, active, matches, messages, reports int) figures.Day {
	return figures.Day{
		Day: at.Format(time.DateOnly), SignUps: &signUps, ActiveMembers: &active, Matches: &matches,
		Messages: &messages, Reports: &reports,
	}
}

// The first and the last moment of a UTC day belong to it, and the moments beside them do not,
// in any time zone of the session.
func TestDays_BeginAtMidnightUTC(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.Exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = ''America/Los_Angeles''', current_database()); END $$`)
	w.Pool.Reset()
	yesterday := today.Add(-day)
	moments := []time.Time{yesterday.Add(-time.Microsecond), yesterday, today.Add(-time.Microsecond), today}
	var ids []uuid.UUID
	for _, at := range moments {
		ids = append(ids, w.member(at))
	}
	for i, at := range moments {
		w.match(ids[i], ids[(i+1)%4], at)
		w.message(at)
		w.report(at, time.Time{})
		w.Exec(`INSERT INTO member_activity (user_id, last_active_at) VALUES ($1, $2)`, ids[i], at)
	}
	want := []figures.Day{
		counted(today.Add(-2*day), 1, 1, 1, 1, 1), counted(yesterday, 2, 2, 2, 2, 2), counted(today, 1, 1, 1, 1, 1),
	}
	w.store(now)
	require.Equal(t, want, w.read(7, now).Days[4:])
	require.Equal(t, 14, w.Count(`SELECT count(*) FROM daily_figures`), "two days have ended")
}

// Hidden members, ended matches and deleted messages count. Each active
// member counts once a day.
func TestDays_CountHiddenMembersAndEndedMatches(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, eve := w.member(today), w.member(today), w.member(today)
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ann)
	w.Exec(`UPDATE users SET incognito = true, hide_online = true, paused_at = now() WHERE id = $1`, ben)
	w.match(ann, ben, today)
	w.match(ann, eve, today)
	w.Exec(`UPDATE matches SET unmatched_at = now() WHERE $1 IN (user_a, user_b)`, ben)
	w.message(today)
	w.Exec(`UPDATE messages SET deleted_at = now(), content = ''`)
	for _, at := range []time.Time{today.Add(-3 * day), today.Add(-time.Second), today, now.Add(-time.Minute), now} {
		for _, id := range []uuid.UUID{ann, ben} {
			w.Exec(`INSERT INTO member_activity AS a VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET last_active_at = excluded.last_active_at`, id, at)
		}
	}
	days := w.read(7, now).Days
	require.Equal(t, counted(today, 3, 3, 2, 1, 0), days[6], "who signs up is active")
	require.Equal(t, counted(today.Add(-day), 0, 2, 0, 0, 0), days[5], "yesterday is counted until it is stored")
	require.Equal(t, figures.Day{Day: "2026-06-15"}, days[4], "an earlier day was not counted")
}

// Touch records the day of each activity, also when a later one replaces its time.
func TestDays_CountMembersWhoWereActiveAgain(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, earlier := w.member(time.Now().Add(-5*day)), time.Now().UTC().Add(-day)
	w.Exec(`INSERT INTO member_activity VALUES ($1, $2)`, ann, earlier)
	require.NoError(t, members.Touch(t.Context(), w.Pool, ann))
	require.NoError(t, members.Touch(t.Context(), w.Pool, ann))
	touched := testkit.Select[time.Time](t, w.Pool, `SELECT last_active_at FROM member_activity`)
	for _, at := range []time.Time{earlier, touched.UTC()} {
		require.Equal(t, 1, *w.read(7, at).Days[6].ActiveMembers, at)
	}
}

func TestDays_MeasureTimeToActionOfDecidedReports(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.member(today.Add(-10 * day))
	for hours := range 101 { // 0 to 100 hours
		w.report(now.Add(-time.Duration(hours)*time.Hour), now)
	}
	w.report(today.Add(-day), time.Time{})
	w.report(today.Add(-2*day-10*time.Second), today.Add(-2*day))
	w.store(now)
	days := w.read(7, now).Days
	require.InDelta(t, 50*3600, *days[6].ActionMedianSeconds, 1e-3)
	require.InDelta(t, 95*3600, *days[6].ActionP95Seconds, 1e-3)
	require.Nil(t, days[5].ActionMedianSeconds, "none was decided")
	require.NotNil(t, days[5].Reports)
	require.InDelta(t, 10, *days[4].ActionMedianSeconds, 1e-3)
	require.InDelta(t, 10, *days[4].ActionP95Seconds, 1e-3)
}

// Deletions after a day was stored do not change its figures. The rows of daily activity are
// deleted once they are counted.
func TestStore_LaterDeletionsChangeNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	yesterday := today.Add(-day)
	ann, ben := w.member(yesterday), w.member(yesterday)
	w.match(ann, ben, yesterday)
	w.message(yesterday)
	w.report(yesterday, yesterday.Add(time.Hour))
	w.Exec(`INSERT INTO member_activity SELECT id, $1 FROM users`, yesterday)
	w.Exec(`UPDATE member_activity SET last_active_at = $1`, now)
	w.store(now)
	before := w.read(7, now).Days[5]
	hour := 3600.0
	want := counted(yesterday, 2, 2, 1, 1, 1)
	want.ActionMedianSeconds, want.ActionP95Seconds = &hour, &hour
	require.Equal(t, want, before)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM active_days`), "those of today")

	w.Exec(`DELETE FROM reports`)
	w.Exec(`DELETE FROM conversations`)
	w.Exec(`DELETE FROM users`)
	w.member(yesterday)
	w.store(now)
	require.Equal(t, before, w.read(7, now).Days[5])
	require.Equal(t, counted(today, 0, 0, 0, 0, 0), w.read(7, now).Days[6])
	require.Zero(t, w.Count(`SELECT count(*) FROM active_days`))
}

// A day is stored an hour after its end, and days that were missed are stored later, at most 90.
func TestStore_StoresMissingDaysOnceTheyAreOver(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.store(now)
	require.Zero(t, w.Count(`SELECT count(*) FROM daily_figures`), "there is no member")
	w.member(today.Add(-3 * day).Add(time.Hour))
	w.store(today.Add(59 * time.Minute))
	require.Equal(t, 2, w.Count(`SELECT count(DISTINCT day) FROM daily_figures`))
	w.store(today.Add(time.Hour))
	require.Equal(t, 3, w.Count(`SELECT count(DISTINCT day) FROM daily_figures`))
	require.Nil(t, w.read(7, now).Days[2].SignUps, "before the first member")
	require.Equal(t, 1, *w.read(7, now).Days[3].SignUps)

	w.Exec(`DELETE FROM daily_figures WHERE day = '2026-06-15'`)
	w.store(now)
	require.Equal(t, 3, w.Count(`SELECT count(DISTINCT day) FROM daily_figures`))
	w.member(today.Add(-200 * day))
	w.store(now)
	require.Equal(t, 90, w.Count(`SELECT count(DISTINCT day) FROM daily_figures`))
	require.Len(t, w.read(90, now).Days, 90)
	require.NotNil(t, w.read(90, now).Days[0].SignUps)
}

// A run that is interrupted at any statement is completed by the next one, with the figures of
// an uninterrupted run.
func TestStore_CompletesInterruptedRuns(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	week := today.Add(-9 * day) // a Monday
	var ids []uuid.UUID
	for i := range 4 {
		ids = append(ids, w.member(today.Add(-day).Add(time.Duration(i)*time.Hour)))
		w.show(week.Add(time.Duration(i)*day), ids[i], i)
	}
	w.Exec(`INSERT INTO member_activity SELECT id, $1 FROM users`, today.Add(-day))
	interrupted := 0
	for w.interruptedStore(interrupted, now) != nil {
		interrupted++
		require.Less(t, interrupted, 1000)
		incomplete := w.Count(`SELECT count(*) FROM (SELECT FROM daily_figures GROUP BY day HAVING count(*) <> 7) incomplete`)
		require.Zero(t, incomplete, "a day is stored as a whole")
	}
	require.Greater(t, interrupted, 10, "the run stopped at many statements")
	f := w.read(30, now)
	require.Equal(t, counted(today.Add(-day), 4, 4, 0, 0, 0), f.Days[28])
	require.Len(t, f.Weeks, 2)
	require.Equal(t, 4, f.Weeks[0].Members)
	require.Equal(t, 1, f.Weeks[0].NeverShown)
	require.True(t, f.Weeks[0].IsFinal)
	require.InDelta(t, 5.0/12, *f.Weeks[0].Gini, 1e-9, "of 0, 1, 2 and 3 times")
	require.Zero(t, w.Count(`SELECT count(*) FROM weekly_showings`))
	require.Zero(t, w.Count(`SELECT count(*) FROM daily_items`))
}
