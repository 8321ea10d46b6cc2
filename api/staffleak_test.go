package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

// Whatever a member reads, reported, sanctioned, appealing or having reported someone: no response has the name, the id or the
// address of the moderators who decided.
func TestOperations_NameNoStaffToMembers(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	rows := roleTable(t)
	c := s.newCast()
	secrets := []string{"Quartermaine", "Zuckerkandl"}
	for i, role := range []string{"admin", "moderator"} {
		// Nobody finds them as members.
		s.Exec(`UPDATE users SET full_name = $2, first_name = $2, email = $2 || '@staff.example', incognito = true WHERE id = $1`, c.members[role], secrets[i])
		secrets = append(secrets, c.ids[role], secrets[i]+"@staff.example")
	}
	do := func(role, method, path, body string) {
		t.Helper()
		response := s.do(s.newRequest(c.cookies[role], method, path, "application/json", body))
		require.Less(t, response.status, 300, "%s: %s", path, response.body)
	}
	words := `"explanation":"Please be kind.","reason":"Seen"`
	for _, role := range []string{"owner", "match", "blocked"} {
		do("moderator", http.MethodPut, "/api/admin/users/"+c.ids[role]+"/warnings/"+c.newID("warning").String(), "{"+words+"}")
		do("moderator", http.MethodPut, "/api/admin/notes/member/"+c.ids[role]+"/"+c.newID("note").String(), `{"text":"Wrote before."}`)
	}
	do("moderator", http.MethodPost, "/api/admin/reports/"+c.ids["report"]+"/open", `{"reason":"To see"}`)
	do("moderator", http.MethodPut, "/api/admin/reports/"+c.ids["report"], `{"decision":"warn",`+words+`}`)
	do("moderator", http.MethodPost, "/api/admin/flags/"+c.ids["flag"]+"/open", `{"reason":"To see"}`)
	do("moderator", http.MethodPut, "/api/admin/flags/"+c.ids["flag"], `{"decision":"warn",`+words+`}`)
	do("admin", http.MethodPost, "/api/admin/appeals/"+c.ids["appealed"]+"/open", `{"reason":"To see"}`)
	do("admin", http.MethodPut, "/api/admin/appeals/"+c.ids["appealed"], `{"outcome":"lifted",`+words+`}`)

	read := 0
	for _, op := range s.operations() {
		name := op.method + " " + op.path
		if op.method != http.MethodGet || changingReads[name] || !op.access.Allows(web.Member) {
			continue
		}
		for _, role := range []string{"owner", "match", "stranger", "blocked", "suspended", "under review"} {
			response := s.do(c.request(role, op, rows[name]))
			read++
			for _, secret := range secrets {
				require.NotContains(t, response.body, secret, "%s names staff to the role %s: %s", name, role, response.body)
			}
		}
	}
	require.Greater(t, read, 200, "hardly anything was read")
	decisions := s.do(s.newRequest(c.cookies["owner"], http.MethodGet, "/api/users/me/decisions", "", ""))
	require.Contains(t, decisions.body, "Please be kind.")
}
