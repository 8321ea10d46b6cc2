package api_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
)

// A match reports a threat and a photo. At once a stranger no longer sees the reported
// member, who then deletes the photo. An admin lists and opens the report, sees the photo,
// and suspends the member, whose session ends. Neither of the two can do any of this.
func TestReports_FromReportToSuspension(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben, eve, admin := s.person("reporter"), s.person("reported"), s.person("stranger"), s.person("overseer")
	s.like(ann, ben)
	s.like(ben, ann)
	photo := ben.ids[1]
	s.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, admin.id)
	call := func(by *person, method, path string, body any, status int) httpResponse {
		t.Helper()
		response := s.json(by.cookie, method, path, body)
		require.Equal(t, status, response.status, "%s %s: %s", method, path, response.body)
		return response
	}
	call(eve, http.MethodGet, "/api/users/"+ben.id, nil, 200)
	var receipt moderation.ReportReceipt
	made := call(ann, http.MethodPost, "/api/reports", map[string]any{"userId": ben.id, "reason": "threat", "place": "match", "description": "private words"}, 201)
	require.NoError(t, json.Unmarshal([]byte(made.body), &receipt))
	call(eve, http.MethodGet, "/api/users/"+ben.id, nil, 404)
	call(eve, http.MethodGet, "/files/"+photo+"/full.webp", nil, 404)
	require.JSONEq(t, `"under_review"`, string(field(t, call(ben, http.MethodGet, "/api/auth/user", nil, 200).body, "profileStatus")))
	call(ben, http.MethodDelete, "/api/users/me/photos/"+photo, nil, 403)
	s.Exec(`DELETE FROM files WHERE id = $1`, photo)

	const list = "/api/admin/reports"
	one, file := list+"/"+receipt.ID.String(), list+"/"+receipt.ID.String()+"/files/"+photo+"/full.webp"
	opening := map[string]any{"reason": "To see"}
	decision := map[string]any{"decision": "suspend", "suspendedUntil": time.Now().Add(time.Hour), "explanation": "Threats", "reason": "Threats"}
	for _, p := range []*person{ann, ben} {
		call(p, http.MethodGet, list, nil, 403)
		call(p, http.MethodPost, one+"/open", opening, 403)
		call(p, http.MethodGet, file, nil, 403)
		call(p, http.MethodPut, one, decision, 403)
	}
	listed := call(admin, http.MethodGet, list, nil, 200)
	require.Contains(t, listed.body, receipt.ID.String())
	require.NotContains(t, listed.body, "private words")
	require.JSONEq(t, `{"pending": 1, "urgent": 1, "overdue": 0, "underage": 0, "reviewed": 0, "resolved": 0}`, call(admin, http.MethodGet, list+"/counts", nil, 200).body)
	call(admin, http.MethodPost, one+"/open", map[string]any{}, 422)
	require.Contains(t, call(admin, http.MethodGet, file, nil, 409).body, "open_first")
	require.Contains(t, call(admin, http.MethodPost, one+"/open", opening, 200).body, "private words")
	shown := call(admin, http.MethodGet, file, nil, 200)
	require.Equal(t, []string{"image/webp", "no-store"}, []string{shown.contentType, shown.header.Get("Cache-Control")}, "evidence is kept by no cache")
	call(admin, http.MethodGet, "/files/"+photo+"/full.webp", nil, 404)

	require.Contains(t, call(admin, http.MethodPut, one, map[string]any{"decision": "suspend", "explanation": "x", "reason": "x"}, 422).body, "suspendedUntil")
	call(admin, http.MethodPut, one, decision, 204)
	call(admin, http.MethodPut, one, decision, 204) // a retry
	call(ben, http.MethodGet, "/api/users/me", nil, 401)
	require.NotContains(t, call(admin, http.MethodGet, list, nil, 200).body, receipt.ID.String())
	call(admin, http.MethodGet, file, nil, 404)
	require.Contains(t, call(admin, http.MethodGet, list+"?status=resolved", nil, 200).body, receipt.ID.String())
}

func field(t *testing.T, body, name string) json.RawMessage {
	t.Helper()
	var object map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(body), &object))
	return object[name]
}
