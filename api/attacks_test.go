package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

// openSocket opens a socket with a cookie and waits until it is registered.
func (s *env) openSocket(cookie string) *websocket.Conn {
	s.Helper()
	header := http.Header{"Cookie": {cookie}, "Origin": {"http://heartward.test"}, "Host": {"heartward.test"}}
	conn, response, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.address, "http")+"/ws", header)
	if response != nil {
		defer response.Body.Close()
	}
	require.NoError(s, err)
	s.Cleanup(func() { conn.Close() })
	require.NoError(s, conn.SetReadDeadline(time.Now().Add(testkit.Timeout)))
	_, first, err := conn.ReadMessage()
	require.NoError(s, err)
	require.Contains(s, string(first), "identified")
	return conn
}

// An attacker has copied the session cookie. When the member signs out, the copy opens
// nothing, and the attacker's socket closes.
func TestLogout_EndsCopiedSession(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	stolen := s.viewer
	socket := s.openSocket(stolen)
	require.Equal(t, http.StatusOK, s.send(stolen, http.MethodGet, "/api/users/me", "", "").status)
	require.Equal(t, http.StatusNoContent, s.send(s.viewer, http.MethodPost, "/api/auth/logout", "application/json", "").status)

	for {
		if _, _, err := socket.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			require.ErrorAs(t, err, &closed)
			break
		}
	}
	for _, path := range []string{"/api/users/me", "/api/messages/" + s.idsOfOthers["conversation"].String(), "/api/sync"} {
		require.Equal(t, http.StatusUnauthorized, s.send(stolen, http.MethodGet, path, "", "").status, path)
	}
	header := http.Header{"Cookie": {stolen}, "Origin": {"http://heartward.test"}, "Host": {"heartward.test"}}
	_, response, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.address, "http")+"/ws", header)
	require.Error(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusUnauthorized, response.StatusCode)
}

// serverSetFields are fields that only the server sets. Where an operation has an input with
// such a name, as an admin's search for featured members, it is not tried.
var serverSetFields = map[string]any{
	"isAdmin": true, "is_admin": true, "isVerified": true, "isPremium": true, "isFeatured": true, "isApproved": true, "profileStatus": "active",
	"status": "active", "id": sampleID, "email": "other@example.test", "passwordHash": "x", "referralCode": "ABCDEFGH", "referredBy": sampleID,
	"createdAt": "2020-01-01T00:00:00Z", "ownerId": sampleID, "senderId": sampleID, "fromUserId": sampleID,
	"isModerator": true, "premiumUntil": "2099-01-01T00:00:00Z", "suspendedUntil": "2020-01-01T00:00:00Z", "isAdminPost": true,
	"publishedAt": "2020-01-01T00:00:00Z", "likeCount": 99, "approvedBy": sampleID, "decidedBy": sampleID, "awardedAt": "2020-01-01T00:00:00Z",
	"rewardTier": 4, "completedAt": "2020-01-01T00:00:00Z",
}

// Adds each field that only the server sets to a body of each operation, as an admin, so that
// no operation refuses for the role. All are refused and nothing changes.
func TestOperations_RefuseMassAssignment(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	s.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, s.idOf(s.viewer))
	before, tried := s.snapshot(), 0
	for _, op := range s.operations() {
		if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
			continue
		}
		schema := s.resolve(op.RequestBody.Content["application/json"].Schema)
		if op.OperationID == "sign-up" { // see TestSignUp_IgnoresServerSetFields
			continue
		}
		for name, value := range serverSetFields {
			if schema.Properties[name] != nil {
				continue
			}
			var body map[string]any
			require.NoError(t, json.Unmarshal([]byte(op.sample(s)), &body))
			body[name] = value
			got := s.json(s.viewer, op.method, op.pathWith(s, nil, ""), body)
			tried++
			if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `"body.`+name+`"`) {
				t.Errorf("%s %s with %s: %d %s", op.method, op.path, name, got.status, got.body)
			}
		}
	}
	require.Greater(t, tried, 500)
	require.Equal(t, before, s.snapshot())
}

// The sign-up ignores fields that it does not know, so it is tried with a valid code and all
// of them.
func TestSignUp_IgnoresServerSetFields(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	const email = "mallory@example.test"
	body := maps.Clone(serverSetFields)
	maps.Copy(body, map[string]any{
		"email": email, "fullName": "Mallory", "age": 30, "city": "Portland", "state": "OR", "intentionTags": []string{"Long-term"},
		"bio": "", "loveReflection": "", "honorCode": true,
	})
	var browser string
	body["code"], browser = s.newCode(email)
	response := s.json(browser, http.MethodPost, "/api/users", body)
	require.Equal(t, http.StatusCreated, response.status, response.body)
	id := s.idOf(cookieOf(response))
	require.NotEqual(t, sampleID, id)
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM users
		WHERE id = $1
			AND email = $2
			AND NOT is_admin
			AND NOT is_featured
			AND verified_at IS NULL
			AND password_hash IS NULL
			AND id NOT IN (SELECT referred_id FROM joined_referrals)
			AND referral_code <> 'ABCDEFGH'
			AND created_at > '2021-01-01'`, id, email))
	require.Equal(t, http.StatusForbidden, s.send(cookieOf(response), http.MethodGet, "/api/admin/flags", "", "").status)
}

// A member whose profile is not found any more has blocked the caller, hides from strangers, was
// suspended or has deleted the account. Undoing a pass and unblocking do not tell which.
func TestUndo_DoesNotTellHiddenFromDeleted(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	c := s.newCast()
	s.Exec(`UPDATE users SET incognito = true WHERE id = $1`, c.ids["stranger"])
	s.Exec(`DELETE FROM users WHERE id = $1`, c.ids["writer"])
	var undone []httpResponse
	for _, member := range []string{"blocker", "stranger", "suspended", "writer"} {
		got := s.send(c.cookies["owner"], http.MethodGet, "/api/users/"+c.ids[member], "", "")
		require.Equal(t, http.StatusNotFound, got.status, member)
		for _, path := range []string{"/api/passes/", "/api/blocks/"} {
			got := s.send(c.cookies["owner"], http.MethodDelete, path+c.ids[member], "application/json", "")
			undone = append(undone, httpResponse{status: got.status, body: got.body})
		}
	}
	for _, response := range undone {
		require.Equal(t, httpResponse{status: http.StatusNoContent}, response)
	}
}

// Whether the id of a member who is not shown is that of one who has blocked the caller, hides from strangers or was
// suspended: every operation on it responds alike. All but block and report, which succeed, respond as for a deleted account.
func TestHiddenMembers_GetTheSameResponses(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	c := s.newCast()
	s.Exec(`UPDATE users SET incognito = true WHERE id = $1`, c.ids["stranger"])
	c.ids["deleted"] = uuid.NewString()
	for _, op := range []struct {
		method, path string
		body         map[string]any
		onDeleted    bool // the response for a deleted account is the same
	}{
		{http.MethodGet, "/api/users/$id", nil, true},
		{http.MethodPost, "/api/likes", map[string]any{"toUserId": "$id", "likeType": "like"}, true},
		{http.MethodPost, "/api/passes", map[string]any{"toUserId": "$id"}, true},
		{http.MethodGet, "/api/messages/$id", nil, true},
		{http.MethodPost, "/api/messages", map[string]any{"recipientId": "$id", "content": "Hi", "messageType": "text", "clientId": uuid.Must(uuid.NewV7())}, true},
		{http.MethodPost, "/api/reports", map[string]any{"userId": "$id", "reason": "spam", "place": "profile"}, false},
		{http.MethodPost, "/api/blocks", map[string]any{"userId": "$id"}, false},
	} {
		hidden := []string{"blocker", "stranger", "suspended"}
		if op.onDeleted {
			hidden = append(hidden, "deleted")
		}
		responses := map[string][]string{}
		for _, member := range hidden {
			body, contentType := "", ""
			if op.body != nil {
				content, err := json.Marshal(op.body)
				require.NoError(t, err)
				body, contentType = strings.ReplaceAll(string(content), "$id", c.ids[member]), "application/json"
			}
			got := s.send(c.cookies["owner"], op.method, strings.ReplaceAll(op.path, "$id", c.ids[member]), contentType, body)
			response := fmt.Sprint(got.status, " ", anyID.ReplaceAllString(got.body, "id"))
			responses[response] = append(responses[response], member)
		}
		require.Len(t, responses, 1, "%s %s: %v", op.method, op.path, responses)
	}
}

var anyID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
