package pg_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
)

func TestFault_Kinds(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]fault.Kind{
		"08006": fault.Unavailable, // connection failure
		"40P01": fault.Unavailable, // deadlock in each of the tries
		"40001": fault.Unavailable, // serialization failure
		"53100": fault.Unavailable, // disk full
		"53300": fault.Unavailable, // too many connections
		"57014": fault.Unavailable, // statement timeout
		"57P01": fault.Unavailable, // shut down by an admin
		"58030": fault.Unavailable, // cannot read or write a file
		"25P03": fault.Unavailable, // idle in a transaction
		"25006": fault.Unavailable, // a standby
		"23505": fault.Conflict,
		"23503": fault.NotFound,
		"23514": fault.Invalid,
		"22001": fault.Invalid,
		"42703": fault.Internal, // undefined column: a bug
	} {
		err := pg.Fault(fmt.Errorf("a call: %w", &pgconn.PgError{Code: code}))
		testkit.RequireKind(t, err, want, code)
		require.Equal(t, want == fault.Unavailable, fault.From(err).RetryAfter > 0, "%s: only Unavailable has RetryAfter", code)
	}
	require.Equal(t, fault.Internal, fault.From(pg.Fault(errors.New("some other error"))).Kind)
	require.NoError(t, pg.Fault(nil))
}
