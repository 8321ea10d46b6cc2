package pg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

type namedPart struct{ FirstName *string }

type namedRow struct {
	namedPart
	Words   []string
	Total   int
	Ignored int `db:"-"`
}

func TestEachRow_FindsFieldsByNames(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ann := "Ann"
	read := func(sql string) (list []namedRow, err error) {
		rows, _ := pool.Query(t.Context(), sql)
		err = pg.EachRow(rows, func(row *namedRow) { list = append(list, *row) })
		return list, err
	}
	want := []namedRow{{namedPart{&ann}, []string{"a", "b"}, 1, 0}, {namedPart{nil}, nil, 2, 0}}
	for _, sql := range []string{
		`SELECT * FROM (VALUES ('Ann', ARRAY['a', 'b'], 1), (NULL, NULL, 2)) v (first_name, words, total)`,
		`SELECT * FROM (VALUES (1, 'Ann', ARRAY['a', 'b']), (2, NULL, NULL)) v (total, first_name, words)`, // other columns for the same type
	} {
		for range 2 { // the second time the fields are known
			list, err := read(sql)
			require.NoError(t, err, sql)
			require.Equal(t, want, list, sql)
		}
	}
	for sql, message := range map[string]string{
		`SELECT 1 AS total`: "pg: 1 columns for the 3 fields of pg_test.namedRow",
		`SELECT 1 AS total, 'Ann' AS first_name, 2 AS other`:          "pg: no field of pg_test.namedRow for the column other",
		`SELECT 1 AS total, 'Ann' AS first_name, ARRAY[1/0] AS words`: "division by zero",
	} {
		_, err := read(sql)
		require.ErrorContains(t, err, message)
	}
}
