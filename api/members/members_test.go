package members_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	"heartward/api/platform/web"
)

func TestCreate_NormalizesInput(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	id, err := w.create(members.NewMember{
		Email: "ada@example.test", FullName: "  Ada  King Lovelace ", BirthDate: new("1990-02-28"), City: "Portland", State: "OR",
		Gender: new("woman"), InterestedIn: []string{"man", "man", "woman"}, IntentionTags: []string{"Healing", "Marriage", "Healing"},
		Bio: "Line one\r\nline two ", LoveReflection: "Patience",
	})
	require.NoError(t, err)
	other := w.join("Bob")
	w.match(id, other)
	w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), 7)`, uuid.New(), id, other)
	me, err := w.Me(ctx, id)
	require.NoError(t, err)
	require.Equal(t, []string{"Ada King Lovelace", "Ada", "King Lovelace"}, []string{me.FullName, me.FirstName, me.LastName})
	require.Equal(t, "1990-02-28", *me.BirthDate)
	require.Equal(t, []string{"man", "woman"}, me.InterestedIn)
	require.Equal(t, []string{"Healing", "Marriage"}, me.IntentionTags)
	require.Equal(t, "Line one\nline two", me.Bio)
	require.Equal(t, members.Counts{Matches: 1, Messages: 7}, me.Counts)
	require.Equal(t, members.Completeness{Percent: 40, Missing: []string{
		"photos", "prompts", "occupation", "education", "hasChildren", "wantsChildren"}}, me.Completeness)
	require.Len(t, me.ReferralCode, 8)
	require.False(t, me.HasPassword)
	located := testkit.Select[bool](t, w.Pool, `SELECT town_lat BETWEEN 45 AND 46 FROM users WHERE id = $1`, id)
	require.True(t, located)
}

func TestCreate_ComputesAge(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	for _, age := range []int{18, 30, 99} {
		id, err := w.create(members.NewMember{Email: fmt.Sprintf("a%d@example.test", age), FullName: "A", Age: &age})
		require.NoError(t, err)
		me, err := w.Me(ctx, id)
		require.NoError(t, err)
		require.Equal(t, age, me.Age)
		require.Nil(t, me.BirthDate, "a birth date computed from the age is not shown")
	}
	for years, ok := range map[int]bool{17: false, 19: true} {
		born := time.Now().UTC().AddDate(-years, 0, 0).Format(time.DateOnly)
		_, err := w.create(members.NewMember{Email: fmt.Sprintf("b%d@example.test", years), FullName: "B", BirthDate: &born})
		require.Equal(t, ok, err == nil, "about %d years: %v", years, err)
	}
}

func TestChange_NamesInvalidFields(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.join("Ada")
	before := w.call(me, "GET", "/api/users/me", "").Body.String()
	for body, field := range map[string]string{
		`{"fullName":""}`:    "fullName",
		`{"fullName":null}`:  "fullName",
		`{"fullName":"123"}`: "fullName",
		`{"fullName":"` + strings.Repeat("x", 101) + `"}`: "fullName",
		`{"age":17}`:                                  "age",
		`{"age":100}`:                                 "age",
		`{"age":-9223372036854775808}`:                "age",
		`{"age":null}`:                                "age",
		`{"age":"old"}`:                               "age",
		`{"age":20.5}`:                                "age",
		`{"birthDate":"1990-02-30"}`:                  "birthDate",
		`{"birthDate":"2020-01-01"}`:                  "birthDate",
		`{"birthDate":"0001-01-01"}`:                  "birthDate",
		`{"gender":"robot"}`:                          "gender",
		`{"gender":5}`:                                "gender",
		`{"interestedIn":["robot"]}`:                  "interestedIn",
		`{"interestedIn":"man"}`:                      "interestedIn",
		`{"heightCm":89}`:                             "heightCm",
		`{"heightCm":251}`:                            "heightCm",
		`{"city":"` + strings.Repeat("é", 101) + `"}`: "city",
		`{"state":"A\u0000B"}`:                        "state",
		`{"city":"A\nB"}`:                             "city",
		`{"intentionTags":["World domination"]}`:      "intentionTags",
		`{"intentionTags":[1]}`:                       "intentionTags",
		`{"bio":"` + strings.Repeat("x", 1001) + `"}`: "bio",
		`{"bio":"a\u202eb"}`:                          "bio",
		`{"bio":"a\u202ab"}`:                          "bio",
		`{"fullName":"Ada \u2066b"}`:                  "fullName",
		`{"fullName":"Ada \u2069b"}`:                  "fullName",
		`{"bio":{}}`:                                  "bio",
		`{"loveReflection":"` + strings.Repeat("x", 501) + `"}`: "loveReflection",
		`{"hasChildren":"yes"}`:                                 "hasChildren",
		`{"education":"life"}`:                                  "education",
		`{"religion":"jedi"}`:                                   "religion",
		`{"occupation":"` + strings.Repeat("x", 101) + `"}`:     "occupation",
		`{"prompts":[{"question":"Q","answer":" "}]}`:           "prompts[0]",
		`{"prompts":[{"question":"Q"}]}`:                        "prompts[0]",
		`{"prompts":[{},{},{},{}]}`:                             "prompts",
		`{"isAdmin":true}`:                                      "isAdmin",
		`{"email":"other@example.test"}`:                        "email",
	} {
		resp := w.call(me, "PATCH", "/api/users/me", body)
		require.Equal(t, 422, resp.Code, "%s: %s", body, resp.Body)
		problem := decode[web.Problem](t, resp)
		require.NotEmpty(t, problem.Errors, body)
		require.True(t, strings.HasPrefix(problem.Errors[0].Location, "body."+field), "%s: %+v", body, problem.Errors)
	}
	require.Equal(t, before, w.call(me, "GET", "/api/users/me", "").Body.String(), "refused changes are not stored")
	require.Equal(t, 400, w.call(me, "PATCH", "/api/users/me", `{"bio":`).Code)
}

// The rules are for names that members enter. A name from before them stays until it is changed.
func TestChange_KeepsANameFromBeforeTheRules(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	w.Exec(`UPDATE users SET full_name = '1 Support', first_name = '1', last_name = 'Support' WHERE id = $1`, id)
	require.Equal(t, 200, w.call(id, "PATCH", "/api/users/me", `{"fullName":"1 Support","bio":"B"}`).Code)
	require.Equal(t, 422, w.call(id, "PATCH", "/api/users/me", `{"fullName":"2 Support"}`).Code)
	require.Equal(t, 200, w.call(id, "PATCH", "/api/users/me", `{"fullName":"Ada"}`).Code)
	require.Equal(t, 422, w.call(id, "PATCH", "/api/users/me", `{"fullName":"1 Support"}`).Code)
}

func TestChange_ChangesSentFieldsAndNullClears(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	resp := w.call(id, "PATCH", "/api/users/me", `{"fullName":"Ada Byron","birthDate":"1996-05-06","gender":"woman","interestedIn":["man"],
		"heightCm":170,"city":"Salem","state":"OR","intentionTags":["Marriage"],"bio":"B","loveReflection":"L","hasChildren":false,
		"wantsChildren":true,"education":"masters","occupation":"O","religion":"spiritual","prompts":[{"question":"Q","answer":"A"}]}`)
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	all := decode[members.Me](t, resp)
	require.Equal(t, "1996-05-06", *all.BirthDate)
	require.Equal(t, []members.Prompt{{Question: "Q", Answer: "A"}}, all.Prompts)
	require.False(t, *all.HasChildren)

	withBio := decode[members.Me](t, w.call(id, "PATCH", "/api/users/me", `{"bio":"New"}`))
	all.Bio = "New"
	require.Equal(t, all, withBio)

	empty := decode[members.Me](t, w.call(id, "PATCH", "/api/users/me", `{"birthDate":null,"gender":null,"interestedIn":null,"heightCm":null,
		"city":null,"state":null,"intentionTags":null,"bio":null,"loveReflection":null,"hasChildren":null,"wantsChildren":null,
		"education":null,"occupation":null,"religion":null,"prompts":null}`))
	require.Equal(t, "Ada Byron", empty.FullName)
	require.Equal(t, all.Age, empty.Age, "clearing the birth date does not change the age")
	for name, got := range map[string]bool{
		"birthDate": empty.BirthDate == nil, "gender": empty.Gender == nil, "heightCm": empty.HeightCm == nil,
		"hasChildren": empty.HasChildren == nil, "wantsChildren": empty.WantsChildren == nil, "education": empty.Education == nil,
		"religion": empty.Religion == nil, "bio": empty.Bio == "", "city": empty.City == "", "state": empty.State == "",
		"loveReflection": empty.LoveReflection == "", "occupation": empty.Occupation == "", "prompts": len(empty.Prompts) == 0,
		"interestedIn": len(empty.InterestedIn) == 0, "intentionTags": len(empty.IntentionTags) == 0,
	} {
		require.True(t, got, "null clears %s", name)
	}
	require.Equal(t, 200, w.call(id, "PATCH", "/api/users/me", `{}`).Code)
}

func TestChange_AllowsTagsOfAdmins(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id := w.join("Ada")
	require.Contains(t, decode[[]string](t, w.call(uuid.Nil, "GET", "/api/settings/intention-tags", "")), "Long-term")
	w.Exec(`UPDATE system_settings SET setting_value = '["Slow dating"]' WHERE setting_key = 'intention_tags'`)
	require.Equal(t, []string{"Slow dating"}, decode[[]string](t, w.call(uuid.Nil, "GET", "/api/settings/intention-tags", "")))
	me := decode[members.Me](t, w.call(id, "PATCH", "/api/users/me", `{"intentionTags":["Slow dating","Spiritual connection"]}`))
	require.Equal(t, []string{"Slow dating", "Spiritual connection"}, me.IntentionTags)
}

func TestChange_AllowsFourTownsADay(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	id := w.join("Ada")
	var done, limited atomic.Int32
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			town := fmt.Sprintf("Town %d", i)
			_, err := w.Change(ctx, id, members.Changes{City: members.Field[string]{Sent: true, Value: &town}})
			switch {
			case err == nil:
				done.Add(1)
			case fault.Is(err, fault.RateLimited):
				limited.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Equal(t, [2]int32{4, 8}, [2]int32{done.Load(), limited.Load()})
	me, err := w.Me(ctx, id)
	require.NoError(t, err)
	resp := w.call(id, "PATCH", "/api/users/me", `{"bio":"kept","city":"`+me.City+`"}`)
	require.Equal(t, 200, resp.Code, "the same town does not count: %s", resp.Body)
	resp = w.call(id, "PATCH", "/api/users/me", `{"state":"Oregon"}`)
	require.Equal(t, 200, resp.Code, "another spelling does not count: %s", resp.Body)
	require.Equal(t, "Oregon", decode[members.Me](t, resp).State)
	resp = w.call(id, "PATCH", "/api/users/me", `{"bio":"lost","city":"Elsewhere"}`)
	require.Equal(t, 429, resp.Code)
	require.NotEmpty(t, resp.Header().Get("Retry-After"))
	require.Equal(t, "kept", decode[members.Me](t, w.call(id, "GET", "/api/users/me", "")).Bio)
	w.Exec(`UPDATE town_changes SET changed_at = changed_at - interval '1 day'`)
	require.Equal(t, 200, w.call(id, "PATCH", "/api/users/me", `{"city":"Elsewhere"}`).Code)
}

// Other members may read only the fields of this list. Add a new public field to it
// deliberately.
func TestPublicMember_HasExactlyTheseFields(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	viewer, shown := w.join("Ada"), w.join("Bob")
	w.Exec(`UPDATE users SET religion = 'spiritual', birth_date_exact = true WHERE id = $1`, shown)
	resp := w.call(viewer, "GET", "/api/users/"+shown.String(), "")
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	var fields map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(resp.Body.Bytes(), &fields))
	delete(fields, "$schema")
	testkit.SameElements(t, []string{
		"id", "firstName", "fullName", "age", "city", "state", "visit", "bio", "loveReflection", "intentionTags", "occupation",
		"education", "hasChildren", "wantsChildren", "gender", "heightCm", "prompts", "photos", "profilePhotos",
		"profileImageUrl", "isVerified", "isPremium", "badgeTier", "profileTheme", "profileFrame", "isFeatured", "personalityTraits", "lifestylePreferences",
		"relationshipGoals", "pronouns", "languages", "drinking", "smoking", "pets", "headerBannerImage", "audioGreeting",
		"videoGreeting", "galleryImages", "galleryVideos",
	}, slices.Collect(maps.Keys(fields)))
	require.NotContains(t, resp.Body.String(), "example.test")
	require.NotContains(t, resp.Body.String(), `"spiritual"`)
	cards, err := members.Cards(context.Background(), w.Pool, viewer, []uuid.UUID{shown, uuid.New()})
	require.NoError(t, err)
	require.Len(t, cards, 1)
	raw, err := json.Marshal(cards[shown])
	require.NoError(t, err)
	fields = nil
	require.NoError(t, json.Unmarshal(raw, &fields))
	require.ElementsMatch(t, []string{"id", "firstName", "fullName", "age", "city", "bio", "profileImageUrl", "placeholder", "isVerified"},
		slices.Collect(maps.Keys(fields)))
	candidates, err := members.Candidates(context.Background(), w.Pool, viewer, []uuid.UUID{shown, viewer, uuid.New()})
	require.NoError(t, err)
	require.Len(t, candidates, 2)
}

func TestPublic_RequiresVisibleMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	viewer, other := w.join("Ada"), w.join("Bob")
	status := func() int { return w.call(viewer, "GET", "/api/users/"+other.String(), "").Code }
	require.Equal(t, 200, status())
	for _, hidden := range []string{"is_graduated = true", "is_approved = false", "profile_status = 'suspended'", "profile_status = 'under_review'"} {
		w.Exec(`UPDATE users SET is_graduated = false, is_approved = true, profile_status = 'active'`)
		w.Exec(`UPDATE users SET `+hidden+` WHERE id = $1`, other)
		require.Equal(t, 404, status(), hidden)
		require.Equal(t, 200, w.call(other, "GET", "/api/users/"+other.String(), "").Code, "one's own profile: %s", hidden)
	}
	w.match(viewer, other)
	for state, want := range map[string]int{
		"is_graduated = true": 200, "is_approved = false": 200, "profile_status = 'suspended'": 404, "profile_status = 'under_review'": 404,
	} {
		w.Exec(`UPDATE users SET is_graduated = false, is_approved = true, profile_status = 'active'`)
		w.Exec(`UPDATE users SET `+state+` WHERE id = $1`, other)
		require.Equal(t, want, status(), "a match is visible unless suspended or under review: %s", state)
	}
	w.Exec(`UPDATE users SET profile_status = 'active', is_graduated = true`)
	require.Equal(t, 200, status())
	w.Exec(`UPDATE matches SET unmatched_at = now()`)
	require.Equal(t, 404, status())
	require.Equal(t, 404, w.call(viewer, "GET", "/api/users/"+uuid.NewString(), "").Code)
	require.Equal(t, 422, w.call(viewer, "GET", "/api/users/17", "").Code)
}

func TestPublic_EndedMatchHidesProfilesFromBoth(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob, cid := w.join("Ada"), w.join("Bob"), w.join("Cid")
	statuses := func() [2]int {
		return [2]int{
			w.call(ada, "GET", "/api/users/"+bob.String(), "").Code,
			w.call(bob, "GET", "/api/users/"+ada.String(), "").Code,
		}
	}
	w.match(ada, bob)
	require.Equal(t, [2]int{200, 200}, statuses())
	w.Exec(`UPDATE matches SET unmatched_at = now(), unmatched_by = $1`, ada)
	require.Equal(t, [2]int{404, 404}, statuses())
	require.Equal(t, 200, w.call(cid, "GET", "/api/users/"+bob.String(), "").Code, "others still see the profile")
}

func TestPublic_LimitsViews(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	viewer, other, last := w.join("Ada"), w.join("Bob"), w.join("Cid")
	var calls sync.WaitGroup
	for range 10 { // a screen sends several requests for one member at once
		calls.Go(func() { assert.NoError(t, members.CountView(ctx, w.Pool, viewer, other, 1)) })
	}
	calls.Wait()
	for range 299 {
		_, err := w.Public(ctx, viewer, uuid.New())
		testkit.RequireKind(t, err, fault.NotFound)
	}
	for range 2 {
		_, err := w.Public(ctx, viewer, last)
		testkit.RequireKind(t, err, fault.RateLimited)
		_, err = w.Public(ctx, viewer, other)
		require.NoError(t, err, "a repeated view does not restart the day")
	}
	_, err := w.Public(ctx, viewer, viewer)
	require.NoError(t, err, "views of one's own profile are not limited")
}

// The counts omit matches and messages with members who are suspended or under review.
func TestCounts_OmitHiddenMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	for n, status := range []string{"active", "active", "suspended", "under_review"} {
		other := w.join(fmt.Sprintf("Other%d", n))
		w.match(ada, other)
		w.Exec(`INSERT INTO conversations (id, user_a, user_b, last_seq) VALUES ($1, least($2::uuid, $3), greatest($2::uuid, $3), 5)`, uuid.New(), ada, other)
		w.Exec(`UPDATE users SET profile_status = $2 WHERE id = $1`, other, status)
	}
	me, err := w.Me(context.Background(), ada)
	require.NoError(t, err)
	require.Equal(t, members.Counts{Matches: 2, Messages: 10}, me.Counts)
}

func TestCreate_RefusesSecondAccountOfAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.join("Ada")
	_, err := w.create(members.NewMember{Email: "ada@example.test", FullName: "Other", Age: new(40)})
	testkit.RequireKind(t, err, fault.Conflict)
}

func TestChange_LimitsGender(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	set := func(gender string) int { return w.call(ada, "PATCH", "/api/users/me", `{"gender":`+gender+`}`).Code }
	require.Equal(t, 200, set(`"woman"`))
	require.Equal(t, 200, set(`"man"`))
	require.Equal(t, 429, set(`"nonbinary"`))
	require.Equal(t, 200, set(`null`), "removing it is not limited")
	require.Equal(t, 429, set(`"other"`))
	require.Equal(t, 200, set(`"woman"`), "returning to an earlier one is not limited")
	require.Equal(t, 429, set(`"nonbinary"`))
}

func TestChange_LimitsReligion(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	set := func(body string) int { return w.call(ada, "PATCH", "/api/users/me", body).Code }
	require.Equal(t, 200, set(`{"religion":"jewish","religionCounts":true}`))
	require.Equal(t, 422, set(`{"religion":"muslim","heightCm":20}`), "a failed change does not count")
	require.Equal(t, 200, set(`{"religion":"jewish","bio":"Hello"}`), "the same answer does not count")
	require.Equal(t, 429, set(`{"religion":"atheist"}`))
	require.Equal(t, 200, set(`{"religion":null}`), "removing the answer is not limited")
	require.Equal(t, 429, set(`{"religion":"hindu"}`))
	require.Equal(t, 200, set(`{"religion":"jewish"}`), "returning to the answer is not limited")
	require.Equal(t, 200, set(`{"religion":"hindu","religionCounts":false}`), "an answer that does not count is not limited")
	require.Equal(t, 429, set(`{"religionCounts":true}`))
	require.Equal(t, 200, set(`{"religion":"jewish","religionCounts":true}`))
	w.Exec(`UPDATE rate_limits SET tat = tat - interval '31 days'`)
	require.Equal(t, 200, set(`{"religion":"muslim"}`))
	require.Equal(t, 429, set(`{"religion":"jewish"}`), "the earlier answer is as limited as others")
	require.Equal(t, 200, w.call(bob, "PATCH", "/api/users/me", `{"religion":"hindu","religionCounts":true}`).Code)
}

func TestChange_ReligionCountsOnlyAfterYes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	require.False(t, decode[members.Me](t, w.call(ada, "PATCH", "/api/users/me", `{"religion":"jewish"}`)).ReligionCounts)
	require.Equal(t, 200, w.call(ada, "PATCH", "/api/users/me", `{"religion":"muslim"}`).Code, "an answer that does not count is not limited")
	require.True(t, decode[members.Me](t, w.call(ada, "PATCH", "/api/users/me", `{"religionCounts":true}`)).ReligionCounts)
}

// A UUIDv7 would tell others when the member joined.
func TestCreate_IDContainsNoTime(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	id, err := w.create(members.NewMember{Email: "eve@example.test", FullName: "Eve", Age: new(40)})
	require.NoError(t, err)
	require.Equal(t, uuid.Version(4), id.Version())
	photo := decode[members.Photo](t, w.upload(id, "uploadId", picture(t)))
	require.Equal(t, uuid.Version(4), photo.ID.Version())
}
