package matching_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// concurrently runs the functions concurrently and waits for them.
func concurrently(fs ...func()) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	for _, f := range fs {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			f()
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

func TestLike_SimultaneousLikesMatchOnce(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	const pairs = 100
	var calls []func()
	var matches atomic.Int32
	var everyone []uuid.UUID
	for range pairs {
		a, b := member(t, pool, "A"), member(t, pool, "B")
		everyone = append(everyone, a, b)
		for _, side := range [][2]uuid.UUID{{a, b}, {b, a}} {
			calls = append(calls, func() {
				result, err := s.Like(t.Context(), actor(side[0]), matching.LikeInput{To: side[1], Kind: matching.Like})
				if assert.NoError(t, err) && result.IsMatch {
					matches.Add(1)
				}
			})
		}
	}
	concurrently(calls...)
	assert.EqualValues(t, pairs, matches.Load(), "the later like of each pair returns the match")
	assert.Equal(t, pairs, testkit.Count(t, pool, `SELECT count(*) FROM matches`))
	assert.Equal(t, pairs, testkit.Count(t, pool, `SELECT count(*) FROM conversations WHERE match_id IS NOT NULL`))
	assert.Equal(t, 2*pairs, testkit.Count(t, pool, `SELECT count(*) FROM user_likes`))
	for _, id := range everyone {
		assert.Len(t, events.Published(id, "match"), 1)
	}
}

func TestLike_ConcurrentRepetitionsCountOnce(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
	var created, matched atomic.Int32
	var calls []func()
	for range 10 {
		for _, side := range [][2]uuid.UUID{{ann, bob}, {bob, ann}} {
			calls = append(calls, func() {
				result, err := s.Like(t.Context(), actor(side[0]), matching.LikeInput{To: side[1], Kind: matching.SuperLike})
				if !assert.NoError(t, err) {
					return
				}
				if result.Created {
					created.Add(1)
				}
				if result.IsMatch {
					matched.Add(1)
				}
			})
		}
	}
	concurrently(calls...)
	assert.EqualValues(t, 2, created.Load())
	assert.GreaterOrEqual(t, matched.Load(), int32(10), "repeated likes return the match")
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM matches`))
	assert.Equal(t, 2, testkit.Count(t, pool, `SELECT count(*) FROM user_likes`))
	requireSameFrames(t, events.Published(ann, "match"))
	requireSameFrames(t, events.Published(bob, "match"))
}

// requireSameFrames checks that repeated calls have published what the first one published.
func requireSameFrames(t *testing.T, frames []map[string]any) {
	t.Helper()
	require.NotEmpty(t, frames)
	for _, frame := range frames {
		require.Equal(t, frames[0], frame)
	}
}

// likeConcurrently makes ann like all others concurrently, and returns how many likes were
// stored and how many were refused by the limit.
func likeConcurrently(t *testing.T, s *matching.Service, ann uuid.UUID, others []uuid.UUID, kind matching.Kind) (sent, refused int32) {
	t.Helper()
	var stored, limited atomic.Int32
	var calls []func()
	for _, other := range others {
		calls = append(calls, func() {
			_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: other, Kind: kind})
			switch {
			case err == nil:
				stored.Add(1)
			case fault.Is(err, fault.RateLimited):
				limited.Add(1)
			default:
				assert.NoError(t, err)
			}
		})
	}
	concurrently(calls...)
	return stored.Load(), limited.Load()
}

func manyMembers(t *testing.T, pool *pgxpool.Pool, n int) (ids []uuid.UUID) {
	t.Helper()
	for range n {
		ids = append(ids, member(t, pool, "Other"))
	}
	return ids
}

func TestLike_ConcurrentLikesRespectLimit(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	sent, refused := likeConcurrently(t, s, ann, manyMembers(t, pool, 25), matching.Like)
	assert.EqualValues(t, 10, sent)
	assert.EqualValues(t, 15, refused)
	assert.Equal(t, 10, testkit.Count(t, pool, `SELECT count(*) FROM user_likes`))
}

func TestLike_ConcurrentWithPassLeavesTheLike(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	for range 20 {
		ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
		concurrently(
			func() {
				_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like})
				assert.NoError(t, err)
			},
			func() { assert.NoError(t, s.Pass(t.Context(), actor(ann), bob, uuid.Nil)) },
		)
		assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM user_likes WHERE from_user_id = $1`, ann))
		assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM user_passes WHERE from_user_id = $1`, ann))
	}
}

func TestLike_ConcurrentWithUndonePassLeavesTheLike(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	for range 20 {
		ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
		pass := uuid.Must(uuid.NewV7())
		concurrently(
			func() {
				_, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like})
				assert.NoError(t, err)
			},
			func() { assert.NoError(t, s.Pass(t.Context(), actor(ann), bob, pass)) },
			func() { assert.NoError(t, s.UndoPass(t.Context(), actor(ann), bob, pass)) },
		)
		assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM user_likes WHERE from_user_id = $1`, ann))
		assert.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM user_passes WHERE from_user_id = $1`, ann))
	}
}

// Both members unmatch while a like is repeated. The match ends once and does not reopen.
func TestUnmatch_ConcurrentCallsEndOnce(t *testing.T) {
	t.Parallel()
	pool, s, events := setup(t)
	for range 10 {
		ann, bob := member(t, pool, "Ann"), member(t, pool, "Bob")
		match := pair(t, s, ann, bob)
		var calls []func()
		for _, side := range []uuid.UUID{ann, bob, ann, bob} {
			calls = append(calls, func() { assert.NoError(t, s.Unmatch(t.Context(), actor(side), *match.MatchID)) })
		}
		concurrently(append(calls, func() {
			// Repeated before the end of the match, or after it.
			if _, err := s.Like(t.Context(), actor(ann), matching.LikeInput{To: bob, Kind: matching.Like}); err != nil {
				assert.Equal(t, fault.NotFound, fault.From(err).Kind, err)
			}
		})...)
		assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM matches WHERE id = $1 AND unmatched_at IS NOT NULL`, match.MatchID))
		requireSameFrames(t, events.Published(ann, "unmatched"))
		requireSameFrames(t, events.Published(bob, "unmatched"))
	}
}

func TestLike_ConcurrentSuperLikesRespectLimit(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann := member(t, pool, "Ann")
	sent, refused := likeConcurrently(t, s, ann, manyMembers(t, pool, 10), matching.SuperLike)
	assert.EqualValues(t, 3, sent)
	assert.EqualValues(t, 7, refused)
	allowance, err := s.Allowance(t.Context(), actor(ann))
	assert.NoError(t, err)
	assert.Equal(t, []int{97, 0}, []int{allowance.LikesLeft, allowance.SuperLikesLeft})
}
