package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// specAdminCalls are the calls that the product's specification lists for admins, with its payloads beside
// adminEmail.
var specAdminCalls = []struct{ method, path, body string }{
	{http.MethodPost, "/api/admin/send-weekly-digest", ``},
	{http.MethodPost, "/api/admin/users", `"status":"active","isGraduated":false,"city":"Portland"`},
	{http.MethodGet, "/api/admin/graduations/pending", ``},
	{http.MethodGet, "/api/admin/reports", ``},
	{http.MethodGet, "/api/admin/messages/summary", ``},
	{http.MethodGet, "/api/admin/settings/intention-tags", ``},
	{http.MethodPut, "/api/admin/users/$match/featured", ``},
	{http.MethodPut, "/api/admin/graduations/$pendingCouple/approve", ``},
	{http.MethodPut, "/api/admin/users/$stranger/status", `"status":"suspended"`},
	{http.MethodPut, "/api/admin/reports/$report", `"status":"reviewed","actionTaken":"Warning issued"`},
	{http.MethodPut, "/api/admin/settings/intention-tags", `"tags":["Long-term","Friendship"]`},
}

// The session alone says who the caller is: the address of an admin in a body or a query gives a member
// no rights, and another address takes none from an admin, under whose id the audit log has the action.
func TestAdminCalls_IgnoreAdminEmail(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	c := s.newCast()
	address := func(role string) string { return c.ids[role] + "@role.example" }
	call := func(role, email string) (statuses []int) {
		for _, spec := range specAdminCalls {
			path := spec.path
			for _, name := range []string{"stranger", "match", "pendingCouple", "report"} {
				path = strings.Replace(path, "$"+name, c.ids[name], 1)
			}
			body := ""
			if spec.method == http.MethodGet {
				path += "?adminEmail=" + email
			} else {
				body = `{"adminEmail":"` + email + `"`
				if spec.body != "" {
					body += "," + spec.body
				}
				body += "}"
			}
			got := s.send(c.cookies[role], spec.method, path, "application/json", body)
			if got.status >= 400 && got.status != http.StatusForbidden && got.status != http.StatusUnauthorized {
				t.Errorf("%s %s %s: %d %s", role, spec.method, spec.path, got.status, got.body)
			}
			statuses = append(statuses, got.status)
		}
		return statuses
	}
	before := s.snapshot()
	for _, status := range call("owner", address("admin")) {
		require.Equal(t, http.StatusForbidden, status)
	}
	require.Equal(t, before, s.snapshot())
	for _, path := range []string{"/api/admin/graduations/" + c.ids["pendingCouple"], "/api/admin/reports/" + c.ids["report"]} {
		require.Equal(t, http.StatusOK, s.send(c.cookies["admin"], http.MethodPost, path+"/open", "application/json", `{"reason":"To see"}`).status)
	}
	for _, status := range call("admin", address("stranger")) {
		require.Less(t, status, 300)
	}
	require.Equal(t, 8, s.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1`, c.ids["admin"]))
	require.Equal(t, 8, s.Count(`SELECT count(*) FROM audit_log`))
}

// The specification's form of a decision on a report: resolved suspends the member, and says what was done.
func TestDecideReport_TakesStatusOfSpecification(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	c := s.newCast()
	decide := func(body string) httpResponse {
		return s.send(c.cookies["admin"], http.MethodPut, "/api/admin/reports/"+c.ids["report"], "application/json", body)
	}
	unread := decide(`{"status":"resolved","actionTaken":"User suspended"}`)
	require.Equal(t, http.StatusConflict, unread.status)
	require.Contains(t, unread.body, "open_first")
	opening := s.send(c.cookies["admin"], http.MethodPost, "/api/admin/reports/"+c.ids["report"]+"/open", "application/json", `{"reason":"To see"}`)
	require.Equal(t, http.StatusOK, opening.status, opening.body)
	for _, body := range []string{`{"reason":"Seen"}`, `{"status":"reviewed","decision":"warn","reason":"Seen","explanation":"No"}`, `{"status":"pending"}`} {
		require.Equal(t, http.StatusUnprocessableEntity, decide(body).status, body)
	}
	got := decide(`{"status":"resolved","actionTaken":"User suspended","adminEmail":"x@y.example"}`)
	require.Less(t, got.status, 300, got.body)
	require.Equal(t, 1, s.Count(`
		SELECT count(*)
		FROM reports r
		JOIN users u ON u.id = r.reported_user_id
		WHERE r.id = $1
			AND r.status = 'resolved'
			AND u.profile_status = 'suspended'
			AND u.suspended_until BETWEEN now() + interval '6 days' AND now() + interval '8 days'`, c.ids["report"]))
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM audit_log WHERE action = 'report.suspend' AND reason = 'User suspended'`))
}
