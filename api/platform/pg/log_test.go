package pg_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

// Not parallel, because it replaces the default logger.
func TestLogStatements_OmitsArguments(t *testing.T) {
	address := pgtest.New(t).Config().ConnString()
	pool, err := pg.Open(t.Context(), address, 1, pg.LogStatements)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	var log bytes.Buffer
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})))

	var n int
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT
		length($1::text)`, "hunter2").Scan(&n))
	require.Regexp(t, `level=DEBUG msg=statement took=\S+ rows=1 sql="SELECT length\(\$1::text\)"\n`, log.String())
	require.Error(t, pool.QueryRow(t.Context(), `SELECT $1::text::uuid`, "hunter2").Scan(&n))
	require.Contains(t, log.String(), "failed=22P02")
	_, err = pg.QueryGeneric(t.Context(), pool, `SELECT upper(@word::text)`, pgx.NamedArgs{"word": "hunter2"}, func(rows pgx.Rows) (string, error) {
		return pgx.CollectExactlyOneRow(rows, pgx.RowTo[string])
	})
	require.NoError(t, err)
	require.Contains(t, log.String(), `sql="SELECT upper($1::text)"`)
	require.NotContains(t, log.String(), "hunter2")
}
