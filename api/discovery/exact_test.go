package discovery_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
)

// following is a Service with its index, followed until the test ends.
func following(t testing.TB, pool *pgxpool.Pool) *discovery.Service {
	t.Helper()
	s := discovery.New(pool)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { s.Follow(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	require.Eventually(t, s.Current, 20*time.Second, time.Millisecond)
	return s
}

// ranked pages through a whole ranking.
func ranked(t testing.TB, s *discovery.Service, viewer uuid.UUID, f discovery.Filter, size int) (ids []uuid.UUID) {
	t.Helper()
	for cursor := ""; ; {
		page, next, err := s.Rank(context.Background(), viewer, f, discovery.Page{Cursor: cursor, Limit: size})
		require.NoError(t, err)
		for _, row := range page {
			ids = append(ids, row.ID)
		}
		if cursor = next; next == "" {
			return ids
		}
	}
}

// exact compares both ways of searching with the plain definition.
func exact(t testing.TB, pool *pgxpool.Pool, warm *discovery.Service, r *rand.Rand, viewer uuid.UUID, f discovery.Filter) {
	t.Helper()
	all := everybody(t, pool, viewer)
	me, now := all[viewer], time.Now()
	var want []uuid.UUID
	var liked []plain
	for id, other := range all {
		if leaves(me, other, f, now) {
			want = append(want, id)
		}
		if other.Decided {
			liked = append(liked, other)
		}
	}
	size := 1 + r.IntN(60)
	ids := ranked(t, warm, viewer, f, size)
	require.ElementsMatch(t, want, ids, "%s", describe(f))
	inOrder(t, me, all, f, liked, ids)
	require.Equal(t, ids, ranked(t, discovery.New(pool), viewer, f, size), "without an index: %s", describe(f))
	for _, most := range []int{1000, len(ids), max(0, len(ids)-1)} {
		count, more, err := warm.Count(context.Background(), viewer, f, most)
		require.NoError(t, err)
		require.Equal(t, min(len(ids), most), count)
		require.Equal(t, len(ids) > most, more)
	}
}

// Random members, random filters: the index and PostgreSQL alone find exactly
// whom the definition finds, in its order, whatever the pages' size; and after
// each round of changes again.
func TestSearchIsExact(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			r := rand.New(rand.NewPCG(seed, uint64(time.Now().UnixNano())))
			var ids []uuid.UUID
			for range 220 {
				ids = append(ids, insert(t, pool, anyone(r)))
			}
			viewers := ids[:4]
			relate(t, pool, r, viewers[0], ids[4:])
			s := following(t, pool)
			for range 4 {
				for range 6 {
					exact(t, pool, s, r, viewers[r.IntN(len(viewers))], anyFilter(r))
				}
				change(t, pool, r, ids[4:])
				settled(t, pool, s)
			}
		})
	}
}

// change edits, removes and adds members as chance has it.
func change(t testing.TB, pool *pgxpool.Pool, r *rand.Rand, ids []uuid.UUID) {
	t.Helper()
	for range 25 {
		id := ids[r.IntN(len(ids))]
		switch r.IntN(6) {
		case 0:
			exec(t, pool, `DELETE FROM users WHERE id = $1`, id)
		case 1:
			insert(t, pool, anyone(r))
		case 2:
			exec(t, pool, `UPDATE users SET paused_at = CASE WHEN paused_at IS NULL THEN now() END WHERE id = $1`, id)
		case 3:
			exec(t, pool, `DELETE FROM member_media WHERE user_id = $1`, id)
		default:
			with := anyone(r)
			exec(t, pool, `UPDATE users SET intention_tags = $2, education = $3, religion = $4, birth_date = $5, last_active_at = $6,
				is_featured = $7, incognito = $8, personality_traits = $9, city = 'Salem', state = 'OR', town_lat = 44.943, town_lon = -123.035,
				bio = $10 WHERE id = $1`, id, with["intention_tags"], with["education"], with["religion"], with["birth_date"],
				with["last_active_at"], with["is_featured"], with["incognito"], with["personality_traits"], with["bio"])
		}
	}
}

// settled waits until a mark set after all changes has reached the index.
func settled(t testing.TB, pool *pgxpool.Pool, s *discovery.Service) {
	t.Helper()
	tag := uuid.NewString()[:8]
	mark := insert(t, pool, row{"intention_tags": []string{tag}, "city": "", "state": ""})
	seeker := insert(t, pool, row{})
	require.Eventually(t, func() bool {
		return slices.Contains(ranked(t, s, seeker, discovery.Filter{IntentionTags: []string{tag}}, 10), mark)
	}, 20*time.Second, 5*time.Millisecond)
}

// A new and an edited member are found within two seconds on every node, and
// one that left is found on none.
func TestEveryNodeHearsOfChanges(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	nodes := []*discovery.Service{following(t, pool), following(t, pool)}
	everywhere := func(want ...uuid.UUID) {
		t.Helper()
		began := time.Now()
		for _, node := range nodes {
			require.Eventually(t, func() bool {
				return slices.Equal(want, ranked(t, node, me, discovery.Discover(), 10))
			}, 10*time.Second, 5*time.Millisecond)
		}
		t.Logf("after %s", time.Since(began))
	}
	kim := insert(t, pool, row{})
	everywhere(kim)
	exec(t, pool, `UPDATE users SET birth_date = birth_date - interval '60 years' WHERE id = $1`, kim)
	everywhere()
	exec(t, pool, `UPDATE users SET birth_date = birth_date + interval '60 years' WHERE id = $1`, kim)
	everywhere(kim)
	exec(t, pool, `DELETE FROM users WHERE id = $1`, kim)
	everywhere()
}

// A transaction that commits late, after the index has looked past it, is not lost.
func TestALateCommitIsFollowed(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	s := following(t, pool)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	late := uuid.Must(uuid.NewV7())
	_, err = tx.Exec(t.Context(), `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, referral_code, intention_tags)
		SELECT $1, 'late@example.test', 'Late', 'Late', birth_date, city, state, 'latelate', intention_tags FROM users WHERE id = $2`, late, me)
	require.NoError(t, err)
	settled(t, pool, s)
	settled(t, pool, s)
	require.NoError(t, tx.Commit(t.Context()))
	require.Eventually(t, func() bool {
		return slices.Contains(ranked(t, s, me, discovery.Filter{}, 10), late)
	}, 20*time.Second, 5*time.Millisecond)
}

// Members join, leave and change while others page: nobody who was there all
// along is lost, and nobody comes twice.
func TestPagesHoldWhileMembersMove(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	me := insert(t, pool, row{})
	var steady, moving []uuid.UUID
	for range 120 {
		with := anyone(r)
		for _, column := range []string{"profile_status", "paused_at", "incognito", "is_graduated", "is_approved"} {
			delete(with, column)
		}
		steady = append(steady, insert(t, pool, with))
		moving = append(moving, insert(t, pool, anyone(r)))
	}
	s := following(t, pool)
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	wg.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			_, _ = pool.Exec(context.Background(), `UPDATE users SET intention_tags = $2, is_featured = NOT is_featured WHERE id = $1`,
				moving[i%len(moving)], manyTags[i%3:i%3+1+i%2])
		}
	})
	for range 10 {
		seen := map[uuid.UUID]int{}
		for _, id := range ranked(t, s, me, discovery.Filter{}, 7) {
			seen[id]++
		}
		for _, id := range steady {
			require.Equal(t, 1, seen[id], "somebody who stayed where they were")
		}
	}
	stop()
	wg.Wait()
}

// After a restore into another cluster the rows carry transactions that lie far
// ahead; they must not be read again at every look.
func TestARestoredDatabaseIsAdopted(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, kim := insert(t, pool, row{}), insert(t, pool, row{})
	exec(t, pool, `UPDATE users SET search_xid = '4000000000000'`)
	exec(t, pool, `INSERT INTO search_removals (user_id, search_xid) VALUES ($1, '4000000000000')`, kim)
	s := following(t, pool)
	require.Equal(t, []uuid.UUID{kim}, ranked(t, s, me, discovery.Filter{}, 10))
	require.Zero(t, count(t, pool, `SELECT count(*) FROM users WHERE search_xid > pg_current_xact_id()`))
	require.Zero(t, count(t, pool, `SELECT count(*) FROM search_removals`))
	exec(t, pool, `UPDATE users SET intention_tags = '{Friendship}' WHERE id = $1`, kim)
	settled(t, pool, s)
	require.NotContains(t, ranked(t, s, me, discovery.Filter{IntentionTags: []string{"Healing"}}, 10), kim, "an edit is still followed")
}
