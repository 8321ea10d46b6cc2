package figures_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/figures"
	"heartward/api/moderation"
)

// The stored outcomes and those of today equal a recount of all decided reports. The stored ones stay when the reports are
// deleted.
func TestOutcomes_AreThoseOfRecount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.member(today.Add(-20 * day))
	actions := []string{"no_action", "warn", "remove", "suspend", "ban", "not_of_age"}
	reasons := []string{"spam", "hate", "scam"}
	for i := range 60 {
		at := now.Add(-time.Duration(i*7) * time.Hour)
		status, until := "reviewed", any(nil)
		action := actions[i*i%len(actions)]
		if action == "suspend" {
			until = at.Add(day)
		}
		w.Exec(`INSERT INTO reports (id, reason, place, priority, created_at, status, reviewed_at, action_taken, suspended_until)
			VALUES (gen_random_uuid(), $1, 'card', 2, $2::timestamptz - interval '1 day', $3, $2, $4, $5)`, reasons[i%3], at, status, action, until)
	}
	// None of these counts: pending, without a reporter's complaint, or before the range.
	w.report(now, time.Time{})
	w.Exec(`INSERT INTO reports (id, reason, source, place, priority, status, reviewed_at, action_taken)
		VALUES (gen_random_uuid(), 'spam', 'pictures', 'profile', 2, 'reviewed', $1, 'no_action')`, now)
	w.report(now.Add(-40*day), now.Add(-40*day))

	rows, err := w.Pool.Query(t.Context(), `
		SELECT
			reason,
			count(*),
			count(*) FILTER (WHERE action_taken = 'no_action'),
			count(*) FILTER (WHERE action_taken = 'warn'),
			count(*) FILTER (WHERE action_taken = 'remove'),
			count(*) FILTER (WHERE action_taken = 'suspend'),
			count(*) FILTER (WHERE action_taken IN ('ban', 'not_of_age'))
		FROM reports
		WHERE source = 'member'
			AND reviewed_at >= $1
		GROUP BY reason
		ORDER BY 2 DESC, 1`, today.Add(-29*day))
	require.NoError(t, err)
	want, err := pgx.CollectRows(rows, pgx.RowToStructByPos[figures.ReasonOutcomes])
	require.NoError(t, err)
	require.Len(t, want, 3)
	require.NotZero(t, want[0].Removed+want[0].Suspended+want[0].Banned, fmt.Sprint(want))

	require.Equal(t, want[0].Decided, w.outcome(1, want[0].Reason)+w.between(want[0].Reason, today.Add(-29*day), today), "today alone, before anything is stored")
	w.store(now)
	require.Equal(t, want, w.read(30, now).Outcomes)
	w.store(now)
	require.Equal(t, want, w.read(30, now).Outcomes, "storing again changes nothing")
	w.Exec(`DELETE FROM reports WHERE reviewed_at < $1`, today)
	require.Equal(t, want, w.read(30, now).Outcomes)
}

// outcome returns the number of decisions about a reason in the last days.
func (w *env) outcome(days int, reason moderation.Reason) int {
	w.Helper()
	for _, o := range w.read(days, now).Outcomes {
		if o.Reason == reason {
			return o.Decided
		}
	}
	return 0
}

func (w *env) between(reason moderation.Reason, from, until time.Time) int {
	w.Helper()
	return w.Count(`SELECT count(*) FROM reports WHERE source = 'member' AND reason = $1 AND reviewed_at >= $2 AND reviewed_at < $3`, reason, from, until)
}
