package api_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
)

// The notifications in the preview of a decision are those that its member and the reporter get.
func TestPreview_HasTheNotificationsOfTheDecision(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	c := s.newCast()
	call := func(role, method, path, body string, result any) {
		t.Helper()
		got := s.send(c.cookies[role], method, path, "application/json", body)
		require.Less(t, got.status, 300, got.body)
		if result != nil {
			require.NoError(t, json.Unmarshal([]byte(got.body), result))
		}
	}
	texts := func(role string) (all []string) {
		var list []struct{ Text string }
		call(role, http.MethodGet, "/api/notifications", "", &list)
		for _, n := range list {
			all = append(all, n.Text)
		}
		return all
	}
	before := map[string][]string{"owner": texts("owner"), "match": texts("match")}
	report := c.ids["report"]
	var preview moderation.DecisionPreview
	call("moderator", http.MethodPost, "/api/admin/decisions/preview", `{"kind":"report","id":"`+report+`","decision":"warn","explanation":"Please be kind."}`, &preview)
	require.Equal(t, before["owner"], texts("owner"), "the preview adds none")

	call("moderator", http.MethodPost, "/api/admin/reports/"+report+"/open", `{"reason":"To see"}`, nil)
	call("moderator", http.MethodPut, "/api/admin/reports/"+report, `{"decision":"warn","explanation":"Please be kind.","reason":"Seen"}`, nil)
	var added []moderation.PreviewedNotice
	for _, of := range []struct{ role, to string }{{"owner", "member"}, {"match", "reporter"}} {
		now := texts(of.role)
		for _, text := range now[:len(now)-len(before[of.role])] {
			added = append(added, moderation.PreviewedNotice{To: of.to, Text: text})
		}
	}
	require.Len(t, added, 2)
	require.Equal(t, added, preview.Notifications)
}
