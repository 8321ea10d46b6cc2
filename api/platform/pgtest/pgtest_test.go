package pgtest_test

import (
	"context"
	"testing"

	"heartward/api/platform/pgtest"
)

func TestNew_ReturnsEmptyMigratedDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, table := range []string{"users", "messages", "river_job"} {
		var n int
		if err := pool.QueryRow(context.Background(), "SELECT count(*) FROM "+table).Scan(&n); err != nil || n != 0 {
			t.Errorf("table %s: %d rows, %v", table, n, err)
		}
	}
}
