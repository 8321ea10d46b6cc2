package discovery_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/limits"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// An account that reads all pages of both lists and previews as fast as it may gets 600
// different people a day, and is told when it gets others.
func TestLists_ShowAtMost600DifferentMembersADay(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	insertMembers(t, pool, 640)
	everyone := anywhere()
	everyone.LastActiveWithin = "any"
	body, err := json.Marshal(everyone)
	require.NoError(t, err)
	api := signedIn(t, pool, me)
	require.Equal(t, http.StatusOK, api.Put("/api/discovery/filters", strings.NewReader(string(body))).Code)

	shown := map[string]bool{}
	read := func(start string) (pages int, newPeopleAt string) {
		for path := start; path != ""; pages++ {
			response := api.Get(path)
			require.Equal(t, http.StatusOK, response.Code, response.Body.String())
			var page []struct{ ID string }
			require.NoError(t, json.Unmarshal(response.Body.Bytes(), &page))
			for _, m := range page {
				shown[m.ID] = true
			}
			newPeopleAt = response.Header().Get("X-New-People-At")
			path = strings.TrimPrefix(strings.TrimSuffix(response.Header().Get("Link"), `>; rel="next"`), "<")
		}
		return pages, newPeopleAt
	}
	before := limits.NextDay(time.Now())
	pages, at := read("/api/discover?limit=50")
	require.Len(t, shown, 600)
	require.Equal(t, 13, pages, "the first page without people is the last")
	newPeopleAt, err := time.Parse(time.RFC3339, at)
	require.NoError(t, err)
	require.True(t, newPeopleAt.Equal(before) || newPeopleAt.Equal(limits.NextDay(time.Now())))

	_, at = read("/api/matches/for-you?limit=50")
	require.NotEmpty(t, at)
	require.Len(t, shown, 600, "the other list shows the same people")

	everyone.AgeRange = [2]int{18, 25}
	body, err = json.Marshal(map[string]any{"filters": everyone, "candidates": 12})
	require.NoError(t, err)
	response := api.Post("/api/discovery/preview", strings.NewReader(string(body)))
	require.Equal(t, http.StatusOK, response.Code, response.Body.String())
	var preview discovery.FilterPreview
	require.NoError(t, json.Unmarshal(response.Body.Bytes(), &preview))
	for _, m := range preview.Candidates {
		shown[m.ID.String()] = true
	}
	require.Len(t, shown, 600, "and so does a preview")

	testkit.Exec(t, pool, `INSERT INTO user_passes (from_user_id, to_user_id) SELECT member_id, item_id FROM daily_items LIMIT 100`)
	testkit.Exec(t, pool, `UPDATE daily_counts SET day = day - 1`)
	testkit.Exec(t, pool, `UPDATE daily_items SET day = day - 1`)
	_, at = read("/api/discover?limit=50")
	require.Empty(t, at)
	require.Len(t, shown, 640, "the other people are shown the next day")
}

func TestLists_ConcurrentCallsShowAtMost600(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	insertMembers(t, pool, 24)
	testkit.Exec(t, pool, `INSERT INTO daily_counts (day, member_id, rule, items) VALUES ((now() AT TIME ZONE 'UTC')::date, $1, 'people', 590)`, me)
	s := loaded(t, pool)
	var mu sync.Mutex
	shown := map[uuid.UUID]bool{}
	var calls sync.WaitGroup
	for age := 18; age < 42; age += 2 { // different people in each call
		set := anywhere()
		set.AgeRange = [2]int{age, 60}
		calls.Go(func() {
			page, _, err := s.Search(t.Context(), me, set, discovery.Page{Limit: 12})
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range page {
				shown[m.ID] = true
			}
		})
	}
	calls.Wait()
	require.Len(t, shown, 10)
}

func TestLists_SixtyCallsAMinute(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, other := insert(t, pool, row{}), insert(t, pool, row{})
	s := loaded(t, pool)
	s.ScaleLimits(0.1)
	api := serveAs(t, s, me)
	for n := range 6 {
		path := []string{"/api/discover", "/api/matches/for-you"}[n%2]
		require.Equal(t, http.StatusOK, api.Get(path).Code, fmt.Sprint(n))
	}
	response := api.Get("/api/discover")
	require.Equal(t, http.StatusTooManyRequests, response.Code)
	require.NotEmpty(t, response.Header().Get("Retry-After"))
	require.Equal(t, http.StatusOK, serveAs(t, s, other).Get("/api/discover").Code)
}

// A scraper with ten accounts in one network gets the share of each and one pool, instead of ten
// times 600. The share of a member who lives there stays.
func TestScraper_TenAccountsOfANetwork(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	viewers := make([]uuid.UUID, 12)
	for n := range viewers {
		viewers[n] = insert(t, pool, row{})
	}
	insertMembers(t, pool, 640)
	s := loaded(t, pool)
	everyone := anywhere()
	everyone.LastActiveWithin = "any"
	readAll := func(client string, viewer uuid.UUID) (shown int) {
		page := discovery.Page{Limit: 50}
		for {
			found, rest, err := s.Search(web.WithClient(t.Context(), client), viewer, everyone, page)
			require.NoError(t, err)
			shown += len(found)
			if page.Cursor = rest.Cursor; rest.Cursor == "" {
				return shown
			}
		}
	}
	scraped := 0
	for n, viewer := range viewers[:10] {
		scraped += readAll(fmt.Sprintf("2001:db8:0:%x::/64", n), viewer) // one /56
	}
	require.Equal(t, 10*200+1200, scraped)
	require.Equal(t, 200, readAll("2001:db8:0:ff::/64", viewers[10]), "a neighbour")
	require.Equal(t, 600, readAll("2001:db8:0:100::/64", viewers[11]), "another network")
}
