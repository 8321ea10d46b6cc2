package discovery_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// TestSaveFilters_MissingFieldHasDefault omits each field in turn, like an app that is
// older than the field.
func TestSaveFilters_MissingFieldHasDefault(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: me})))
	})
	discovery.Register(web.ForFeature(api, "discovery"), loaded(t, pool))

	defaults := defaultFields(t)
	for path := range pathsOf(defaults) {
		// Some fields differ from their defaults.
		request := defaultFields(t)
		request["ageRange"] = []any{30.0, 40.0}
		request["verifiedOnly"] = true
		request["location"].(map[string]any)["sameState"] = true
		request["lifestyle"].(map[string]any)["hasChildren"] = true
		request["compatibility"].(map[string]any)["featuredOnly"] = true
		want := clone(t, request)
		drop(request, path)
		set(want, path, at(defaults, path))

		resp := api.Put("/api/discovery/filters", request)
		require.Equal(t, http.StatusOK, resp.Code, "%s: %s", path, resp.Body)
		var saved struct{ Filters map[string]any }
		require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &saved))
		assert.Equal(t, want, saved.Filters, path)

		preview := api.Post("/api/discovery/preview", map[string]any{"filters": request})
		assert.Equal(t, http.StatusOK, preview.Code, "%s: %s", path, preview.Body)
	}

	anyTime := defaultFields(t)
	anyTime["lastActiveWithin"] = "any"
	drop(anyTime, "compatibility.recentlyActive")
	resp := api.Put("/api/discovery/filters", anyTime)
	assert.Contains(t, resp.Body.String(), `"lastActiveWithin":"any"`)

	assert.Equal(t, http.StatusUnprocessableEntity, api.Put("/api/discovery/filters", map[string]any{
		"location": map[string]any{"maxDistance": 501},
	}).Code, "the present fields are validated")
}

// TestSaveFilters_NullIsRefused checks that null is not treated like a missing field.
func TestSaveFilters_NullIsRefused(t *testing.T) {
	t.Parallel()
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{})))
	})
	discovery.Register(web.ForFeature(api, "discovery"), discovery.New(pgtest.New(t)))
	nullable := map[string]bool{
		"location.maxDistance": true, "lifestyle.hasChildren": true, "lifestyle.wantsChildren": true,
		"lifestyle.education": true, "lifestyle.religion": true, "height.minCm": true, "height.maxCm": true,
	}
	for path := range pathsOf(defaultFields(t)) {
		if nullable[path] {
			continue
		}
		request := defaultFields(t)
		set(request, path, nil)
		resp := api.Put("/api/discovery/filters", request)
		assert.Equal(t, http.StatusUnprocessableEntity, resp.Code, path)
		assert.Contains(t, resp.Body.String(), "body."+path)
	}
}

// defaultFields returns the default filters of a member without interests.
func defaultFields(t *testing.T) map[string]any {
	t.Helper()
	set := discovery.DefaultFilters()
	set.InterestedIn = []string{}
	return fields(t, set)
}

func fields(t *testing.T, from any) map[string]any {
	t.Helper()
	text, err := json.Marshal(from)
	require.NoError(t, err)
	var object map[string]any
	require.NoError(t, json.Unmarshal(text, &object))
	return object
}

func clone(t *testing.T, object map[string]any) map[string]any { return fields(t, object) }

// pathsOf returns the paths of all fields, those of groups as "group.field".
func pathsOf(object map[string]any) map[string]bool {
	paths := map[string]bool{}
	for name, value := range object {
		paths[name] = true
		if group, ok := value.(map[string]any); ok {
			for inner := range group {
				paths[name+"."+inner] = true
			}
		}
	}
	return paths
}

func at(object map[string]any, path string) any {
	name, inner, grouped := strings.Cut(path, ".")
	if grouped {
		return object[name].(map[string]any)[inner]
	}
	return object[name]
}

func set(object map[string]any, path string, value any) {
	name, inner, grouped := strings.Cut(path, ".")
	if grouped {
		object[name].(map[string]any)[inner] = value
		return
	}
	object[name] = value
}

func drop(object map[string]any, path string) {
	name, inner, grouped := strings.Cut(path, ".")
	if grouped {
		delete(object[name].(map[string]any), inner)
		return
	}
	delete(object, name)
}
