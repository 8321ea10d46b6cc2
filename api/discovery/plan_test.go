package discovery_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// manyMembers adds 100,000 members whom the default filters find.
const manyMembers = `
	INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, town_lat, town_lon, referral_code, intention_tags)
	SELECT
		gen_random_uuid(),
		n || '@many.test',
		'Many',
		'Many',
		'1990-01-01',
		'Town ' || n % 1000,
		'OR',
		45.5,
		-122.6,
		'MANY' || lpad(n::text, 8, '0'),
		'{Healing}'
	FROM generate_series(1, 100000) n`

// recorder remembers the statements of a pool.
type recorder struct {
	mu  sync.Mutex
	all []pgx.TraceQueryStartData
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, q)
	return ctx
}

func (*recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take returns the statements since the last call.
func (r *recorder) take() []pgx.TraceQueryStartData {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// plan is a node of EXPLAIN (ANALYZE, FORMAT JSON). The rows are of one loop.
type plan struct {
	Table   string  `json:"Relation Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []plan  `json:"Plans"`
}

// rowsOf returns the number of rows of a table that the plan reads.
func (p plan) rowsOf(table string) (rows float64) {
	if p.Table == table {
		rows = (p.Rows + p.Removed) * p.Loops
	}
	for _, child := range p.Plans {
		rows += child.rowsOf(table)
	}
	return rows
}

func explain(t testing.TB, pool *pgxpool.Pool, q pgx.TraceQueryStartData) plan {
	t.Helper()
	var text []byte
	require.NoError(t, pool.QueryRow(t.Context(), `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) `+q.SQL, q.Args...).Scan(&text), q.SQL)
	var plans []struct{ Plan plan }
	require.NoError(t, json.Unmarshal(text, &plans))
	return plans[0].Plan
}

// A page reads the row of each of its members once, and that of the viewer twice: with the filters, and with the
// exclusions.
func TestSearch_ReadsEachMemberOnce(t *testing.T) {
	t.Parallel()
	const size = 50
	queries := &recorder{}
	pool := pgtest.Traced(t, pgtest.New(t), queries)
	pgtest.Fill(t, pool, []string{"users"}, pgx.NamedArgs{}, manyMembers)
	me := insert(t, pool, row{})
	testkit.Exec(t, pool, `ANALYZE`)
	s := loaded(t, pool)

	queries.take()
	saved, err := s.Filters(t.Context(), me)
	require.NoError(t, err)
	page, _, err := s.Search(t.Context(), me, saved.Filters, discovery.Page{Limit: size})
	require.NoError(t, err)
	require.Len(t, page, size)
	read := 0.0
	for _, q := range queries.take() {
		rows := explain(t, pool, q).rowsOf("users")
		t.Logf("%.0f rows of users: %s", rows, q.SQL)
		read += rows
	}
	require.InDelta(t, size+2, read, 0.1)
}
