package archive_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/archive"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

// countingDB counts the queries and the limits they were given.
type countingDB struct {
	pg.DB
	queries atomic.Int32
	limit   any
}

func (d *countingDB) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	d.queries.Add(1)
	d.limit = args[0].(pgx.NamedArgs)["limit"]
	return d.DB.Query(ctx, sql, args...)
}

const numbers = `
SELECT s.n::text, json_build_object('n', s.n, 'member', @viewer::uuid)
FROM generate_series(@after::bigint + 1, @last::bigint) AS s (n)
ORDER BY s.n
LIMIT @limit`

// A list is read in pages, and all rows are written once.
func TestWriteList_ReadsPages(t *testing.T) {
	t.Parallel()
	db := &countingDB{DB: pgtest.New(t)}
	member := uuid.New()
	for _, rows := range []int{0, 1, 199, 200, 201, 1000} {
		db.queries.Store(0)
		var out bytes.Buffer
		w := archive.NewWriter(&out, db, member)
		require.NoError(t, w.WriteList(t.Context(), "numbers.json", archive.BeforeNumber, numbers, pgx.NamedArgs{"last": rows}))
		require.NoError(t, w.Close())
		require.EqualValues(t, rows/200+1, db.queries.Load(), "%d rows", rows)
		require.Equal(t, 200, db.limit)
		var got []struct {
			N      int
			Member uuid.UUID
		}
		require.NoError(t, json.Unmarshal(content(t, out.Bytes(), "numbers.json"), &got))
		require.Len(t, got, rows)
		for i, row := range got {
			require.Equal(t, i+1, row.N)
			require.Equal(t, member, row.Member)
		}
	}
}

func content(t *testing.T, data []byte, name string) []byte {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	file, err := reader.Open(name)
	require.NoError(t, err)
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	return text
}

func TestWriter_WritesRowsTextsAndFiles(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := archive.NewWriter(&out, pgtest.New(t), uuid.New())
	require.NoError(t, w.WriteText("README.txt", "read me"))
	require.NoError(t, w.WriteRow(t.Context(), "row.json", `SELECT json_build_object('ä', 'a "quoted" text')`))
	require.NoError(t, w.WriteRows(t.Context(), "none.json", `SELECT to_json(1) WHERE false`))
	require.NoError(t, w.WriteRows(t.Context(), "rows.json", `SELECT to_json(n) FROM generate_series(1, 2) n`))
	require.NoError(t, w.WriteFile("file", strings.NewReader("bytes")))
	require.NoError(t, w.Close())
	for name, want := range map[string]string{
		"README.txt": "read me", "row.json": "{\n  \"ä\": \"a \\\"quoted\\\" text\"\n}\n", "none.json": "[]\n", "rows.json": "[\n1,\n2\n]\n", "file": "bytes",
	} {
		require.Equal(t, want, string(content(t, out.Bytes(), name)), name)
	}
}

// An error of the database or of the destination is returned.
func TestWriter_ReturnsErrors(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	w := archive.NewWriter(io.Discard, db, uuid.New())
	require.ErrorContains(t, w.WriteRows(t.Context(), "broken.json", `SELECT broken`), "broken.json")
	require.ErrorContains(t, w.WriteRow(t.Context(), "none.json", `SELECT to_json(1) WHERE false`), "none.json")
	full := archive.NewWriter(failingWriter{}, db, uuid.New())
	require.ErrorIs(t, errors.Join(full.WriteFile("file", strings.NewReader(strings.Repeat("x", 1<<20))), full.Close()), errFull)
}

var errFull = errors.New("full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }
