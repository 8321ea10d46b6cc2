package discovery_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// signedIn returns an API client with member signed in.
func signedIn(t testing.TB, pool *pgxpool.Pool, member uuid.UUID) humatest.TestAPI {
	t.Helper()
	return serveAs(t, loaded(t, pool), member)
}

// serveAs returns the operations of s with member as the actor.
func serveAs(t testing.TB, s *discovery.Service, member uuid.UUID) humatest.TestAPI {
	t.Helper()
	web.Prepare()
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: member})))
	})
	discovery.Register(web.ForFeature(api, "discovery"), s)
	return api
}

// withValue returns the set text with value at path, such as "location.city". A nil value
// removes the field.
func withValue(t testing.TB, text, path string, value any) map[string]any {
	t.Helper()
	var set map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &set))
	at := set
	for name, rest, more := strings.Cut(path, "."); ; name, rest, more = strings.Cut(rest, ".") {
		if more {
			at = at[name].(map[string]any)
			continue
		}
		if value == nil {
			delete(at, name)
		} else {
			at[name] = value
		}
		return set
	}
}

func TestSaveFilters_StoresFilters(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, other := insert(t, pool, row{"religion": "jewish"}), insert(t, pool, row{})
	api := signedIn(t, pool, me)
	requireFilters := func(want string, saved bool, calls ...func() (int, string)) {
		t.Helper()
		for _, call := range calls {
			status, body := call()
			require.Equal(t, http.StatusOK, status, body)
			var got struct {
				Filters json.RawMessage
				Saved   bool
			}
			require.NoError(t, json.Unmarshal([]byte(body), &got))
			assert.JSONEq(t, want, string(got.Filters))
			assert.Equal(t, saved, got.Saved)
		}
	}
	get := func() (int, string) { r := api.Get("/api/discovery/filters"); return r.Code, r.Body.String() }
	put := func(body string) func() (int, string) {
		return func() (int, string) {
			r := api.Put("/api/discovery/filters", strings.NewReader(body))
			return r.Code, r.Body.String()
		}
	}
	requireFilters(defaults, false, get)
	requireFilters(everything, true, put(everything), get, put(everything), get)
	requireFilters(defaults, true, put(defaults), get)
	requireFilters(everything, true, put(everything), get)
	othersFilters := signedIn(t, pool, other).Get("/api/discovery/filters").Body.String()
	assert.Contains(t, othersFilters, `"saved":false`, "the filters of another member are unchanged")
	for range 2 {
		require.Equal(t, http.StatusNoContent, api.Delete("/api/discovery/filters").Code)
	}
	afterReset, err := json.Marshal(withValue(t, defaults, "interestedIn", []string{"man", "nonbinary"}))
	require.NoError(t, err)
	requireFilters(string(afterReset), false, get) // a reset does not change the profile
}

func TestSaveFilters_StoresInterestedInInProfile(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{"gender": "woman"})
	woman, man := insert(t, pool, row{"gender": "woman"}), insert(t, pool, row{"gender": "man"})
	api := signedIn(t, pool, me)
	requireMembers := func(shown, hidden uuid.UUID) {
		t.Helper()
		for _, path := range []string{"/api/discover", "/api/matches/for-you"} {
			body := api.Get(path).Body.String()
			assert.Contains(t, body, shown.String(), path)
			assert.NotContains(t, body, hidden.String(), path)
		}
	}
	put := func(body any) string {
		t.Helper()
		r := api.Put("/api/discovery/filters", body)
		require.Equal(t, http.StatusOK, r.Code, r.Body.String())
		return r.Body.String()
	}
	assert.Contains(t, put(withValue(t, defaults, "interestedIn", []string{"man", "man"})), `"interestedIn":["man"]`)
	requireMembers(man, woman)
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM users WHERE id = $1 AND interested_in = '{man}'`, me))
	assert.Equal(t, 1, testkit.Count(t, pool, `SELECT count(*) FROM discovery_filters WHERE NOT filters ? 'interestedIn'`), "it is stored once")
	assert.Contains(t, put(withValue(t, defaults, "interestedIn", nil)), `"interestedIn":["man"]`, "an older app does not change it")
	testkit.Exec(t, pool, `UPDATE users SET interested_in = '{woman}' WHERE id = $1`, me)
	assert.Contains(t, api.Get("/api/discovery/filters").Body.String(), `"interestedIn":["woman"]`, "a change of the profile applies")
	requireMembers(woman, man)
	preview := api.Post("/api/discovery/preview", map[string]any{"filters": withValue(t, defaults, "interestedIn", []string{})})
	assert.Contains(t, preview.Body.String(), `"count":2`)
	requireMembers(woman, man)
}

func TestSaveFilters_DerivesRecentlyActive(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := loaded(t, pool), insert(t, pool, nil)
	for _, c := range []struct {
		sent, stored string
		sentRecently bool
		recently     bool
	}{
		{"1d", "1d", false, true}, {"3d", "3d", true, true}, {"1w", "1w", false, true},
		{"1m", "1m", false, false}, {"1m", "1m", true, false}, {"any", "any", false, false}, {"any", "1w", true, true},
	} {
		set := discovery.DefaultFilters()
		set.LastActiveWithin, set.Compatibility.RecentlyActive = c.sent, c.sentRecently
		saved, err := s.SaveFilters(t.Context(), me, set)
		require.NoError(t, err)
		assert.Equal(t, c.stored, saved.Filters.LastActiveWithin, "%+v", c)
		assert.Equal(t, c.recently, saved.Filters.Compatibility.RecentlyActive, "%+v", c)
	}
}

func TestDefaultFilters_LimitAgeDistanceAndActivity(t *testing.T) {
	t.Parallel()
	set := discovery.DefaultFilters()
	assert.Equal(t, [2]int{18, 65}, set.AgeRange)
	assert.Equal(t, 50, *set.Location.MaxDistance)
	assert.Equal(t, "1w", set.LastActiveWithin)
	for _, path := range discovery.FilterPaths() {
		if discovery.ClearFilter(path, &set) {
			assert.Contains(t, []string{"ageRange", "location.maxDistance", "lastActiveWithin", "compatibility.recentlyActive"}, path,
				"no other filter is set")
		}
	}
}

// visitFilters calls visit with the path in JSON and the value of each filter of a set.
func visitFilters(set reflect.Value, prefix string, visit func(path string, value reflect.Value)) {
	for i := range set.NumField() {
		f := set.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			visitFilters(set.Field(i), prefix, visit)
		case f.Type.Kind() == reflect.Struct:
			visitFilters(set.Field(i), prefix+name+".", visit)
		default:
			visit(prefix+name, set.Field(i))
		}
	}
}

// The fields of FilterSet, the table of filters and cases have the same paths.
func TestFilters_HaveCases(t *testing.T) {
	t.Parallel()
	var set discovery.FilterSet
	var paths []string
	visitFilters(reflect.ValueOf(&set).Elem(), "", func(path string, value reflect.Value) {
		paths = append(paths, path)
		if field := discovery.FilterField(path, &set); assert.NotNil(t, field, "the table of filters lacks %s", path) {
			assert.Equal(t, value.Addr().Pointer(), reflect.ValueOf(field).Pointer(), "the table of filters has another field as %s", path)
		}
		c, described := cases[path]
		if !assert.True(t, described, "cases lacks %s", path) {
			return
		}
		assert.NotEmpty(t, c.invalid, "cases has no invalid value for %s", path)
		assert.NotEqual(t, c.initial, c.sample, "the sample of %s", path)
	})
	testkit.SameElements(t, paths, discovery.FilterPaths(), "the table of filters")
	testkit.SameElements(t, paths, slices.Collect(maps.Keys(cases)), "cases")
}

func TestSaveFilters_RefusesInvalidFilters(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{"religion": "other"})
	api := signedIn(t, pool, me)
	requireRefused := func(field string, body any) {
		t.Helper()
		for path, r := range map[string]interface{ Result() *http.Response }{
			"body.":         api.Put("/api/discovery/filters", body),
			"body.filters.": api.Post("/api/discovery/preview", map[string]any{"filters": body}),
		} {
			result := r.Result()
			require.Equal(t, http.StatusUnprocessableEntity, result.StatusCode, "%s %v", field, body)
			var problem web.Problem
			require.NoError(t, json.NewDecoder(result.Body).Decode(&problem))
			require.NotEmpty(t, problem.Errors, "%s %v", field, body)
			location, _, _ := strings.Cut(problem.Errors[0].Location, "[")
			assert.Equal(t, path+field, location, "%s %v: %+v", field, body, problem.Errors)
		}
	}
	invalid := map[string][]any{"location": {[]int{}, "Salem", null}}
	for path, c := range cases {
		invalid[path] = c.invalid
	}
	for path, values := range invalid {
		for _, value := range values {
			requireRefused(path, withValue(t, everything, path, value))
		}
	}
	for _, body := range []string{`{"ageRange": [NaN, 30]}`, `{"ageRange": [1e999, 30]}`, `null`, `[]`, ``} {
		got := api.Put("/api/discovery/filters", strings.NewReader(body)).Code
		assert.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, got, body)
	}
	unknown := withValue(t, defaults, "maxAge", 40)
	assert.Contains(t, api.Put("/api/discovery/filters", unknown).Body.String(), "body.maxAge")
	assert.Contains(t, api.Put("/api/discovery/filters", withValue(t, defaults, "lifestyle.smokes", true)).Body.String(), "body.lifestyle.smokes")
	assert.Equal(t, 0, testkit.Count(t, pool, `SELECT count(*) FROM discovery_filters`), "refused filters are not stored")
}

func TestFilters_OmitTagsThatAdminsRemoved(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := loaded(t, pool), insert(t, pool, nil)
	setTags := func(tags string) {
		testkit.Exec(t, pool, `UPDATE system_settings SET setting_value = $1 WHERE setting_key = 'intention_tags'`, json.RawMessage(tags))
	}
	setTags(`["Dancing", "Healing"]`)
	set := discovery.DefaultFilters()
	set.IntentionTags = []string{"Dancing", "Healing", "Dancing"}
	saved, err := s.SaveFilters(t.Context(), me, set)
	require.NoError(t, err)
	assert.Equal(t, []string{"Dancing", "Healing"}, saved.Filters.IntentionTags, "without repetitions")
	setTags(`["Healing"]`)
	saved, err = s.Filters(t.Context(), me)
	require.NoError(t, err)
	assert.Equal(t, []string{"Healing"}, saved.Filters.IntentionTags)
	_, err = s.SaveFilters(t.Context(), me, saved.Filters)
	require.NoError(t, err, "the returned filters can be saved")
}

func TestFilterSet_WordsAreThoseOfProfiles(t *testing.T) {
	t.Parallel()
	api := signedIn(t, pgtest.New(t), uuid.New())
	properties := api.OpenAPI().Components.Schemas.Map()["FilterSet"].Properties
	for _, list := range members.WordLists {
		field, words := list.Name, list.Words
		var offered []string
		for _, word := range properties[field].Items.Enum {
			offered = append(offered, word.(string))
		}
		assert.Equal(t, words, offered, field)
		assert.Equal(t, len(words), *properties[field].MaxItems, field)
	}
}
