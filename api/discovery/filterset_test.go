package discovery_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/humatest"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// signedIn is discovery's HTTP side with member signed in.
func signedIn(t testing.TB, pool *pgxpool.Pool, member uuid.UUID) humatest.TestAPI {
	t.Helper()
	web.Prepare()
	_, api := humatest.New(t)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithActor(ctx.Context(), web.Actor{ID: member})))
	})
	discovery.Register(api, loaded(t, pool))
	return api
}

const defaults = `{
	"ageRange": [18, 65], "location": {"maxDistance": 50, "sameState": false, "city": ""}, "intentionTags": [],
	"lifestyle": {"hasChildren": null, "wantsChildren": null, "education": null, "religion": null},
	"compatibility": {"minCompatibilityScore": 0, "prioritizeNewUsers": false, "featuredOnly": false, "recentlyActive": true},
	"lastActiveWithin": "1w", "profileCompleteness": 0, "hasVoiceGreeting": false, "hasVideoIntroduction": false,
	"verifiedOnly": false, "relationshipGoals": [], "personalityTraits": [], "lifestylePreferences": [], "mlRecommendations": false}`

const everything = `{
	"ageRange": [25, 35], "location": {"maxDistance": null, "sameState": true, "city": "Salem"}, "intentionTags": ["Healing", "Marriage"],
	"lifestyle": {"hasChildren": false, "wantsChildren": true, "education": "masters", "religion": "hindu"},
	"compatibility": {"minCompatibilityScore": 70, "prioritizeNewUsers": true, "featuredOnly": true, "recentlyActive": false},
	"lastActiveWithin": "1m", "profileCompleteness": 50, "hasVoiceGreeting": true, "hasVideoIntroduction": true,
	"verifiedOnly": true, "relationshipGoals": ["Life partner"], "personalityTraits": ["Calm", "Funny"],
	"lifestylePreferences": ["Night owl"], "mlRecommendations": true}`

// with is the set text with what is sent at path, such as "location.city", in
// place of what is there; nil takes it away.
func with(t testing.TB, text, path string, value any) map[string]any {
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

func TestFiltersAreKept(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, other := insert(t, pool, row{"religion": "jewish"}), insert(t, pool, row{})
	api := signedIn(t, pool, me)
	answers := func(want string, saved bool, calls ...func() (int, string)) {
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
	answers(defaults, false, get)
	answers(everything, true, put(everything), get, put(everything), get)
	answers(defaults, true, put(defaults), get)
	answers(everything, true, put(everything), get)
	othersOwn := signedIn(t, pool, other).Get("/api/discovery/filters").Body.String()
	assert.Contains(t, othersOwn, `"saved":false`, "filters are the member's own")
	for range 2 {
		require.Equal(t, http.StatusNoContent, api.Delete("/api/discovery/filters").Code)
	}
	answers(defaults, false, get)
}

func TestRecentlyActiveFollowsTheTime(t *testing.T) {
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

func TestDefaultsAreThoseOfTheGrid(t *testing.T) {
	t.Parallel()
	filter := discovery.DefaultFilters().Filter()
	assert.Equal(t, 18, filter.MinAge)
	assert.Equal(t, 65, filter.MaxAge)
	assert.Equal(t, 50.0, filter.MaxMiles)
	assert.Equal(t, 7*24*time.Hour, filter.ActiveWithin)
	filter.MinAge, filter.MaxAge, filter.MaxMiles, filter.ActiveWithin = 0, 0, 0, 0
	assert.Empty(t, filter.IntentionTags)
	assert.Empty(t, filter.PersonalityTraits)
	filter.IntentionTags, filter.RelationshipGoals, filter.PersonalityTraits, filter.LifestylePreferences = nil, nil, nil, nil
	assert.Equal(t, discovery.Filter{}, filter, "nothing else is asked for")
}

// wrong are values that are refused, by where they are sent.
var wrong = map[string][]any{
	"ageRange": {[]int{17, 40}, []int{18, 100}, []int{40, 30}, []int{30}, []int{30, 40, 50}, []any{}, []string{"18", "65"},
		[]float64{18.5, 40}, []float64{18, 1e300}, "18-65", 30, json.RawMessage("null")},
	"location":                            {[]int{}, "Salem", json.RawMessage("null")},
	"location.maxDistance":                {0, -1, 501, 1e300, 12.5, "anywhere", true},
	"location.sameState":                  {"yes", 1, json.RawMessage("null")},
	"location.city":                       {strings.Repeat("x", 101), "a\u0000b", "two\nlines", 5, json.RawMessage("null")},
	"intentionTags":                       {many("Healing", 21), many("Healing", 10_000), []string{"healing?"}, []string{""}, []int{1}, "Healing", json.RawMessage("null")},
	"lifestyle.hasChildren":               {"any", 1},
	"lifestyle.wantsChildren":             {"true", 0},
	"lifestyle.education":                 {"phd", "", 3},
	"lifestyle.religion":                  {"jedi", "", false},
	"compatibility.minCompatibilityScore": {-1, 101, 1e300, 0.5, "60"},
	"compatibility.prioritizeNewUsers":    {"on", json.RawMessage("null")},
	"compatibility.featuredOnly":          {1},
	"compatibility.recentlyActive":        {"1w"},
	"lastActiveWithin":                    {"2d", "", 7, json.RawMessage("null")},
	"profileCompleteness":                 {-1, 101, 1e300, "50"},
	"hasVoiceGreeting":                    {"x"},
	"hasVideoIntroduction":                {2},
	"verifiedOnly":                        {"x"},
	"relationshipGoals":                   {[]string{"Marriage?"}, many("Marriage", 7), "Marriage"},
	"personalityTraits":                   {[]string{"calm"}, many("Calm", 10_000)},
	"lifestylePreferences":                {[]string{"Smoker"}, many("Foodie", 11), json.RawMessage("null")},
	"mlRecommendations":                   {"on"},
}

func many(word string, n int) []string {
	return strings.Split(strings.Repeat(word+",", n-1)+word, ",")
}

func TestWrongFiltersAreNamedAndNothingIsStored(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{"religion": "other"})
	api := signedIn(t, pool, me)
	refused := func(field string, body any) {
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
			named, _, _ := strings.Cut(problem.Errors[0].Location, "[")
			assert.Equal(t, path+field, named, "%s %v: %+v", field, body, problem.Errors)
		}
	}
	assert.Len(t, wrong, 15+4+4, "every filter and the groups with something wrong")
	for field, values := range wrong {
		for _, value := range values {
			refused(field, with(t, everything, field, value))
		}
	}
	for _, body := range []string{`{"ageRange": [NaN, 30]}`, `{"ageRange": [1e999, 30]}`, `null`, `[]`, ``} {
		got := api.Put("/api/discovery/filters", strings.NewReader(body)).Code
		assert.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, got, body)
	}
	unknown := with(t, defaults, "maxAge", 40)
	assert.Contains(t, api.Put("/api/discovery/filters", unknown).Body.String(), "body.maxAge")
	assert.Contains(t, api.Put("/api/discovery/filters", with(t, defaults, "lifestyle.smokes", true)).Body.String(), "body.lifestyle.smokes")
	assert.Equal(t, 0, count(t, pool, `SELECT count(*) FROM discovery_filters`), "nothing is stored")
}

func count(t testing.TB, pool *pgxpool.Pool, sql string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, pool.QueryRow(t.Context(), sql, args...).Scan(&n))
	return n
}

func TestTagsThatAdminsTookAwayAreForgotten(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	s, me := loaded(t, pool), insert(t, pool, nil)
	setTags := func(tags string) {
		exec(t, pool, `UPDATE system_settings SET setting_value = $1 WHERE setting_key = 'intention_tags'`, json.RawMessage(tags))
	}
	setTags(`["Dancing", "Healing"]`)
	set := discovery.DefaultFilters()
	set.IntentionTags = []string{"Dancing", "Healing", "Dancing"}
	saved, err := s.SaveFilters(t.Context(), me, set)
	require.NoError(t, err)
	assert.Equal(t, []string{"Dancing", "Healing"}, saved.Filters.IntentionTags, "once each")
	setTags(`["Healing"]`)
	saved, err = s.Filters(t.Context(), me)
	require.NoError(t, err)
	assert.Equal(t, []string{"Healing"}, saved.Filters.IntentionTags)
	_, err = s.SaveFilters(t.Context(), me, saved.Filters)
	require.NoError(t, err, "what is shown can be saved")
}

func TestTheWordsAreThoseOfProfiles(t *testing.T) {
	t.Parallel()
	api := signedIn(t, pgtest.New(t), uuid.New())
	properties := api.OpenAPI().Components.Schemas.Map()["FilterSet"].Properties
	for field, words := range map[string][]string{
		"relationshipGoals": members.RelationshipGoals, "personalityTraits": members.PersonalityTraits,
		"lifestylePreferences": members.LifestylePreferences,
	} {
		var offered []string
		for _, word := range properties[field].Items.Enum {
			offered = append(offered, word.(string))
		}
		assert.Equal(t, words, offered, field)
		assert.Equal(t, len(words), *properties[field].MaxItems, field)
	}
}
