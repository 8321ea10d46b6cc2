package limits_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/pgtest"
)

func newIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = uuid.New()
	}
	return ids
}

func TestDaily_AllowsEachItemOnceUpToLimit(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	rule, member, ids := limits.Daily{Name: "items", Count: 5}, uuid.New(), newIDs(9)
	allow := func(rule limits.Daily, member uuid.UUID, items ...uuid.UUID) (allowed []uuid.UUID) {
		set, err := rule.Allow(t.Context(), pool, member, items)
		require.NoError(t, err)
		for _, id := range items {
			if _, isAllowed := set[id]; isAllowed {
				allowed = append(allowed, id)
			}
		}
		return allowed
	}
	require.Equal(t, ids[:3], allow(rule, member, ids[:3]...))
	require.Equal(t, ids[:3], allow(rule, member, ids[:3]...), "repeated items are free")
	require.Equal(t, ids[1:5], allow(rule, member, ids[1:8]...), "the first new ones up to the limit, and the known ones")
	require.Equal(t, ids[:5], allow(rule, member, ids[:9]...))
	require.Empty(t, allow(rule, member, ids[8]))
	require.Equal(t, ids[8:], allow(rule, uuid.New(), ids[8]), "another member")
	require.Equal(t, ids[8:], allow(limits.Daily{Name: "others", Count: 1}, member, ids[8]), "another rule")

	_, err := pool.Exec(t.Context(), `UPDATE daily_counts SET day = day - 1`)
	require.NoError(t, err)
	_, err = pool.Exec(t.Context(), `UPDATE daily_items SET day = day - 1`)
	require.NoError(t, err)
	require.Equal(t, ids[4:9], allow(rule, member, ids[4:9]...), "another day")
}

func TestDaily_RefusesOneItemBeyondLimit(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	rule, member, ids := limits.Daily{Name: "items", Count: 1}, uuid.New(), newIDs(2)
	require.NoError(t, rule.AllowOne(t.Context(), pool, "", member, ids[0], "Tomorrow."))
	require.NoError(t, rule.AllowOne(t.Context(), pool, "", member, ids[0], "Tomorrow."), "an allowed item is free")
	refusal := fault.From(rule.AllowOne(t.Context(), pool, "", member, ids[1], "Tomorrow."))
	require.Equal(t, fault.RateLimited, refusal.Kind)
	require.Equal(t, "Tomorrow.", refusal.Message)
	require.Positive(t, refusal.RetryAfter)
	require.LessOrEqual(t, refusal.RetryAfter, 24*time.Hour)
}

func TestDaily_IsExactForConcurrentCalls(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	rule, member, ids := limits.Daily{Name: "items", Count: 100}, uuid.New(), newIDs(160)
	var mu sync.Mutex
	allowed := map[uuid.UUID]struct{}{}
	var calls sync.WaitGroup
	for part := range slices.Chunk(ids, 10) {
		for range 2 { // such as the deck and the grid, which begin with the same people
			calls.Go(func() {
				set, err := rule.Allow(t.Context(), pool, member, part)
				assert.NoError(t, err)
				mu.Lock()
				defer mu.Unlock()
				for id := range set {
					allowed[id] = struct{}{}
				}
			})
		}
	}
	calls.Wait()
	require.Len(t, allowed, 100)
}

func TestDaily_MembersOfNetworkHaveOwnShareAndCommonPool(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	rule := limits.Daily{Name: "items", Count: 10, Share: 4, Pool: 9}
	allow := func(network string, member uuid.UUID, items ...uuid.UUID) int {
		set, err := rule.AllowFrom(t.Context(), pool, network, member, items)
		require.NoError(t, err)
		return len(set)
	}
	first, second, third, items := uuid.New(), uuid.New(), uuid.New(), newIDs(12)
	require.Equal(t, 10, allow("a", first, items...), "the limit of a member")
	require.Equal(t, 7, allow("a", second, items[:8]...), "the share, and what the first left in the pool")
	require.Equal(t, 7, allow("a", second, items...), "those from before are free")
	require.Equal(t, 4, allow("a", third, items...), "the pool is empty, and the share is not")
	require.Equal(t, 10, allow("b", third, items...), "another network")
	require.Equal(t, 10, allow("", uuid.New(), items...), "no network")
	other := limits.Daily{Name: "others", Count: 10, Share: 4, Pool: 9}
	set, err := other.AllowFrom(t.Context(), pool, "a", third, items)
	require.NoError(t, err)
	require.Len(t, set, 10, "another rule")
}

// RATE_LIMIT_SCALE can be a million.
func TestDaily_ScaledPoolFitsTheDatabase(t *testing.T) {
	t.Parallel()
	rule, items := limits.Daily{Name: "items", Count: 10, Share: 4, Pool: 6000}.Scaled(1e6), newIDs(10)
	set, err := rule.AllowFrom(t.Context(), pgtest.New(t), "a", uuid.New(), items)
	require.NoError(t, err)
	require.Len(t, set, 10)
	require.Equal(t, 1, rule.Scaled(1e-12).Pool)
}

func TestDaily_PoolIsExactForConcurrentMembers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	rule := limits.Daily{Name: "items", Count: 40, Share: 5, Pool: 50}
	var allowed atomic.Int64
	var calls sync.WaitGroup
	for range 8 {
		member := uuid.New()
		for range 4 {
			calls.Go(func() {
				set, err := rule.AllowFrom(t.Context(), pool, "a", member, newIDs(10))
				assert.NoError(t, err)
				allowed.Add(int64(len(set)))
			})
		}
	}
	calls.Wait()
	require.EqualValues(t, 8*5+50, allowed.Load())
}

func TestNextDay_IsMidnightUTC(t *testing.T) {
	t.Parallel()
	west := time.FixedZone("", -7*3600)
	require.Equal(t, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), limits.NextDay(time.Date(2026, 12, 31, 12, 0, 0, 0, west)))
	require.Equal(t, time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC), limits.NextDay(time.Date(2026, 12, 31, 20, 0, 0, 0, west)))
}

// A connection that planned the statements while the tables were empty, as they are after
// midnight, does not read whole tables, nor all items of the member.
func TestDaily_ReadsOnlyItemsOfCall(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	for _, table := range []string{"daily_items", "daily_counts"} {
		_, err := pool.Exec(t.Context(), "VACUUM ANALYZE "+table)
		require.NoError(t, err)
	}
	rule, member := limits.Daily{Name: "items", Count: 1000}, uuid.New()
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { assert.NoError(t, tx.Rollback(t.Context())) }()
	read := func() (whole, rows int) {
		err := tx.QueryRow(t.Context(), `SELECT sum(seq_scan), sum(idx_tup_fetch) FROM pg_stat_xact_user_tables WHERE relname LIKE 'daily_%'`).Scan(&whole, &rows)
		require.NoError(t, err)
		return whole, rows
	}
	for range 20 {
		_, err := rule.Allow(t.Context(), tx, member, newIDs(30))
		require.NoError(t, err)
	}
	_, before := read()
	_, err = rule.Allow(t.Context(), tx, member, newIDs(30))
	require.NoError(t, err)
	whole, after := read()
	require.Zero(t, whole)
	require.LessOrEqual(t, after-before, 10, "the row of daily_counts, and none of the 600 other items")
}
