package pg_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func position(t testing.TB, pool *pgxpool.Pool) pg.Position {
	t.Helper()
	at, err := pg.ReadSnapshot(t.Context(), pool, func(_ pgx.Tx, now pg.Position) (pg.Position, error) { return now, nil })
	require.NoError(t, err)
	return at
}

func TestReadSnapshot_IdentityIsStableWithoutRestore(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	first := position(t, pool)
	require.NotEqual(t, uuid.Nil, first.Database)
	testkit.Exec(t, pool, `VACUUM (FULL, FREEZE) database_identity`)
	testkit.Exec(t, pool, `SELECT pg_current_xact_id()`)
	second := position(t, pool)
	require.Equal(t, first.Database, second.Database)
	require.Greater(t, second.Next, first.Next)
	require.True(t, first.Precedes(second))
	require.False(t, second.Precedes(pg.Position{Database: first.Database, Next: second.Oldest - 1}))
}

// A dump that is restored into the same database is detected even in the same
// cluster, because its row was inserted by another transaction.
func TestReadSnapshot_RestoredDumpRenewsIdentity(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	before := position(t, pool)
	restoreIdentity(t, pool)
	after := position(t, pool)
	require.NotEqual(t, before.Database, after.Database)
	require.False(t, before.Precedes(after))
	require.Equal(t, after.Database, position(t, pool).Database, "renewed once")
}

// restoreIdentity does what pg_restore --clean does to the identity's row.
func restoreIdentity(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	testkit.Exec(t, pool, `CREATE TEMP TABLE dump AS SELECT * FROM database_identity;
		DELETE FROM database_identity;
		INSERT INTO database_identity SELECT * FROM dump;
		DROP TABLE dump`)
}

func TestReadSnapshot_RestoredCopyOfDatabaseRenewsIdentity(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	before := position(t, pool)
	restore := pgtest.BackUp(t, pool)
	require.Equal(t, before.Database, position(t, pool).Database, "a backup does not change the identity")
	restore()
	require.NotEqual(t, before.Database, position(t, pool).Database)
}

func TestReadSnapshot_ConcurrentDetectionRenewsIdentityOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	before := position(t, pool)
	restoreIdentity(t, pool)
	var nodes sync.WaitGroup
	found := make([]pg.Position, 8)
	for i := range found {
		nodes.Go(func() { found[i] = position(t, pool) })
	}
	nodes.Wait()
	for _, at := range found {
		require.NotEqual(t, before.Database, at.Database)
		require.Equal(t, found[0].Database, at.Database)
	}
}

// A restored copy of the data folder cannot be detected: the operator calls
// RenewIdentity.
func TestRenewIdentity_ChangesIdentity(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	before := position(t, pool)
	require.NoError(t, pg.RenewIdentity(t.Context(), pool))
	require.NotEqual(t, before.Database, position(t, pool).Database)
}

func TestWatchIdentity_ReportsRenewal(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx, stop := context.WithCancel(t.Context())
	renewals := make(chan struct{}, 1000)
	var watchers sync.WaitGroup
	watchers.Go(func() { pg.WatchIdentity(ctx, pool, time.Millisecond, func() { renewals <- struct{}{} }) })
	// The first renewals may happen before the watch has begun.
	require.Eventually(t, func() bool {
		require.NoError(t, pg.RenewIdentity(ctx, pool))
		return len(renewals) > 0
	}, testkit.Timeout, 10*time.Millisecond)
	stop()
	watchers.Wait()
}
