package pg_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// onOneConnection returns a pool like another, with a single connection.
func onOneConnection(t *testing.T, pool *pgxpool.Pool) *pgxpool.Pool {
	t.Helper()
	config := pool.Config()
	config.MaxConns = 1
	single, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(single.Close)
	return single
}

func TestQueryGeneric_PlansOnceAndLeavesTheConnectionAsItWas(t *testing.T) {
	t.Parallel()
	pool := onOneConnection(t, pgtest.New(t))
	testkit.Exec(t, pool, `SET plan_cache_mode = auto`) // the default in production
	const sql = `SELECT count(*) FROM users WHERE age(birth_date) > @age::interval`
	for range 3 {
		count, err := pg.QueryGeneric(t.Context(), pool, sql, pgx.NamedArgs{"age": "20 years"}, func(rows pgx.Rows) (int, error) {
			return pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
		})
		require.NoError(t, err)
		require.Zero(t, count)
	}
	var generic, custom int
	require.NoError(t, pool.QueryRow(t.Context(), `
		SELECT generic_plans, custom_plans
		FROM pg_prepared_statements
		WHERE statement LIKE 'SELECT count(*) FROM users %'`).Scan(&generic, &custom))
	require.Equal(t, []int{3, 0}, []int{generic, custom})
	var mode string
	require.NoError(t, pool.QueryRow(t.Context(), `SHOW plan_cache_mode`).Scan(&mode))
	require.Equal(t, "auto", mode)
}

func TestQueryGeneric_ReturnsFaults(t *testing.T) {
	t.Parallel()
	pool := onOneConnection(t, pgtest.New(t))
	collect := func(rows pgx.Rows) (int, error) { return pgx.CollectExactlyOneRow(rows, pgx.RowTo[int]) }
	_, err := pg.QueryGeneric(t.Context(), pool, `SELECT 1 WHERE @missing`, pgx.NamedArgs{"missing": false}, collect)
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = pg.QueryGeneric(t.Context(), pool, `SELECT 1 / @by::int`, pgx.NamedArgs{"by": 0}, collect)
	require.ErrorContains(t, err, "division by zero")
	one, err := pg.QueryGeneric(t.Context(), pool, `SELECT 1 / @by::int`, pgx.NamedArgs{"by": 1}, collect)
	require.NoError(t, err, "the connection can be used after an error")
	require.Equal(t, 1, one)
}
