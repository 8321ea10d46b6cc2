package members_test

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"heartward/api/members"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/web"
)

func TestProfileOptions_CanBeChosen(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	options := decode[members.Options](t, w.call(uuid.Nil, "GET", "/api/settings/profile-options", ""))
	var questions []string
	for _, topic := range options.PromptTopics {
		require.NotEmpty(t, topic.Questions, topic.Topic)
		for _, suggested := range topic.Questions {
			require.NotContains(t, questions, suggested.Question)
			questions = append(questions, suggested.Question)
		}
	}
	require.Equal(t, []int{10, 10, 6, 24}, []int{len(options.PersonalityTraits), len(options.LifestylePreferences),
		len(options.RelationshipGoals), len(questions)})
	maxWords := map[string]int{}
	for _, f := range members.Fields() {
		maxWords[f.Name] = f.Max
	}
	for i, words := range options.Lists() {
		require.NotEmpty(t, *words, members.WordLists[i].Name)
		*words = (*words)[:maxWords[members.WordLists[i].Name]]
	}
	all, err := json.Marshal(options.Words)
	require.NoError(t, err)
	resp := w.call(ada, "PATCH", "/api/users/me", string(all))
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	require.Equal(t, options.Words, decode[members.Me](t, resp).Words)
	require.Equal(t, options.Words, decode[members.PublicMember](t, w.call(w.join("Bob"), "GET", "/api/users/"+ada.String(), "")).Words)
	for body, field := range map[string]string{
		`{"personalityTraits":["Calm","Loud"]}`:  "body.personalityTraits[1]",
		`{"lifestylePreferences":["active"]}`:    "body.lifestylePreferences[0]",
		`{"relationshipGoals":["Marriage", ""]}`: "body.relationshipGoals[1]",
	} {
		resp := w.call(ada, "PATCH", "/api/users/me", body)
		require.Equal(t, 422, resp.Code, body)
		require.Equal(t, field, decode[web.Problem](t, resp).Errors[0].Location)
	}
	resp = w.call(ada, "PATCH", "/api/users/me", `{"personalityTraits":["Calm","Calm"],"lifestylePreferences":null,"relationshipGoals":[]}`)
	me := decode[members.Me](t, resp)
	require.Equal(t, [][]string{{"Calm"}, {}, {}}, [][]string{me.PersonalityTraits, me.LifestylePreferences, me.RelationshipGoals})
	for _, question := range append(questions, "A question of my own") {
		body, err := json.Marshal(map[string]any{"prompts": []members.PromptChange{{Question: question, Answer: "Yes"}}})
		require.NoError(t, err)
		require.Equal(t, 200, w.call(ada, "PATCH", "/api/users/me", string(body)).Code, question)
	}
	for _, topic := range options.PromptTopics {
		for _, suggested := range topic.Questions {
			body, err := json.Marshal(map[string]any{"prompts": []members.PromptChange{{Question: suggested.Question, Answer: suggested.Example}}})
			require.NoError(t, err)
			require.Equal(t, 200, w.call(ada, "PATCH", "/api/users/me", string(body)).Code, suggested.Example)
		}
	}
}

func TestChange_HidesPresenceAndReadReceipts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	state := func(body string) [2]bool {
		t.Helper()
		me := decode[members.Me](t, w.call(ada, "PATCH", "/api/users/me", body))
		return [2]bool{me.HideOnline, me.HideReadReceipts}
	}
	require.Equal(t, [2]bool{}, state(`{}`), "nothing is hidden by default")
	require.Equal(t, [2]bool{true, false}, state(`{"hideOnline":true}`))
	require.Equal(t, [2]bool{true, true}, state(`{"hideReadReceipts":true}`))
	require.Equal(t, [2]bool{false, true}, state(`{"hideOnline":null}`))
	require.Equal(t, [2]bool{}, state(`{"hideReadReceipts":false}`))
	require.Equal(t, 422, w.call(ada, "PATCH", "/api/users/me", `{"hideOnline":1}`).Code)
	require.Equal(t, 422, w.call(ada, "PATCH", "/api/users/me", `{"hideReadReceipts":"yes"}`).Code)
	require.Equal(t, [2]bool{}, state(`{}`), "a refused change is not stored")
}

func TestChange_PausesAndWelcomes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	state := func(body string) [3]bool {
		t.Helper()
		me := decode[members.Me](t, w.call(ada, "PATCH", "/api/users/me", body))
		return [3]bool{me.Paused, me.Incognito, me.Welcomed}
	}
	require.Equal(t, [3]bool{}, state(`{}`))
	require.Equal(t, [3]bool{true, true, true}, state(`{"paused":true,"incognito":true,"welcomed":true}`))
	var pausedAt string
	read := func() (at string) {
		require.NoError(t, w.Pool.QueryRow(context.Background(), `SELECT paused_at::text FROM users WHERE id = $1`, ada).Scan(&at))
		return at
	}
	pausedAt = read()
	require.Equal(t, [3]bool{true, false, true}, state(`{"paused":true,"incognito":false}`))
	require.Equal(t, pausedAt, read(), "a repeated pause does not change the time")
	require.Equal(t, 404, w.call(bob, "GET", "/api/users/"+ada.String(), "").Code)
	require.Equal(t, [3]bool{false, false, true}, state(`{"paused":false}`))
	require.Equal(t, 200, w.call(bob, "GET", "/api/users/"+ada.String(), "").Code)
	require.Equal(t, [3]bool{}, state(`{"welcomed":null}`))
	require.Equal(t, 422, w.call(ada, "PATCH", "/api/users/me", `{"paused":"yes"}`).Code)
}

func TestChange_StartStepMovesForwardUntilTheEnd(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	patch := func(body string) *string {
		t.Helper()
		return decode[members.Me](t, w.call(ada, "PATCH", "/api/users/me", body)).StartStep
	}
	require.Nil(t, patch(`{"startStep":"seek"}`), "the account was made without the first run")
	w.Exec(`UPDATE users SET start_step = 'gender' WHERE id = $1`, ada)
	require.Equal(t, "photo", *patch(`{"startStep":"photo"}`))
	require.Equal(t, "photo", *patch(`{"startStep":"seek"}`), "a late change does not lead back")
	require.Equal(t, "photo", *patch(`{"startStep":null}`))
	require.Equal(t, 422, w.call(ada, "PATCH", "/api/users/me", `{"startStep":"horoscope"}`).Code)
	require.Equal(t, "prompt", *patch(`{"startStep":"prompt","welcomed":false}`))
	require.Nil(t, patch(`{"welcomed":true}`))
	require.Nil(t, patch(`{"startStep":"prompt","welcomed":true}`))
}

func TestChange_PauseEndsByItself(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	requireState := func(paused bool, until *time.Time, body string) {
		t.Helper()
		resp := w.call(ada, "PATCH", "/api/users/me", body)
		require.Equal(t, 200, resp.Code, "%s", resp.Body)
		me := decode[members.Me](t, resp)
		require.Equal(t, paused, me.Paused)
		require.Equal(t, until, me.PausedUntil)
		status := map[bool]int{true: 404, false: 200}[paused]
		require.Equal(t, status, w.call(bob, "GET", "/api/users/"+ada.String(), "").Code)
	}
	day, week := time.Now().UTC().Truncate(time.Second).AddDate(0, 0, 1), time.Now().UTC().Truncate(time.Second).AddDate(0, 0, 7)
	pause := func(until time.Time) string {
		return `{"paused":true,"pausedUntil":"` + until.Format(time.RFC3339) + `"}`
	}
	end := func() {
		w.Exec(`UPDATE users SET paused_at = now() - interval '2 days', paused_until = now() - interval '1 second' WHERE id = $1`, ada)
	}
	requireState(true, &day, pause(day))
	requireState(true, &day, `{"paused":true}`)
	requireState(true, &week, `{"pausedUntil":"`+week.Format(time.RFC3339)+`"}`)
	requireState(true, nil, `{"pausedUntil":null}`)
	requireState(true, &day, pause(day))
	end()
	requireState(false, nil, `{}`)
	requireState(false, nil, `{"pausedUntil":null}`)
	requireState(true, nil, `{"paused":true}`)
	requireState(true, &week, pause(week))
	requireState(false, nil, `{"paused":false}`)
	requireState(true, &day, pause(day))
	end()
	requireState(true, &week, pause(week))
}

func TestChange_RefusesEndOfPause(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	after := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	refuse := func(body string) {
		t.Helper()
		resp := w.call(ada, "PATCH", "/api/users/me", body)
		require.Equal(t, 422, resp.Code, body)
		require.Equal(t, "body.pausedUntil", decode[web.Problem](t, resp).Errors[0].Location, body)
	}
	for _, until := range []string{after(-time.Second), after(367 * 24 * time.Hour), "0001-01-01T00:00:00Z", "tomorrow", "2030-13-01T00:00:00Z"} {
		refuse(`{"paused":true,"pausedUntil":"` + until + `"}`)
	}
	refuse(`{"paused":true,"pausedUntil":5}`)
	refuse(`{"pausedUntil":"` + after(time.Hour) + `"}`)
	refuse(`{"paused":false,"pausedUntil":"` + after(time.Hour) + `"}`)
	require.False(t, w.me(ada).Paused)
	w.Exec(`UPDATE users SET paused_at = now() - interval '2 days', paused_until = now() - interval '1 day' WHERE id = $1`, ada)
	refuse(`{"pausedUntil":"` + after(time.Hour) + `"}`)
}

func TestHTTP_ListsPlaces(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ask := func(query string) []gazetteer.Place {
		t.Helper()
		resp := w.call(uuid.Nil, "GET", "/api/places?"+query, "")
		require.Equal(t, 200, resp.Code, "%s", resp.Body)
		return decode[[]gazetteer.Place](t, resp)
	}
	require.Equal(t, "Portland, Oregon", ask("q=portl")[0].Label)
	require.Equal(t, "Portland, Oregon", ask("q=port&country=US")[0].Label)
	require.Equal(t, "Porto Alegre, Brazil", ask("q=port&country=BR")[0].Label)
	require.Len(t, ask("q=s"), 8)
	require.Len(t, ask("q=s&limit=20"), 20)
	require.Empty(t, ask("q="))
	require.Equal(t, "[]", string(w.call(uuid.Nil, "GET", "/api/places", "").Body.Bytes()[:2]))
	for _, query := range []string{"q=" + url.QueryEscape(string(make([]byte, 101))), "q=a&limit=21", "q=a&limit=0", "q=a&limit=x", "q=a&country=USA", "q=a&country=1"} {
		require.Equal(t, 422, w.call(uuid.Nil, "GET", "/api/places?"+query, "").Code, query)
	}
}

// Completeness in SQL equals that in Go.
func TestCompleteness_SQLEqualsGo(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	id := w.join("Ada")
	rapid.Check(t, func(t *rapid.T) {
		has := func(what string) bool { return rapid.Bool().Draw(t, what) }
		text := func(what string) string { return map[bool]string{true: "something", false: ""}[has(what)] }
		_, err := w.Pool.Exec(ctx, `UPDATE users SET bio = $2, love_reflection = $3, city = $4, occupation = $5,
			intention_tags = CASE WHEN $6 THEN ARRAY['Healing'] ELSE '{}' END, education = CASE WHEN $7 THEN 'masters' END,
			has_children = CASE WHEN $8 THEN $9::boolean END, wants_children = CASE WHEN $10 THEN $11::boolean END WHERE id = $1`,
			id, text("bio"), text("reflection"), text("city"), text("occupation"), has("tags"), has("education"),
			has("children answered"), has("children"), has("wish answered"), has("wish"))
		require.NoError(t, err)
		_, err = w.Pool.Exec(ctx, `DELETE FROM member_prompts`)
		require.NoError(t, err)
		_, err = w.Pool.Exec(ctx, `DELETE FROM files`)
		require.NoError(t, err)
		if has("prompt") {
			_, err = w.Pool.Exec(ctx, `INSERT INTO member_prompts VALUES ($1, 1, 'Q', 'A')`, id)
			require.NoError(t, err)
		}
		if slot := rapid.SampledFrom([]string{"", "photo", "gallery_image"}).Draw(t, "picture"); slot != "" {
			_, err = w.Pool.Exec(ctx, `WITH f AS (INSERT INTO files (id, owner_id, content_type, bytes, width, height)
				VALUES ($1, $2, 'image/webp', 1, 1, 1) RETURNING id) INSERT INTO member_media (file_id, user_id, slot, position) SELECT id, $2, $3, 1 FROM f`,
				uuid.New(), id, slot)
			require.NoError(t, err)
		}
		me, err := w.Me(ctx, id)
		require.NoError(t, err)
		var percent int
		require.NoError(t, w.Pool.QueryRow(ctx, `SELECT percent FROM member_completeness WHERE user_id = $1`, id).Scan(&percent))
		require.Equal(t, me.Completeness.Percent, percent)
		require.Len(t, me.Completeness.Missing, (100-percent)/10)
	})
}
