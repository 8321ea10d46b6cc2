package discovery_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
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
	"heartward/api/platform/testkit"
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
	discovery.Register(web.ForFeature(api, "discovery"), loaded(t, pool))

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
	discovery.Register(web.ForFeature(api, "discovery"), loaded(t, pool))
	assert.JSONEq(t, `[]`, api.Get("/api/discover").Body.String())
}

// The lists contain only what a card draws; everything else comes with the profile, whose
// views are limited. Add a field to this list deliberately.
func TestHTTP_CandidateHasExactlyTheseFields(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	other := insert(t, pool, row{"religion": "hindu", "height_cm": 170})
	for position := 1; position <= 3; position++ {
		file := uuid.New()
		testkit.Exec(t, pool, `INSERT INTO files (id, owner_id, content_type, bytes, width, height) VALUES ($1, $2, 'image/webp', 1, 1, 1)`, file, other)
		testkit.Exec(t, pool, `INSERT INTO member_media (file_id, user_id, slot, position) VALUES ($1, $2, 'photo', $3)`, file, other, position)
	}
	api := signedIn(t, pool, me)
	for name, body := range map[string][]byte{
		"deck": api.Get("/api/matches/for-you").Body.Bytes(),
		"grid": api.Get("/api/discover").Body.Bytes(),
		"preview": func() []byte {
			var preview struct{ Candidates json.RawMessage }
			resp := api.Post("/api/discovery/preview", map[string]any{"filters": discovery.DefaultFilters(), "candidates": 3})
			require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &preview), resp.Body.String())
			return preview.Candidates
		}(),
	} {
		var page []map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(body, &page), name)
		require.Len(t, page, 1, name)
		testkit.SameElements(t, []string{
			"id", "firstName", "fullName", "age", "city", "state", "visit", "bio", "loveReflection", "intentionTags", "occupation",
			"pronouns", "photos", "profileImageUrl", "isVerified", "isPremium", "activeToday", "isNew", "compatibility",
		}, slices.Collect(maps.Keys(page[0])), name)
		var photos []members.Photo
		require.NoError(t, json.Unmarshal(page[0]["photos"], &photos), name)
		assert.Len(t, photos, 2, name)
		assert.JSONEq(t, strconv.Quote(photos[0].ThumbURL), string(page[0]["profileImageUrl"]), name)
	}
}

func TestSearch_CardsShowActivityAndNewMembers(t *testing.T) {
	t.Parallel()
	for { // again if the hour or the day, by which the cards are computed, has changed meanwhile
		hour := time.Now().Truncate(time.Hour)
		want, shown, hidden := cardsAt(t, hour)
		if !time.Now().Truncate(time.Hour).Equal(hour) {
			continue
		}
		assert.Equal(t, want, shown)
		for id, c := range hidden {
			assert.False(t, c.active, "a viewer who hides the activity does not see that of others")
			assert.Equal(t, want[id].isNew, c.isNew)
		}
		return
	}
}

// card is what a card shows of the activity, the time of joining and the distance.
type card struct {
	active, isNew bool
	band          string
}

// cardsAt returns the cards that members have in an hour, those that a viewer reads, and those that the viewer reads who
// hides the own activity.
func cardsAt(t *testing.T, hour time.Time) (want, shown, hidden map[uuid.UUID]card) {
	t.Helper()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	old, day := time.Now().AddDate(-1, 0, 0), hour.Truncate(24*time.Hour)
	want = map[uuid.UUID]card{
		insert(t, pool, row{"created_at": old, "last_active_at": day.Add(-24 * time.Hour)}):                     {true, false, "within 5 miles"},
		insert(t, pool, row{"created_at": old, "last_active_at": day.Add(-24*time.Hour - time.Second)}):         {false, false, "within 5 miles"},
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
	shown = read()
	testkit.Exec(t, pool, `UPDATE users SET hide_online = true WHERE id = $1`, me)
	return want, shown, read()
}
