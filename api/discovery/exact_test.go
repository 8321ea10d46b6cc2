package discovery_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// ranked pages through a whole ranking.
func ranked(t testing.TB, s *discovery.Service, viewer uuid.UUID, f discovery.FilterSet, size int) (ids []uuid.UUID) {
	t.Helper()
	for cursor := ""; ; {
		page, rest, err := s.Rank(context.Background(), viewer, f, discovery.Page{Cursor: cursor, Limit: size})
		require.NoError(t, err)
		for _, row := range page {
			ids = append(ids, row.ID)
		}
		if cursor = rest.Cursor; cursor == "" {
			return ids
		}
	}
}

// requireExact compares the results of an index that follows changes, and of a newly
// loaded one, with the reference implementation.
func requireExact(t testing.TB, pool *pgxpool.Pool, warm *discovery.Service, r *rand.Rand, viewer uuid.UUID, f discovery.FilterSet) {
	t.Helper()
	all := allMembers(t, pool, viewer)
	me, now := all[viewer], time.Now()
	var want []uuid.UUID
	var liked []plain
	for id, other := range all {
		if finds(me, other, f, now) {
			want = append(want, id)
		}
		if other.Liked {
			liked = append(liked, other)
		}
	}
	size := 1 + r.IntN(60)
	ids := ranked(t, warm, viewer, f, size)
	testkit.SameElements(t, want, ids, describe(f))
	requireOrder(t, me, all, f, liked, ids)
	require.Equal(t, ids, ranked(t, loaded(t, pool), viewer, f, size), "newly loaded: %s", describe(f))
	for position, cursor := 0, ""; position < len(ids); {
		page, rest, err := warm.Rank(context.Background(), viewer, f, discovery.Page{Cursor: cursor, Limit: size})
		require.NoError(t, err)
		position, cursor = position+len(page), rest.Cursor
		require.Equal(t, len(ids)-position, rest.Count, "the members after a page are counted: %s", describe(f))
	}
	for _, limit := range []int{1000, len(ids), max(0, len(ids)-1)} {
		count, more, err := warm.Count(context.Background(), viewer, f, limit)
		require.NoError(t, err)
		require.Equal(t, min(len(ids), limit), count)
		require.Equal(t, len(ids) > limit, more)
	}
}

// For random members and filters, the index finds the same members as the reference
// implementation in the same order, with pages of any size and after any changes.
func TestSearch_MatchesReference(t *testing.T) {
	t.Parallel()
	for stream := range uint64(3) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			r := testkit.Rand(t, stream)
			var ids []uuid.UUID
			for range 220 {
				ids = append(ids, insert(t, pool, randomMember(r)))
			}
			viewers := ids[:4]
			relate(t, pool, r, viewers[0], ids[4:])
			s := loaded(t, pool)
			for range 4 {
				for range 6 {
					f := randomFilters(r, 20)
					if chance(r, 10) {
						f.IntentionTags = []string{" long-TERM "}
					}
					requireExact(t, pool, s, r, viewers[r.IntN(len(viewers))], f)
				}
				change(t, pool, r, ids[4:])
				refresh(t, s)
			}
		})
	}
}

// Each filter alone finds the same members as its reference implementation. A filter with a
// condition excludes some member, the others exclude none.
func TestSearch_EachFilterAlone(t *testing.T) {
	t.Parallel()
	pool, r := pgtest.New(t), rand.New(rand.NewPCG(7, 11))
	var ids []uuid.UUID
	for range 100 {
		ids = append(ids, insert(t, pool, randomMember(r)))
	}
	me := insert(t, pool, row{})
	relate(t, pool, r, me, ids)
	s, all := loaded(t, pool), allMembers(t, pool, me)
	search := func(f discovery.FilterSet) (want []uuid.UUID) {
		now := time.Now()
		for id, other := range all {
			if finds(all[me], other, f, now) {
				want = append(want, id)
			}
		}
		testkit.SameElements(t, want, ranked(t, s, me, f, 50), describe(f))
		return want
	}
	unlimited := search(discovery.FilterSet{})
	for _, path := range discovery.FilterPaths() {
		excluded := false
		for range 6 {
			var f discovery.FilterSet
			caseOf(path).draw(r, &f)
			excluded = len(search(f)) < len(unlimited) || excluded
		}
		require.Equal(t, cases[path].matches != nil, excluded, "%s excludes members", path)
	}
}

// change edits, removes and adds random members.
func change(t testing.TB, pool *pgxpool.Pool, r *rand.Rand, ids []uuid.UUID) {
	t.Helper()
	for range 25 {
		id := ids[r.IntN(len(ids))]
		switch r.IntN(6) {
		case 0:
			testkit.Exec(t, pool, `DELETE FROM users WHERE id = $1`, id)
		case 1:
			insert(t, pool, randomMember(r))
		case 2:
			testkit.Exec(t, pool, `UPDATE users SET paused_at = CASE WHEN paused_at IS NULL THEN now() END, paused_until = NULL WHERE id = $1`, id)
		case 3:
			testkit.Exec(t, pool, `DELETE FROM member_media WHERE user_id = $1`, id)
		default:
			values := randomMember(r)
			for _, list := range members.WordLists {
				testkit.Exec(t, pool, `UPDATE users SET `+list.Column+` = $2 WHERE id = $1`, id, values[list.Column])
			}
			testkit.Exec(t, pool, `UPDATE users SET intention_tags = $2, education = $3, religion = $4, birth_date = $5,
				is_featured = $6, incognito = $7, city = 'Salem', state = 'OR', town_lat = 44.943, town_lon = -123.035,
				bio = $8 WHERE id = $1`, id, values["intention_tags"], values["education"], values["religion"], values["birth_date"],
				values["is_featured"], values["incognito"], values["bio"])
			testkit.Exec(t, pool, `UPDATE member_activity SET last_active_at = $2 WHERE user_id = $1`, id, values["last_active_at"])
		}
	}
}

// After its next refresh each node finds a new and an edited member, and no longer finds a
// removed one.
func TestRefresh_AppliesChangesOnEveryNode(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	nodes := []*discovery.Service{loaded(t, pool), loaded(t, pool)}
	onAllNodes := func(want ...uuid.UUID) {
		t.Helper()
		for _, node := range nodes {
			refresh(t, node)
			require.Equal(t, want, ranked(t, node, me, discovery.DefaultFilters(), 10))
		}
	}
	kim := insert(t, pool, row{})
	onAllNodes(kim)
	testkit.Exec(t, pool, `UPDATE users SET birth_date = birth_date - interval '60 years' WHERE id = $1`, kim)
	onAllNodes()
	testkit.Exec(t, pool, `UPDATE users SET birth_date = birth_date + interval '60 years' WHERE id = $1`, kim)
	onAllNodes(kim)
	testkit.Exec(t, pool, `DELETE FROM users WHERE id = $1`, kim)
	onAllNodes()
}

// A transaction that began before a refresh and commits after it is not lost.
func TestRefresh_ReadsTransactionsThatCommitLate(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	s := loaded(t, pool)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	late := uuid.Must(uuid.NewV7())
	_, err = tx.Exec(t.Context(), `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, referral_code, intention_tags)
		SELECT $1, 'late@example.test', 'Late', 'Late', birth_date, city, state, 'latelate', intention_tags FROM users WHERE id = $2`, late, me)
	require.NoError(t, err)
	insert(t, pool, row{})
	for range 2 {
		refresh(t, s)
	}
	require.NotContains(t, ranked(t, s, me, discovery.FilterSet{}, 10), late)
	require.NoError(t, tx.Commit(t.Context()))
	refresh(t, s)
	require.Contains(t, ranked(t, s, me, discovery.FilterSet{}, 10), late)
}

// Members join, leave and change between two pages. A member who does not change is found
// exactly once.
func TestPaging_FindsUnchangedMembersOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	r := testkit.Rand(t, 1)
	me := insert(t, pool, row{})
	var unchanged, changing []uuid.UUID
	for range 120 {
		values := randomMember(r)
		for _, column := range []string{"profile_status", "paused_at", "paused_until", "incognito", "is_graduated", "is_approved"} {
			delete(values, column)
		}
		unchanged = append(unchanged, insert(t, pool, values))
		changing = append(changing, insert(t, pool, randomMember(r)))
	}
	s := loaded(t, pool)
	var wg sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	wg.Go(func() { s.Follow(ctx) })
	wg.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			_, _ = pool.Exec(context.Background(), `UPDATE users SET intention_tags = $2, is_featured = NOT is_featured WHERE id = $1`,
				changing[i%len(changing)], manyTags[i%3:i%3+1+i%2])
		}
	})
	for range 10 {
		seen := map[uuid.UUID]int{}
		for _, id := range ranked(t, s, me, discovery.FilterSet{}, 7) {
			seen[id]++
		}
		for _, id := range unchanged {
			require.Equal(t, 1, seen[id], "an unchanged member is found once")
		}
	}
	stop()
	wg.Wait()
}
