package discovery_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
)

func TestSearch_RefusesCursorOfOtherFilters(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	for range 5 {
		insert(t, pool, row{})
	}
	api, s := signedIn(t, pool, me), loaded(t, pool)
	for _, path := range []string{"/api/discover", "/api/matches/for-you"} {
		require.NoError(t, s.ResetFilters(t.Context(), me))
		link := api.Get(path + "?limit=2").Header().Get("Link")
		next, ok := strings.CutSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
		require.True(t, ok, link)
		require.Equal(t, http.StatusOK, api.Get(next).Code)
		set := discovery.DefaultFilters()
		set.Compatibility.PrioritizeNewUsers = true
		_, err := s.SaveFilters(t.Context(), me, set)
		require.NoError(t, err)
		resp := api.Get(next)
		require.Equal(t, http.StatusUnprocessableEntity, resp.Code, resp.Body.String())
		assert.Contains(t, resp.Body.String(), "query.cursor")
	}
}
