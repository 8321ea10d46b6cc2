package discovery_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

func TestHTTP_PagesListsByLink(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	for range 5 {
		insert(t, pool, row{"religion": "hindu"})
	}
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: me})))
	})
	discovery.Register(api, loaded(t, pool))

	for _, start := range []string{"/api/matches/for-you?limit=2", "/api/discover?limit=2&excludeUserId=" + me.String()} {
		path, ids, pages := start, map[string]bool{}, 0
		for path != "" {
			resp := api.Get(path)
			require.Equal(t, http.StatusOK, resp.Code, resp.Body.String())
			assert.NotContains(t, resp.Body.String(), "hindu")
			var page []map[string]any
			require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &page))
			for _, candidate := range page {
				ids[candidate["id"].(string)] = true
				assert.Contains(t, candidate, "compatibility")
				assert.Contains(t, candidate, "photos")
			}
			assert.Equal(t, []string{"3", "1", "0"}[pages], resp.Header().Get("X-Remaining"))
			pages++
			link, more := strings.CutSuffix(resp.Header().Get("Link"), `>; rel="next"`)
			assert.Equal(t, link != "", more)
			path = strings.TrimPrefix(link, "<")
		}
		assert.Len(t, ids, 5, start)
		assert.Equal(t, 3, pages, start)
	}

	for path, status := range map[string]int{
		"/api/discover?excludeUserId=1":          http.StatusUnprocessableEntity,
		"/api/discover?limit=51":                 http.StatusUnprocessableEntity,
		"/api/matches/for-you?cursor=nonsense":   http.StatusUnprocessableEntity,
		"/api/compatibility/1":                   http.StatusUnprocessableEntity,
		"/api/compatibility/" + uuid.NewString(): http.StatusNotFound,
		"/api/compatibility/" + me.String():      http.StatusUnprocessableEntity,
	} {
		assert.Equal(t, status, api.Get(path).Code, path)
	}
}

func TestHTTP_EmptyListIsArray(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: me})))
	})
	discovery.Register(api, loaded(t, pool))
	assert.JSONEq(t, `[]`, api.Get("/api/discover").Body.String())
}

func TestHTTP_CandidateHasExactlyTheseFields(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	insert(t, pool, row{"religion": "hindu", "height_cm": 170})
	resp := signedIn(t, pool, me).Get("/api/discover")
	var page []map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &page))
	require.Len(t, page, 1)
	public, err := json.Marshal(members.PublicMember{}) // its fields are listed in its package
	require.NoError(t, err)
	var want map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(public, &want))
	fields := slices.Collect(maps.Keys(want))
	assert.ElementsMatch(t, append(fields, "activeToday", "isNew", "compatibility"), slices.Collect(maps.Keys(page[0])))
}

func TestSearch_CardsShowActivityAndNewMembers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	hour := time.Now().Truncate(time.Hour)
	old := time.Now().AddDate(-1, 0, 0)
	type card struct {
		active, isNew bool
		band          string
	}
	want := map[uuid.UUID]card{
		insert(t, pool, row{"created_at": old, "last_active_at": hour.Add(-24 * time.Hour)}):                    {true, false, "within 5 miles"},
		insert(t, pool, row{"created_at": old, "last_active_at": hour.Add(-25 * time.Hour)}):                    {false, false, "within 5 miles"},
		insert(t, pool, row{"created_at": old, "last_active_at": time.Now(), "hide_online": true}):              {false, false, "within 5 miles"},
		insert(t, pool, row{"created_at": time.Now().AddDate(0, 0, -6), "last_active_at": time.Now()}):          {true, true, "within 5 miles"},
		insert(t, pool, row{"created_at": hour.Add(-7 * 24 * time.Hour), "last_active_at": old}):                {false, true, "within 5 miles"},
		insert(t, pool, row{"created_at": hour.Add(-7*24*time.Hour - time.Microsecond), "last_active_at": old}): {false, false, "within 5 miles"},
		insert(t, pool, row{"created_at": time.Now().AddDate(0, 0, -8), "city": "Salem"}):                       {false, false, "within 50 miles"},
		insert(t, pool, row{"created_at": old, "last_active_at": time.Now(), "city": "", "state": ""}):          {true, false, ""},
	}
	set := anywhere()
	set.LastActiveWithin = "any"
	read := func() map[uuid.UUID]card {
		t.Helper()
		page, _, err := loaded(t, pool).Search(t.Context(), me, set, discovery.Page{Limit: 50})
		require.NoError(t, err)
		cards := map[uuid.UUID]card{}
		for _, c := range page {
			band := ""
			if c.Compatibility.DistanceBand != nil {
				band = *c.Compatibility.DistanceBand
			}
			cards[c.ID] = card{c.ActiveToday, c.IsNew, band}
		}
		return cards
	}
	assert.Equal(t, want, read())
	exec(t, pool, `UPDATE users SET hide_online = true WHERE id = $1`, me)
	for id, c := range read() {
		assert.False(t, c.active, "a viewer who hides the activity does not see that of others")
		assert.Equal(t, want[id].isNew, c.isNew)
	}
}
