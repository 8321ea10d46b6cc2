package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// recorder remembers the statements that a pool runs.
type recorder struct {
	mu  sync.Mutex
	all []pgx.TraceQueryStartData
	on  bool
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.on && web.RequestID(ctx) != "" {
		r.all = append(r.all, q)
	}
	return ctx
}

func (*recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// record returns the queries of the requests that run sends, without those of the search index, which follows the database
// beside them.
func (r *recorder) record(run func()) []pgx.TraceQueryStartData {
	set := func(on bool) { r.mu.Lock(); r.on = on; r.mu.Unlock() }
	r.all = nil
	set(true)
	run()
	set(false)
	return r.all
}

// plan is a node of EXPLAIN (ANALYZE, FORMAT JSON). The rows are of one loop.
type plan struct {
	Type    string  `json:"Node Type"`
	Table   string  `json:"Relation Name"`
	Index   string  `json:"Index Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []plan  `json:"Plans"`
}

// read returns the number of rows that the scans of the plan read.
func (p plan) read() (rows float64) {
	if strings.Contains(p.Type, "Scan") {
		rows = (p.Rows + p.Removed) * p.Loops
	}
	for _, child := range p.Plans {
		rows += child.read()
	}
	return rows
}

func (p plan) String() string {
	text, _ := json.MarshalIndent(p, "", " ")
	return string(text)
}

// explain runs a query again and returns its plan.
func explain(t *testing.T, pool *pgxpool.Pool, q pgx.TraceQueryStartData) plan {
	t.Helper()
	var text []byte
	require.NoError(t, pool.QueryRow(t.Context(), `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) `+q.SQL, q.Args...).Scan(&text), q.SQL)
	var plans []struct{ Plan plan }
	require.NoError(t, json.Unmarshal(text, &plans))
	return plans[0].Plan
}

const (
	manyPeople  = 30_000
	manyEntries = 5000 // of each list
)

// manyMembers adds members, of whom nine in ten have been active, and entries of each list of the dashboard.
func manyMembers(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for _, sql := range []string{
		`INSERT INTO users (id, email, full_name, first_name, last_name, birth_date, city, state, referral_code, created_at, profile_status, is_featured, is_graduated, verified_at)
		SELECT gen_random_uuid(), n || '@many.test', 'Member ' || n, 'Member', n::text, '1990-01-01', 'Town ' || n % 1000, 'OR',
			'MANY' || lpad(n::text, 8, '0'), now() - n * interval '1 minute', CASE n % 100 WHEN 1 THEN 'suspended' WHEN 2 THEN 'under_review' ELSE 'active' END,
			n % 100 = 3, n % 100 = 4, CASE n % 10 WHEN 5 THEN now() END
		FROM generate_series(1, ` + strconv.Itoa(manyPeople) + `) n`,
		`INSERT INTO member_activity (user_id, last_active_at)
		SELECT id, now() - (row_number() OVER (ORDER BY id)) * interval '1 minute' FROM users WHERE right(last_name, 1) <> '9'`,
		`CREATE TEMP TABLE m AS SELECT id, row_number() OVER (ORDER BY id) AS n FROM users WHERE email LIKE '%@many.test' ORDER BY id LIMIT ` + strconv.Itoa(manyEntries),
		`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority, created_at, status, reviewed_at, action_taken)
		SELECT gen_random_uuid(), lag(m.id) OVER (ORDER BY m.n), m.id, 'spam', 'profile', 2, now() - n * interval '1 minute',
			s, CASE s WHEN 'pending' THEN NULL ELSE now() - n * interval '1 minute' END, CASE s WHEN 'reviewed' THEN 'warn' WHEN 'resolved' THEN 'ban' END
		FROM m CROSS JOIN unnest(ARRAY['pending', 'reviewed', 'resolved']) s WHERE n % 3 = 0`,
		`INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, score, source)
		SELECT gen_random_uuid(), gen_random_uuid(), 1, id, id, 'Buy this', 'spam', 0.9, 'filter' FROM m`,
		`INSERT INTO profile_reviews (user_id, subject, submitted_at) SELECT id, 'profile', now() - n * interval '1 minute' FROM m`,
		`INSERT INTO verifications (id, user_id, pose, status, submitted_at, selfie_id)
		SELECT gen_random_uuid(), id, 'wave', 'pending', now() - n * interval '1 minute', (SELECT id FROM files LIMIT 1) FROM m`,
		`INSERT INTO sanctions (id, user_id, kind, explanation) SELECT id, id, 'ban', 'Spam' FROM m`,
		`INSERT INTO appeals (sanction_id, user_id, content, created_at, outcome, explanation, decided_at)
		SELECT id, id, 'Why?', now() - n * interval '1 minute', CASE n % 2 WHEN 1 THEN 'upheld' END, CASE n % 2 WHEN 1 THEN 'Spam' ELSE '' END, CASE n % 2 WHEN 1 THEN now() - n * interval '1 second' END FROM m`,
		`INSERT INTO graduated_couples (user_one_id, user_two_id, status, requested_at, accepted_at)
		SELECT a.id, b.id, 'pending', now() - a.n * interval '1 minute', now() - a.n * interval '1 minute' FROM m a JOIN m b ON b.n = a.n + 1`,
		`INSERT INTO audit_log (admin_id, action, subject_id, reason)
		SELECT CASE n % 100 WHEN 7 THEN a.id ELSE gen_random_uuid() END, CASE n % 100 WHEN 1 THEN 'report.ban' ELSE 'flag.open' END, m.id, 'Seen'
		FROM m, (SELECT id FROM m WHERE n = 1) a`,
		`DROP TABLE m`,
		`ANALYZE`,
	} {
		_, err := conn.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
}

// The most rows that a page of 50 entries of an admin's list may read, with the rows of its
// members. A count reads the rows that it counts.
const mostRowsOfPage = 2000

// A page of each list of the dashboard reads its rows only.
func TestAdminLists_ReadOnlyTheirPage(t *testing.T) {
	t.Parallel()
	queries := &recorder{}
	pool := pgtest.Traced(t, pgtest.New(t), queries)
	s := newEnvAt(t, "http://heartward.test", pool)
	c := s.newCast()
	admin := c.cookies["admin"]
	manyMembers(t, pool)
	var member, subject uuid.UUID
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT subject_id FROM audit_log WHERE subject_id IS NOT NULL LIMIT 1`).Scan(&subject))
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT admin_id FROM audit_log GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`).Scan(&member))
	users := func(body string) [3]string { return [3]string{http.MethodPost, "/api/admin/users", body} }
	get := func(path string) [3]string { return [3]string{http.MethodGet, "/api/admin/" + path, ""} }
	lists := [][3]string{
		users(`{}`), users(`{"sort":"oldest"}`), users(`{"sort":"name"}`), users(`{"sort":"last_active"}`),
		users(`{"status":"suspended"}`), users(`{"status":"suspended","sort":"name"}`), users(`{"status":"under_review","sort":"last_active"}`),
		users(`{"status":"active","sort":"last_active"}`), users(`{"city":"Town 7"}`), users(`{"city":"Town 7","sort":"last_active"}`),
		users(`{"isFeatured":true,"sort":"name"}`), users(`{"isGraduated":true}`), users(`{"isVerified":true,"sort":"last_active"}`),
		users(`{"search":"Member 9999"}`), users(`{"search":"99","sort":"last_active"}`), users(`{"search":"99999@many.test"}`),
		get("reports"), get("reports?status=reviewed"), get("reports?status=resolved"), get("flags"), get("profile-reviews"),
		get("verifications"), get("appeals"), get("appeals?status=decided"), get("graduations/pending"), get("queue"), get("queue?kind=report"),
		get("audit"), get("audit?action=report."), get("audit?action=report.ban"), get("audit?adminId=" + member.String()), get("audit?subjectId=" + subject.String()),
		get("audit?until=2020-01-01T00:00:00Z"), get("audit?from=2099-01-01T00:00:00Z"), get("audit?action=none."),
	}
	for _, list := range lists {
		name := strings.Join(list[:], " ")
		var page httpResponse
		all := queries.record(func() { page = s.send(admin, list[0], list[1], "application/json", list[2]) })
		require.Equal(t, http.StatusOK, page.status, "%s: %s", name, page.body)
		var read, counted float64
		var plans []string
		for _, q := range all {
			if verb := strings.ToUpper(strings.Fields(q.SQL)[0]); verb != "SELECT" && verb != "WITH" {
				continue
			}
			p := explain(t, pool, q)
			if strings.HasPrefix(q.SQL, "SELECT count(*)") {
				counted += p.read()
			} else if rows := p.read(); rows > 0 {
				read += rows
				plans = append(plans, fmt.Sprintf("%s\n%v", q.SQL, p))
			}
		}
		t.Logf("%-70s %6.0f rows, %6.0f counted", name, read, counted)
		if read > mostRowsOfPage {
			t.Errorf("%s reads %.0f rows:\n%s", name, read, strings.Join(plans, "\n"))
		}
	}
}
