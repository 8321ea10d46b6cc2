package discovery_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func sent[T any](value T) members.Field[T] { return members.Field[T]{Sent: true, Value: &value} }

// An account changes its own answers in 1,000 random ways and reads lifestyle
// scores of others after each. It learns how one answer relates to theirs,
// instead of theirs, and nothing of members who do not let the religion count.
func TestSearch_RevealsOneAnswerToThousandQueries(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = store.Close() })
	profiles := members.New(pool, blobs.New(pool, store))
	s := discovery.New(pool)
	me := insert(t, pool, row{})
	counting, private := map[uuid.UUID]string{}, map[uuid.UUID]string{}
	for _, faith := range members.Religions {
		counting[insert(t, pool, row{"religion": faith})] = faith
		private[insert(t, pool, row{"religion": faith, "religion_counts": false})] = faith
	}
	everyone := slices.AppendSeq(slices.Collect(maps.Keys(counting)), maps.Keys(private))

	scores := map[uuid.UUID]map[int]bool{}
	faiths, genders, states := map[string]bool{}, map[string]bool{}, map[string]bool{}
	refused := 0
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		change := members.Changes{}
		faith, gender := members.Religions[random.IntN(9)], members.Genders[random.IntN(4)]
		switch random.IntN(5) {
		case 0:
			change.Religion = members.Field[string]{Sent: true}
		case 1:
			change.ReligionCounts = sent(random.IntN(2) == 0)
		case 2:
			change.Gender = sent(gender)
		default:
			change.Religion = sent(faith)
		}
		if _, err := profiles.Change(t.Context(), me, change); err != nil {
			testkit.RequireKind(t, err, fault.RateLimited)
			refused++
			continue
		}
		now, err := profiles.Me(t.Context(), me)
		require.NoError(t, err)
		if now.Religion != nil && now.ReligionCounts {
			faiths[*now.Religion] = true
		}
		if now.Gender != nil {
			genders[*now.Gender] = true
		}
		read := []uuid.UUID{everyone[random.IntN(len(everyone))]}
		if state := fmt.Sprint(now.Religion != nil && now.ReligionCounts, now.Gender != nil); !states[state] {
			states[state], read = true, everyone
		}
		for _, id := range read {
			found, err := s.Compatibility(t.Context(), me, id)
			require.NoError(t, err)
			if scores[id] == nil {
				scores[id] = map[int]bool{}
			}
			scores[id][found.LifestyleMatch] = true
		}
	}
	require.Positive(t, refused)
	require.Len(t, faiths, 1, "one answer counted")
	require.Len(t, genders, 2, "lists were made for two genders")
	kinds := map[string]int{}
	for id, faith := range counting {
		require.LessOrEqual(t, len(scores[id]), 2, "without and with the one answer: %s", faith)
		kinds[fmt.Sprint(scores[id])]++
	}
	require.LessOrEqual(t, len(kinds), 3, "the same, a related or another religion")
	for id, faith := range private {
		require.Len(t, scores[id], 1, "the score does not depend on %s", faith)
	}
}
