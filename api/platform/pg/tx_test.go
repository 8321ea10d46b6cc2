package pg_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func TestTx_ReturnsValueOfCommittedRun(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	var runs atomic.Int32
	values, err := pg.Tx(context.Background(), pool, func(pgx.Tx) ([]int32, error) {
		run := runs.Add(1)
		if run == 1 {
			return []int32{1, 2, 3}, &pgconn.PgError{Code: "40001"}
		}
		return []int32{run}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []int32{2}, values)
}

func TestTx_ReturnsZeroValueWithError(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, code := range []string{"40P01", "23505"} {
		value, err := pg.Tx(context.Background(), pool, func(pgx.Tx) (string, error) {
			return "not committed", &pgconn.PgError{Code: code}
		})
		require.Error(t, err)
		require.Empty(t, value)
	}
	_, err := pg.Tx(context.Background(), pool, func(pgx.Tx) (int, error) { return 1, &pgconn.PgError{Code: "40P01"} })
	testkit.RequireKind(t, err, fault.Unavailable, "after three tries")
}
