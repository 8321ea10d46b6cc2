package pulse_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
	"heartward/api/pulse"
)

// rowCounts finds the numbers of rows in a plan that was run.
var rowCounts = regexp.MustCompile(`actual rows=([0-9.]+)`)

// Each query reads the rows of its page or of its member only: the member has 3,000 of 102,000 entries.
func TestQueries_ReadOnlyTheirRows(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.graduates("Mia", "Noah")
	now := time.Now().UTC()
	w.insert(mia, now, 3000)
	w.insert(noah, now, 3000)
	w.share(mia, true)
	w.share(noah, true)
	w.Exec(`UPDATE pulse_sharing SET since = now() - interval '10 years'`)
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 960) n`)
	w.Exec(`
		INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		SELECT gen_random_uuid(), u.id, current_date - i, now(), now() + interval '1 day', 'What?', 'content', 'Fine', gen_random_uuid(), now()
		FROM users u
		CROSS JOIN generate_series(1, 100) i
		WHERE u.email LIKE '%@many.test'`)
	w.Exec(`ANALYZE`)
	for name, query := range map[string]struct {
		sql  string
		args []any
		most int // rows that a part of the plan may read
	}{
		"history":     {pulse.HistorySQL, []any{mia, "2999-01-01", 51}, 51},
		"year":        {pulse.YearSQL, []any{mia, fmt.Sprintf("%d-01-01", now.Year()-1), fmt.Sprintf("%d-01-01", now.Year())}, 366},
		"streak":      {pulse.StreakSQL, []any{mia, now}, 3000},
		"shared days": {pulse.SharedDaysSQL, []any{mia, "2999-01-01", 51}, 102},
	} {
		plan := pgtest.Explain(t, w.Pool, "", query.sql, query.args...)
		require.NotContains(t, plan, "Seq Scan on love_pulse", name)
		for _, rows := range rowCounts.FindAllStringSubmatch(plan, -1) {
			var n float64
			_, err := fmt.Sscan(rows[1], &n)
			require.NoError(t, err)
			require.LessOrEqual(t, n, float64(query.most), "%s:\n%s", name, plan)
		}
		require.NotRegexp(t, `Rows Removed by Filter: \d{5,}`, plan, name)
	}
}
