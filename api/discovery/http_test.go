package discovery_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
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
		path, seen, pages := start, map[string]bool{}, 0
		for path != "" {
			resp := api.Get(path)
			require.Equal(t, http.StatusOK, resp.Code, resp.Body.String())
			assert.NotContains(t, resp.Body.String(), "hindu")
			var page []map[string]any
			require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &page))
			for _, candidate := range page {
				seen[candidate["id"].(string)] = true
				assert.Contains(t, candidate, "compatibility")
				assert.Contains(t, candidate, "photos")
			}
			pages++
			link, more := strings.CutSuffix(resp.Header().Get("Link"), `>; rel="next"`)
			assert.Equal(t, link != "", more)
			path = strings.TrimPrefix(link, "<")
		}
		assert.Len(t, seen, 5, start)
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
