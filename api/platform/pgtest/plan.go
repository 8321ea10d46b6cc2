package pgtest

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// Explain runs a prepared statement under EXPLAIN ANALYZE, rolls back its changes, and returns the plan as text. settings
// is SQL that is run before it in the transaction: pg.GenericPlan, or nothing for the plan of PostgreSQL's choice.
func Explain(t testing.TB, pool *pgxpool.Pool, settings, statement string, args ...any) string {
	t.Helper()
	ctx := t.Context()
	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() {
		_ = tx.Conn().Deallocate(context.Background(), "planned")
		_ = tx.Rollback(context.Background())
	}()
	_, err = tx.Exec(ctx, settings)
	require.NoError(t, err)
	if len(args) == 1 {
		if named, ok := args[0].(pgx.NamedArgs); ok {
			statement, args, err = named.RewriteQuery(ctx, tx.Conn(), statement, nil)
			require.NoError(t, err)
		}
	}
	prepared, err := tx.Prepare(ctx, "planned", statement)
	require.NoError(t, err, statement)
	execute := `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) EXECUTE planned`
	if len(args) > 0 {
		// Literals, because EXPLAIN would plan with its parameters.
		literals := make([]string, len(args))
		for i, value := range args {
			text, err := tx.Conn().TypeMap().Encode(prepared.ParamOIDs[i], pgx.TextFormatCode, value, []byte{}) // an empty text is not nil
			require.NoError(t, err)
			literals[i] = "NULL"
			if text != nil {
				literals[i] = "'" + strings.ReplaceAll(string(text), "'", "''") + "'"
			}
		}
		execute += ` (` + strings.Join(literals, ", ") + `)`
	}
	rows, err := tx.Query(ctx, execute)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err, statement)
	return strings.Join(lines, "\n")
}

var (
	readRows  = regexp.MustCompile(`(?:rows=([\d.]+) loops=(\d+))|(?:Removed by [A-Za-z ]+: (\d+))`)
	readTable = regexp.MustCompile(`Seq Scan on (\w+)`)
)

// CheckPlan fails the test for a plan with a step that reads more than mostRows, or a whole table other than the small
// ones.
func CheckPlan(t testing.TB, name, plan string, mostRows float64, small ...string) {
	t.Helper()
	lines := strings.Split(plan, "\n")
	for i, line := range lines {
		around := strings.Join(lines[max(0, i-8):min(len(lines), i+12)], "\n")
		if table := readTable.FindStringSubmatch(line); table != nil && !slices.Contains(small, table[1]) {
			t.Errorf("%s reads a whole table:\n%s", name, around)
		}
		for _, found := range readRows.FindAllStringSubmatch(line, -1) {
			rows, _ := strconv.ParseFloat(found[1]+found[3], 64)
			loops, _ := strconv.ParseFloat("0"+found[2], 64)
			if read := rows * max(loops, 1); read > mostRows {
				t.Errorf("a step of %s reads %.0f rows:\n%s", name, read, around)
			}
		}
	}
}
