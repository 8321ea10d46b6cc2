package archive_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
		w := archive.NewWriter(&out, spool(t), db, member)
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

func spool(t *testing.T) *os.File {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "spool"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, file.Close()) })
	return file
}

// The documents can be read again, one row at a time, while the archive is being written.
func TestForEachRow_ReturnsWrittenRows(t *testing.T) {
	t.Parallel()
	w := archive.NewWriter(io.Discard, spool(t), pgtest.New(t), uuid.New())
	require.NoError(t, w.WriteRow(t.Context(), "row.json", `SELECT json_build_object('n', 0)`))
	require.NoError(t, w.WriteText("README.txt", "no document"))
	require.NoError(t, w.WriteRows(t.Context(), "none.json", `SELECT to_json(1) WHERE false`))
	require.NoError(t, w.WriteList(t.Context(), "numbers.json", archive.BeforeNumber, numbers, pgx.NamedArgs{"last": 1000}))
	rows := map[string][]int{}
	for _, d := range w.Documents() {
		rows[d.Name] = []int{}
		require.NoError(t, w.ForEachRow(d, func(row json.RawMessage) error {
			var got struct{ N int }
			require.NoError(t, json.Unmarshal(row, &got))
			rows[d.Name] = append(rows[d.Name], got.N)
			return nil
		}))
	}
	require.Equal(t, []int{0}, rows["row.json"])
	require.Empty(t, rows["none.json"])
	require.Len(t, rows["numbers.json"], 1000)
	require.IsIncreasing(t, rows["numbers.json"])
	require.Len(t, rows, 3)
	require.Equal(t, 4, w.Entries())
}

// The list of checksums has each entry before it once, with the SHA-256 of its content.
func TestWriteSums_ListsEntries(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := archive.NewWriter(&out, spool(t), pgtest.New(t), uuid.New())
	require.NoError(t, w.WriteText("README.txt", "read me"))
	require.NoError(t, w.WriteRows(t.Context(), "rows.json", `SELECT to_json(n) FROM generate_series(1, 2) n`))
	require.NoError(t, w.WriteFile("file", strings.NewReader("bytes")))
	require.NoError(t, w.WriteSums("SHA256SUMS"))
	require.NoError(t, w.Close())
	want := ""
	for _, name := range []string{"README.txt", "rows.json", "file"} {
		want += fmt.Sprintf("%x  %s\n", sha256.Sum256(content(t, out.Bytes(), name)), name)
	}
	require.Equal(t, want, string(content(t, out.Bytes(), "SHA256SUMS")))
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
	w := archive.NewWriter(&out, spool(t), pgtest.New(t), uuid.New())
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
	w := archive.NewWriter(io.Discard, spool(t), db, uuid.New())
	require.ErrorContains(t, w.WriteRows(t.Context(), "broken.json", `SELECT broken`), "broken.json")
	require.ErrorContains(t, w.WriteRow(t.Context(), "none.json", `SELECT to_json(1) WHERE false`), "none.json")
	full := archive.NewWriter(failingWriter{}, spool(t), db, uuid.New())
	require.ErrorIs(t, errors.Join(full.WriteFile("file", strings.NewReader(strings.Repeat("x", 1<<20))), full.Close()), errFull)
}

var errFull = errors.New("full")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }
