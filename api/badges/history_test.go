package badges_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/messaging/messages"
	"heartward/api/platform/web"
)

// Members do random things at the same time, while workers run the jobs in any order, some of them
// twice. Afterwards the events have awarded exactly what the history earns: a recomputation adds
// nothing, and rebuilds the same from nothing.
func TestRecompute_EqualsEvents(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		w := newEnv(t)
		w.Exec(`UPDATE badges SET needed = least(needed, 3) WHERE category <> 'profile'`)
		people := make([]uuid.UUID, 6)
		for i := range people {
			people[i] = w.join("Member" + string(rune('A'+i)))
		}
		w.takeChecks()
		var actors sync.WaitGroup
		for i := range people {
			actors.Go(func() { w.live(people, i, rand.New(rand.NewPCG(seed, uint64(i)))) })
		}
		done := make(chan struct{})
		go func() { actors.Wait(); close(done) }()
		var workers sync.WaitGroup
		for i := range 3 {
			workers.Go(func() { w.workUntil(done, rand.New(rand.NewPCG(seed, uint64(100+i)))) })
		}
		workers.Wait()
		w.work(w.takeChecks()...)

		awarded := w.all()
		require.NotEmpty(t, awarded, "seed %d", seed)
		require.Zero(t, w.recompute(), "seed %d", seed)
		w.Exec(`DELETE FROM user_badges`)
		require.Equal(t, len(awarded), w.recompute(), "seed %d", seed)
		require.Equal(t, awarded, w.all(), "seed %d", seed)
	}
}

// live does random things as one of the people. Refusals, such as of a message without a match, are
// part of it.
func (w *env) live(people []uuid.UUID, self int, random *rand.Rand) {
	me := people[self]
	for range 25 {
		other := people[(self+1+random.IntN(len(people)-1))%len(people)]
		switch random.IntN(6) {
		case 0, 1:
			_, _ = w.matching.Like(w.Context(), web.Actor{ID: me}, matching.LikeInput{To: other, Kind: matching.Like})
		case 2, 3, 4:
			_, _ = w.chat.Messages.Send(w.Context(), web.Actor{ID: me}, messages.Outgoing{RecipientID: other, ClientID: uuid.Must(uuid.NewV7()), Content: "Hello"})
		case 5: // a day passes in the member's conversations
			_, _ = w.Pool.Exec(w.Context(), `UPDATE conversations SET both_wrote_at = both_wrote_at - interval '25 hours'
				WHERE $1 IN (user_a, user_b) AND lasted_day_at IS NULL`, me)
		}
	}
}

// workUntil runs jobs until the members are done.
func (w *env) workUntil(done <-chan struct{}, random *rand.Rand) {
	for {
		select {
		case <-done:
			return
		default:
		}
		checks := w.takeChecks()
		random.Shuffle(len(checks), func(i, j int) { checks[i], checks[j] = checks[j], checks[i] })
		for _, c := range checks {
			w.work(c)
			if random.IntN(3) == 0 {
				w.work(c)
			}
		}
	}
}
