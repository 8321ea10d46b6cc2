package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
	"heartward/api/platform/pgtest"
)

// The cost of a page does not depend on the number of other members' dates. The test
// checks the plan for one member's parameters, and the generic plan for any parameters.
func TestList_CostDoesNotDependOnOthersDates(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.Member("Ada")
	w.Exec(`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 500) n`)
	// Each member has ten conversations with eight dates each.
	w.Exec(`WITH u AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM users)
		INSERT INTO conversations (id, user_a, user_b)
		SELECT gen_random_uuid(), least(a.id, b.id), greatest(a.id, b.id) FROM u a JOIN u b ON b.n BETWEEN a.n + 1 AND a.n + 5`)
	w.Exec(`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, proposed_at, time_zone, status, proposed_by, changed_by, message_seq)
		SELECT gen_random_uuid(), c.id, c.user_a, gen_random_uuid(), 'Cafe', now() + (n - 4) * interval '1 day', now() - interval '9 days', 'UTC', 'proposed',
			c.user_a, c.user_a, 1 FROM conversations c, generate_series(1, 8) n`)
	require.Greater(t, w.Count(`SELECT count(*) FROM dates`), 19_000)
	w.Exec(`ANALYZE users, conversations, dates`)
	for period, after := range map[dates.Period]time.Time{dates.Upcoming: time.Now().Add(-time.Hour), dates.Past: time.Now().Add(time.Hour)} {
		for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
			plan := pgtest.Explain(t, w.Pool, `SET LOCAL plan_cache_mode = `+mode, dates.PageSQL(period), ada.ID, after, uuid.Max, 51)
			require.Equal(t, mode == "force_generic_plan", strings.Contains(plan, "$1"), plan)
			require.NotRegexp(t, `Seq Scan on (dates|conversations)`, plan, "%s, %s", period, mode)
			require.NotRegexp(t, `rows=\d{4,}|Rows Removed by Filter: \d{4,}`, plan, "%s, %s", period, mode)
		}
	}
}
