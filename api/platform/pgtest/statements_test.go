package pgtest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/limits"
)

func TestFrameOf_NamesPackageThatRunsItsOwnSQL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		function, file string
		want           frame
	}{
		{"github.com/jackc/pgx/v5.(*Conn).Query", "conn.go", frame{}},
		{"heartward/api/platform/pgtest.(*recorder).TraceQueryStart", "statements.go", frame{}},
		{"heartward/api/platform/pg.QueryGeneric[...]", "generic.go", frame{}},
		{"heartward/api/platform/archive.(*Writer).WriteRow", "archive.go", frame{}},
		{"heartward/api/platform/pg.Tx[...].func1", "tx.go", frame{true, "api/platform/pg"}},
		{"heartward/api/messaging.(*Service).Send.func1", "send.go", frame{true, "api/messaging"}},
		{"heartward/api/messaging/guard.Check", "guard.go", frame{true, "api/messaging/guard"}},
		{"heartward/jobs.clean", "cleanup.go", frame{true, "jobs"}},
		{"heartward/api/messaging.TestSend", "heartward/api/messaging/send_test.go", frame{decides: true}},
		{"heartward/api/messaging_test.TestSend", "heartward/api/messaging/send_test.go", frame{decides: true}},
		{"heartward/api/platform/testkit.Exec", "db.go", frame{decides: true}},
		{"heartward/api/auth/authtest.SignIn", "authtest.go", frame{decides: true}},
		{"heartward/api/seed.Run", "seed.go", frame{decides: true}},
	} {
		require.Equal(t, c.want, frameOf(c.function, c.file), c.function)
	}
}

// The test itself sends a statement on the tables of limits too, which is not recorded.
func TestRecorder_KeepsStatementsOfProduct(t *testing.T) {
	t.Parallel()
	pool := New(t)
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT count(*) FROM rate_limits`).Scan(new(int)))
	require.NoError(t, limits.Allow(t.Context(), pool, limits.Rule{Name: "test", Count: 1, Per: time.Minute}, "key"))
	var recorded []string
	known.Range(func(key, _ any) bool {
		if s := key.(sent); strings.Contains(s.sql, "rate_limits") {
			recorded = append(recorded, s.pkg)
		}
		return true
	})
	require.Equal(t, []string{"api/platform/limits"}, recorded)
}

func TestParser_FindsTablesThatStatementNames(t *testing.T) {
	t.Parallel()
	parser, err := openParser()
	require.NoError(t, err)
	for sql, want := range map[string][]string{
		`SELECT 1`: {},
		`SELECT FROM users u, messages m -- , matches`:                            {"messages", "users"},
		`SELECT 'FROM users' FROM ONLY public.messages WHERE sender_id = $1;`:     {"messages"},
		`WITH users AS (SELECT 1 AS id) SELECT FROM users JOIN matches ON $1`:     {"matches"},
		`SELECT (SELECT count(*) FROM users) WHERE EXISTS (SELECT FROM "blocks")`: {"blocks", "users"},
		`DELETE FROM users USING messages m WHERE m.sender_id = users.id`:         {"messages", "users"},
		`INSERT INTO daily_counts SELECT FROM rate_limits`:                        {"daily_counts", "rate_limits"},
		`WITH gone AS (DELETE FROM blocks RETURNING 1) SELECT FROM gone`:          {"blocks"},
		`TABLE "users"`:                                  {"users"},
		`SELECT FROM conversation_sides`:                 {}, // a view
		`SELECT FROM visible_members($1)`:                {}, // a function
		`SELECT FROM users FOR UPDATE; TABLE blocks`:     {"blocks", "users"},
		`SELECT FROM table_of_a_test JOIN users ON true`: {},
	} {
		tables, err := parser.tablesIn(t.Context(), sql)
		require.NoError(t, err, sql)
		require.ElementsMatch(t, want, tables, sql)
	}
	_, err = parser.tablesIn(t.Context(), `LOCK TABLE users`)
	require.Error(t, err)
}

func TestForeignIn_ReturnsTablesOfOtherPackages(t *testing.T) {
	t.Parallel()
	require.Empty(t, foreignIn("api/messaging", []string{"conversations", "messages", "river_job"}))
	require.Equal(t, []string{"api/messaging names users, a table of api/members: read a view or call a function of the owner"},
		foreignIn("api/messaging", []string{"messages", "users"}))
	require.Empty(t, foreignIn("api/dates", []string{"conversations"}))
	require.Len(t, foreignIn("api/dates", []string{"messages"}), 1)
	require.Empty(t, foreignIn(cleanUp, []string{"conversations", "messages"}))
	require.Len(t, foreignIn(cleanUp, []string{"conversations", "users"}), 1)
}
