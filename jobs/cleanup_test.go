package jobs_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/jobs"
)

// deletes counts the DELETE statements of a pool, and the most rows that one deleted.
type deletes struct{ statements, most atomic.Int64 }

type isDelete struct{}

func (d *deletes) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, isDelete{}, strings.HasPrefix(data.SQL, "DELETE FROM rate_limits"))
}

func (d *deletes) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	if ok, _ := ctx.Value(isDelete{}).(bool); ok {
		d.statements.Add(1)
		d.most.Store(max(d.most.Load(), data.CommandTag.RowsAffected()))
	}
}

// 100,000 expired rows are deleted by statements of at most 1,000 rows, each a transaction of its own.
func TestCleanUp_DeletesInBoundedBatches(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	testkit.Exec(t, pool, `INSERT INTO rate_limits (key, tat) SELECT 'old:' || n, now() - interval '1 hour' FROM generate_series(1, 100000) n`)
	testkit.Exec(t, pool, `INSERT INTO rate_limits (key, tat) VALUES ('kept', now())`)
	due, err := jobs.CountDue(t.Context(), pool, api.Data())
	require.NoError(t, err)
	require.Equal(t, 100_000, countOf(due, "rate_limits"))
	require.Equal(t, 100_001, testkit.Count(t, pool, `SELECT count(*) FROM rate_limits`), "counting deletes nothing")

	traced := &deletes{}
	cleaned, err := jobs.CleanUp(t.Context(), pgtest.Traced(t, pool, traced), api.Data())
	require.NoError(t, err)
	require.Equal(t, 100_000, countOf(cleaned, "rate_limits"))
	require.EqualValues(t, 1000, traced.most.Load())
	require.EqualValues(t, 101, traced.statements.Load())
	require.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM rate_limits`))
}

func countOf(cleaned []jobs.Cleaned, name string) int {
	for _, c := range cleaned {
		if c.Entry.Name() == name {
			return c.Count
		}
	}
	return -1
}
