package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

// Calls each operation of the OpenAPI document in each role of roles, with the ids of
// what the owner has. An operation without a row fails the test, and so does a row without
// an operation. After a call that changed something the next one gets a new cast.
func TestOperations_EnforceRoles(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	rowOf := roleTable(t)
	rows := maps.Clone(rowOf)
	operations := map[string]operation{}
	for _, op := range s.operations() {
		operations[op.method+" "+op.path] = op
	}
	var c *cast
	for name, op := range operations {
		row, ok := rows[name]
		delete(rows, name)
		if !ok {
			t.Errorf("%s has no row in api/%s/%s", name, op.Tags[0], rolesFile)
		}
		var statuses []string
		for _, role := range roles {
			if c == nil {
				c = s.newCast()
			}
			if opening, ok := operations[openedFirst[name]]; ok {
				s.Exec(`DELETE FROM queue_claims`) // the entry may be claimed by the moderator of the row before
				s.do(c.request(role, opening, rowOf[openedFirst[name]]))
			}
			response := s.do(c.request(role, op, row))
			if response.status < 400 && (op.method != http.MethodGet || changingReads[name]) {
				c = nil
			}
			statuses = append(statuses, fmt.Sprint(response.status))
			if got := strings.Fields(row.statuses); len(got) < len(statuses) || got[len(statuses)-1] != fmt.Sprint(response.status) {
				t.Logf("%s %s: %.200s", role, name, response.body)
			}
		}
		if got := strings.Join(statuses, " "); got != row.statuses {
			t.Errorf("the row would be:\n%s", roleRow{name, got, row.body})
		}
		checkAccess(t, op, statuses)
	}
	for name := range rows {
		t.Errorf("there is a row of %s, which is no operation", name)
	}
}

// changingReads are the operations with the method GET that change something.
var changingReads = map[string]bool{"GET /api/logout": true, "GET /api/users/me/export/download/{token}": true}

// checkAccess checks that the statuses follow from the operation's access: callers with too few rights are refused, and
// no others are for want of a session.
func checkAccess(t *testing.T, op operation, statuses []string) {
	t.Helper()
	if !op.access.Allows(web.Admin) {
		t.Errorf("%s %s has no access", op.method, op.path)
	}
	for i, role := range roles {
		rights, got := rightsOf(role), statuses[i]
		refusal := "403"
		if rights == web.Anyone {
			refusal = "401"
		}
		isAllowed := op.access.Allows(rights)
		if !isAllowed && got != refusal || isAllowed && got == "401" && op.access != web.Anyone {
			t.Errorf("%s %s with the access %s has status %s for the role %s", op.method, op.path, op.access, got, role)
		}
	}
}

// A made-up session is refused by every operation for members, moderators and admins.
func TestOperations_RefuseForgedSessions(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, op := range s.operations() {
		if op.access != web.Anyone {
			got := s.send("sid=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", op.method, op.pathWith(s, nil, ""), "application/json", op.sample(s))
			require.Equal(t, http.StatusUnauthorized, got.status, "%s %s", op.method, op.path)
		}
	}
}

// Calls every operation in the sessions of a suspended member and one under review, and opens
// a socket: all is refused but the operations on the own account.
func TestOperations_RefuseRestrictedMembers(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, status := range []string{"suspended", "under_review"} {
		cookie := s.signUp(status)
		s.Exec(`UPDATE users SET profile_status = $2 WHERE id = $1`, s.idOf(cookie), status)
		allowed := map[string]bool{}
		for _, op := range s.operations() {
			switch op.access {
			case web.Anyone:
			case web.Leaving, web.Account:
				allowed[op.method+" "+op.path] = true
				if op.method == http.MethodGet {
					got := s.send(cookie, op.method, op.pathWith(s, nil, ""), "", "")
					require.NotContains(t, got.body, "account_restricted", "%s %s", op.method, op.path)
				}
			default:
				contentType, body := op.sampleBody(s)
				got := s.send(cookie, op.method, op.pathWith(s, nil, ""), contentType, body)
				require.Equal(t, http.StatusForbidden, got.status, "%s %s: %s", op.method, op.path, got.body)
				if op.method != http.MethodHead {
					require.Contains(t, got.body, "account_restricted", "%s %s", op.method, op.path)
				}
			}
		}
		require.Equal(t, map[string]bool{
			"GET /api/auth/user": true, "POST /api/auth/logout": true, "POST /api/auth/proof": true, "GET /api/auth/factors": true,
			"POST /api/auth/proof/challenge": true, "POST /api/users/me/deletion": true, "DELETE /api/users/me/deletion": true, "GET /api/users/me/export": true,
			"POST /api/users/me/export": true, "POST /api/users/me/export/link": true, "GET /api/users/me/export/download/{token}": true,
			"GET /api/users/me/standing": true, "PUT /api/users/me/appeals/{id}": true,
			"GET /api/users/me/decisions": true, "PUT /api/users/me/statement": true,
		}, allowed)
		s.requireNoSocket(cookie)
		require.Equal(t, http.StatusOK, s.send(cookie, http.MethodPost, "/api/users/me/deletion", "application/json", "").status)
		require.Equal(t, 1, s.Count(`SELECT count(*) FROM users WHERE profile_status = $1 AND deletion_due_at IS NOT NULL`, status))
	}
}

// requireNoSocket opens a socket, which must be refused because the member is restricted, and returns the problem.
func (s *env) requireNoSocket(cookie string) (problem web.Problem) {
	s.Helper()
	socket := s.newRequest(cookie, http.MethodGet, "/ws", "", "")
	for name, value := range map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Origin": "http://heartward.test",
	} {
		socket.Header.Set(name, value)
	}
	refused := s.do(socket)
	require.Equal(s, http.StatusForbidden, refused.status)
	require.NoError(s, json.Unmarshal([]byte(refused.body), &problem), refused.body)
	require.Equal(s, "account_restricted", problem.Code)
	return problem
}

// leavingStatuses are the operations that a leaving member can call, with their statuses.
var leavingStatuses = map[string]int{
	"GET /api/auth/user": 200, "GET /api/auth/factors": 200, "POST /api/auth/proof": 403, "POST /api/auth/proof/challenge": 201,
	"POST /api/auth/logout": 204, "DELETE /api/users/me/deletion": 204, "GET /api/users/me/export": 200, "POST /api/users/me/export": 202,
	"POST /api/users/me/export/link": 200, "GET /api/users/me/export/download/{token}": 200,
}

// Calls every operation as the owner in the table of roles who has asked for the deletion of the account, also as an
// admin, and opens a socket: all is refused but leavingStatuses.
func TestOperations_RefuseLeavingMembers(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	rows := roleTable(t)
	for _, staff := range []string{"is_admin = false", "is_admin = true", "profile_status = 'suspended'"} {
		var c *cast
		allowed := map[string]int{}
		for _, op := range s.operations() {
			if op.access == web.Anyone {
				continue
			}
			if c == nil {
				c = s.newCast()
			}
			name := op.method + " " + op.path
			s.Exec(`UPDATE users SET profile_status = 'active', deletion_due_at = NULL WHERE id = $1`, c.members["owner"])
			request := c.request("owner", op, rows[name]) // may upload files
			s.Exec(`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() + interval '1 day' WHERE id = $1`, c.members["owner"])
			s.Exec(`UPDATE users SET `+staff+` WHERE id = $1`, c.members["owner"])
			if len(allowed) == 0 {
				s.requireNoSocket(c.cookies["owner"])
			}
			response := s.do(request)
			if op.access == web.Leaving {
				allowed[name] = response.status
				c = nil
				continue
			}
			require.Equal(t, http.StatusForbidden, response.status, "%s: %s", name, response.body)
			if op.method != http.MethodHead {
				require.Contains(t, response.body, "account_restricted", name)
			}
		}
		require.Equal(t, leavingStatuses, allowed, staff)
	}
}

// Calls every operation that writes.
func TestOperations_RefuseCrossSiteWrites(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, op := range s.operations() {
		if op.method == http.MethodGet || op.method == http.MethodHead {
			continue
		}
		for header, value := range map[string]string{
			"Sec-Fetch-Site": "cross-site", "sec-fetch-site": "same-site", "Origin": "https://evil.example", "origin": "null",
		} {
			resp := s.sendWith(s.viewer, op.method, op.pathWith(s, nil, ""), op.sample(s), header, value)
			require.Equal(t, http.StatusForbidden, resp.status, "%s %s with %s: %s", op.method, op.path, header, value)
		}
	}
	for _, origin := range []string{"http://heartward.test", ""} {
		resp := s.sendWith(s.viewer, http.MethodPatch, "/api/users/me", `{"bio":"mine"}`, "Origin", origin)
		require.Equal(t, http.StatusOK, resp.status, "own origin %q: %s", origin, resp.body)
	}
}
