package members_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// The view is exactly what a stranger gets, whatever the member's settings are. Made from the own profile, it would show more.
func TestAsStranger_IsWhatAStrangerGets(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me, stranger, match := w.join("Ann Surname"), w.join("Bob"), w.join("Cid")
	w.match(me, match)
	require.Less(t, w.upload(me, "uploadId", picture(t)).Code, 300)
	require.Equal(t, http.StatusOK, w.call(me, http.MethodPatch, "/api/users/me",
		`{"bio":"Hello","prompts":[{"question":"Together we could","answer":"Sail"}],"religion":"jewish","education":"masters","hasChildren":true,"heightCm":171,"languages":["English"]}`).Code)
	type view struct {
		Member  map[string]any `json:"member"`
		ShownTo string         `json:"shownTo"`
	}
	own := func() (v view) {
		response := w.call(me, http.MethodGet, "/api/users/me/as-stranger", "")
		require.Equal(t, http.StatusOK, response.Code, response.Body)
		require.NoError(t, json.Unmarshal(response.Body.Bytes(), &v))
		return v
	}
	seenBy := func(viewer uuid.UUID) (int, string) {
		response := w.call(viewer, http.MethodGet, "/api/users/"+me.String(), "")
		return response.Code, response.Body.String()
	}
	for _, set := range []string{
		`full_name = full_name`, `first_name_only = true`, `hide_online = true, hide_read_receipts = true`, `religion_counts = true`,
		`birth_date_exact = true`, `verified_at = now()`, `premium_until = now() + interval '1 day'`,
		`visit_city = 'Austin', visit_state = 'TX', visit_lat = 30, visit_lon = -97, visit_until = now() + interval '1 day'`,
	} {
		w.Exec(`UPDATE users SET `+set+` WHERE id = $1`, me)
		code, body := seenBy(stranger)
		require.Equal(t, http.StatusOK, code)
		var expected map[string]any
		require.NoError(t, json.Unmarshal([]byte(body), &expected))
		delete(expected, "$schema") // the test server's link to the type
		require.Equal(t, expected, own().Member, set)
		require.Equal(t, "everyone", own().ShownTo)
	}
	require.Equal(t, "Ann", own().Member["fullName"])
	_, body := seenBy(match)
	require.Contains(t, body, "Surname", "the match sees more than the stranger")

	for _, hidden := range []struct{ set, shownTo string }{
		{`incognito = true`, "liked"}, {`paused_at = now()`, "matches"}, {`paused_at = NULL, incognito = false, is_approved = false`, "matches"},
	} {
		w.Exec(`UPDATE users SET `+hidden.set+` WHERE id = $1`, me)
		code, _ := seenBy(stranger)
		require.Equal(t, http.StatusNotFound, code)
		code, _ = seenBy(match)
		require.Equal(t, http.StatusOK, code)
		require.Equal(t, hidden.shownTo, own().ShownTo, hidden.set)
	}
}

// A match gets what the view for a match has, and a blocked member the same answer as the view for one.
func TestAsViewer_IsWhatMatchesAndBlockedMembersGet(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me, match, blocked := w.join("Ann Surname"), w.join("Bob"), w.join("Cid")
	w.match(me, match)
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, me, blocked)
	get := func(viewer uuid.UUID, path string) (int, map[string]any) {
		response := w.call(viewer, http.MethodGet, path, "")
		var body map[string]any
		require.NoError(t, json.Unmarshal(response.Body.Bytes(), &body))
		delete(body, "$schema") // the test server's link to the type
		return response.Code, body
	}
	for _, set := range []string{
		`full_name = full_name`, `first_name_only = true`, `hide_online = true`, `religion_counts = true`, `paused_at = now()`,
		`incognito = true`, `is_approved = false`,
	} {
		w.Exec(`UPDATE users SET `+set+` WHERE id = $1`, me)
		code, expected := get(match, "/api/users/"+me.String())
		require.Equal(t, http.StatusOK, code)
		code, view := get(me, "/api/users/me/as-stranger?viewer=match")
		require.Equal(t, http.StatusOK, code)
		require.Equal(t, expected, view["member"], set)
		require.Equal(t, "Ann Surname Example", expected["fullName"], "the match sees the whole name")
	}
	code, expected := get(blocked, "/api/users/"+me.String())
	require.Equal(t, http.StatusNotFound, code)
	code, view := get(me, "/api/users/me/as-stranger?viewer=blocked")
	require.Equal(t, http.StatusNotFound, code)
	require.Equal(t, expected, view)
}
