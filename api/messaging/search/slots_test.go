package search

import (
	"context"
	"runtime"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestSearchSlots_OneSearchForEachMember(t *testing.T) {
	t.Parallel()
	slots, ann, ben := newSearchSlots(), uuid.New(), uuid.New()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel() // end the wait immediately
	release, err := slots.acquire(t.Context(), ann)
	require.NoError(t, err)
	_, err = slots.acquire(cancelled, ann)
	testkit.RequireKind(t, err, fault.RateLimited)
	require.Contains(t, fault.From(err).Message, "search")
	other, err := slots.acquire(t.Context(), ben)
	require.NoError(t, err, "another member does not wait")
	other()
	next := make(chan error)
	go func() {
		again, err := slots.acquire(t.Context(), ann)
		if err == nil {
			again()
		}
		next <- err
	}()
	release()
	require.NoError(t, <-next, "the next search runs after the first has ended")
	require.Empty(t, slots.running)
}

func TestSearchSlots_LimitSearchesOfTheNode(t *testing.T) {
	t.Parallel()
	slots := newSearchSlots()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var releases []func()
	for range max(2, runtime.GOMAXPROCS(0)) {
		release, err := slots.acquire(t.Context(), uuid.New())
		require.NoError(t, err)
		releases = append(releases, release)
	}
	member := uuid.New()
	_, err := slots.acquire(cancelled, member)
	testkit.RequireKind(t, err, fault.Unavailable)
	releases[0]()
	release, err := slots.acquire(t.Context(), member)
	require.NoError(t, err, "a refused search does not occupy a slot")
	release()
}

func TestSearch_WaitsForTheMembersOtherSearch(t *testing.T) {
	t.Parallel()
	s := &Service{searchSlots: newSearchSlots()}
	actor := web.Actor{ID: uuid.New()}
	release, err := s.searchSlots.acquire(t.Context(), actor.ID)
	require.NoError(t, err)
	defer release()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = s.Search(cancelled, actor, "needle", "", 10)
	testkit.RequireKind(t, err, fault.RateLimited, "the search is refused before its query")
}

func TestLimit_RefusalNamesTheSearch(t *testing.T) {
	t.Parallel()
	s, member := New(new(pgxpool.Pool)), uuid.New()
	var err error
	for err == nil {
		err = s.searches.Allow(member)
	}
	require.Contains(t, fault.From(err).Message, "searching")
}
