package pg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func TestCheckWritable_FailsOnAReadOnlyDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, pg.CheckWritable(t.Context(), pool))
	readOnly := openAt(t, withParameter(t, pool, "default_transaction_read_only", "on"))
	testkit.RequireKind(t, pg.CheckWritable(t.Context(), readOnly), fault.Unavailable)
}
