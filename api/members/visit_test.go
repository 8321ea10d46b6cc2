package members_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestVisit_IsShownUntilItsEnd(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	const path = "/api/users/me/visit"
	seen := func() *members.Visit {
		return decode[members.PublicMember](t, w.call(bob, "GET", "/api/users/"+ada.String(), "")).Visit
	}
	require.Nil(t, decode[members.Me](t, w.call(ada, "GET", "/api/users/me", "")).Visit)
	require.Nil(t, seen())

	resp := w.call(ada, "PUT", path, `{"city":"  LISBON","state":"portugal"}`)
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	me := decode[members.Me](t, resp)
	require.Equal(t, "Portland", me.City, "the own town stays")
	require.Equal(t, [2]string{"Lisbon", "Portugal"}, [2]string{me.Visit.City, me.Visit.State}, "in the usual spelling")
	require.Equal(t, me.Visit, seen())
	left := me.Visit.Until.Sub(me.LastActiveAt.Truncate(time.Hour))
	assert.Zero(t, left%time.Hour, "the end is on a full hour")
	isWeek := testkit.Select[bool](t, w.Pool, `SELECT visit_until > now() + interval '7 days' - interval '1 minute'
		AND visit_until <= now() + interval '7 days 1 hour' FROM users WHERE id = $1`, ada)
	require.True(t, isWeek)

	w.Exec(`UPDATE users SET visit_until = visit_until - interval '2 days' WHERE id = $1`, ada)
	again := decode[members.Me](t, w.call(ada, "PUT", path, `{"city":"Lisbon","state":"Portugal"}`))
	require.Equal(t, me.Visit.Until.AddDate(0, 0, -2), again.Visit.Until, "a repetition keeps the end")
	moved := decode[members.Me](t, w.call(ada, "PUT", path, `{"city":"Lyon","state":"France"}`))
	require.Equal(t, "Lyon", moved.Visit.City)
	require.False(t, moved.Visit.Until.Before(me.Visit.Until), "another town begins a new week")

	w.Exec(`UPDATE users SET visit_until = now() WHERE id = $1`, ada)
	require.Nil(t, decode[members.Me](t, w.call(ada, "GET", "/api/users/me", "")).Visit, "a visit ends by itself")
	require.Nil(t, seen())

	require.Equal(t, 200, w.call(ada, "PUT", path, `{"city":"Lyon","state":"France"}`).Code)
	for range 2 {
		resp = w.call(ada, "DELETE", path, "")
		require.Equal(t, 200, resp.Code, "%s", resp.Body)
		require.Nil(t, decode[members.Me](t, resp).Visit)
	}
	require.Nil(t, seen())
}

// A repetition and a rejected request publish nothing.
func TestWatchTown_IsCalledAfterEachChange(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	var changed []uuid.UUID
	w.WatchTown(func(id uuid.UUID) { changed = append(changed, id) })
	const path = "/api/users/me/visit"
	for i, step := range []struct {
		method, path, body string
		calls              int
	}{
		{"PUT", path, `{"city":"Lisbon","state":"Portugal"}`, 1},
		{"PUT", path, `{"city":"Lisbon","state":"Portugal"}`, 1},
		{"PUT", path, `{"city":"Atlantis","state":"Ocean"}`, 1},
		{"DELETE", path, "", 2},
		{"DELETE", path, "", 2},
		{"PATCH", "/api/users/me", `{"bio":"Hello"}`, 2},
		{"PATCH", "/api/users/me", `{"city":"Nome","state":"AK"}`, 3},
	} {
		w.call(ada, step.method, step.path, step.body)
		require.Len(t, changed, step.calls, "step %d", i)
	}
	require.Equal(t, []uuid.UUID{ada, ada, ada}, changed)
}

func TestStartVisit_RefusesTowns(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	for body, message := range map[string]string{
		`{"city":"Narniaville","state":"Oregon"}`: "We don't know this town. Please choose one from the list.",
		`{"city":"Springfield","state":"Narnia"}`: "We don't know this town. Please choose one from the list.",
		`{"city":"portland","state":"Oregon"}`:    "You live there. Please choose another town.",
		`{"city":"","state":"Oregon"}`:            "",
		`{"city":"Lisbon"}`:                       "",
	} {
		resp := w.call(ada, "PUT", "/api/users/me/visit", body)
		require.Equal(t, 422, resp.Code, "%s: %s", body, resp.Body)
		require.Contains(t, resp.Body.String(), message)
	}
	_, err := w.StartVisit(t.Context(), uuid.New(), "Lisbon", "Portugal")
	testkit.RequireKind(t, err, fault.NotFound)
}

func TestStartVisit_TakesLocalNames(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for name, town := range map[string][3]string{
		"Ada":  {`{"city": "Wien", "state": "Österreich"}`, "Vienna", "Austria"},
		"Bob":  {`{"city": "münchen", "state": "Bayern"}`, "Munich", "Germany"},
		"Cleo": {`{"city": "東京", "state": "Japan"}`, "Tokyo", "Japan"},
	} {
		visit := decode[members.Me](t, w.call(w.join(name), "PUT", "/api/users/me/visit", town[0])).Visit
		require.NotNil(t, visit, town[0])
		assert.Equal(t, [2]string{town[1], town[2]}, [2]string{visit.City, visit.State})
	}
}

// Five concurrent visits of twelve begin.
func TestStartVisit_IsLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id, ctx := w.join("Ada"), context.Background()
	towns := [12][2]string{{"Lisbon", "Portugal"}, {"Porto", "Portugal"}, {"Lyon", "France"}, {"Paris", "France"}, {"Salem", "OR"}, {"Boston", "MA"},
		{"Seattle", "WA"}, {"Austin", "TX"}, {"Denver", "CO"}, {"Miami", "FL"}, {"Chicago", "IL"}, {"Detroit", "MI"}}
	var begun, limited atomic.Int32
	var group sync.WaitGroup
	for _, town := range towns {
		group.Go(func() {
			switch _, err := w.StartVisit(ctx, id, town[0], town[1]); {
			case err == nil:
				begun.Add(1)
			case fault.Is(err, fault.RateLimited):
				limited.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, [2]int32{5, 7}, [2]int32{begun.Load(), limited.Load()})
	visit := decode[members.Me](t, w.call(id, "GET", "/api/users/me", "")).Visit
	require.Equal(t, 200, w.call(id, "PUT", "/api/users/me/visit", `{"city":"`+visit.City+`","state":"`+visit.State+`"}`).Code,
		"the same town does not count")
	require.Equal(t, 200, w.call(id, "DELETE", "/api/users/me/visit", "").Code)
	resp := w.call(id, "PUT", "/api/users/me/visit", `{"city":"Omaha","state":"NE"}`)
	require.Equal(t, 429, resp.Code, "ending a visit does not allow another one")
	require.NotEmpty(t, resp.Header().Get("Retry-After"))
	require.Contains(t, resp.Body.String(), "five towns within a week")
	require.Equal(t, 200, w.call(id, "PATCH", "/api/users/me", `{"city":"Salem"}`).Code, "changes of the own town are counted separately")
	w.Exec(`UPDATE town_changes SET changed_at = changed_at - interval '6 days'`)
	require.Equal(t, 429, w.call(id, "PUT", "/api/users/me/visit", `{"city":"Omaha","state":"NE"}`).Code)
	w.Exec(`UPDATE town_changes SET changed_at = changed_at - interval '1 day'`)
	require.Equal(t, 200, w.call(id, "PUT", "/api/users/me/visit", `{"city":"Omaha","state":"NE"}`).Code)
}

func TestChange_MoveToVisitedTownEndsVisit(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	require.Equal(t, 200, w.call(id, "PUT", "/api/users/me/visit", `{"city":"Salem","state":"Oregon"}`).Code)
	require.NotNil(t, decode[members.Me](t, w.call(id, "PATCH", "/api/users/me", `{"city":"Eugene"}`)).Visit)
	require.Nil(t, decode[members.Me](t, w.call(id, "PATCH", "/api/users/me", `{"city":"Salem","state":"OR"}`)).Visit)
}

func TestDeleteEndedVisits_DeletesOnlyThese(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ids := []uuid.UUID{w.join("Ada"), w.join("Bob"), w.join("Cid"), w.join("Dan")}
	for _, id := range ids[:3] {
		_, err := w.StartVisit(t.Context(), id, "Lisbon", "Portugal")
		require.NoError(t, err)
	}
	w.Exec(`UPDATE users SET visit_until = now() - interval '1 minute' WHERE id = ANY($1)`, ids[:2])
	for _, want := range []int{1, 1, 0} {
		deleted, err := members.DeleteEndedVisits(t.Context(), w.Pool, 1)
		require.NoError(t, err)
		require.Equal(t, want, deleted)
	}
	visitors := testkit.Select[[]uuid.UUID](t, w.Pool, `SELECT array_agg(id) FROM users WHERE visit_city IS NOT NULL`)
	require.Equal(t, ids[2:3], visitors)
}
