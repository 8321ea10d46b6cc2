package api_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/deletion"
	"heartward/api/export"
	"heartward/api/members"
	"heartward/api/messaging/conversations"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// leavingPair returns two members with a conversation, of whom the first may leave.
func (s *env) leavingPair() (ann, ben, annID, benID string) {
	s.Helper()
	ann, ben = s.signUp("leaving"), s.signUp("staying")
	annID, benID = s.idOf(ann), s.idOf(ben)
	pair := []struct{ cookie, to, text string }{{ann, benID, "hello from leaving"}, {ben, annID, "hello from staying"}}
	for _, m := range pair {
		require.Equal(s, http.StatusCreated, s.json(m.cookie, http.MethodPost, "/api/likes", map[string]any{"toUserId": m.to, "likeType": "like"}).status)
	}
	for _, m := range pair {
		response := s.json(m.cookie, http.MethodPost, "/api/messages", map[string]any{"recipientId": m.to, "content": m.text, "clientId": sampleID})
		require.Equal(s, http.StatusCreated, response.status, response.body)
	}
	return ann, ben, annID, benID
}

// newCode requests a code for an address and returns it with the cookie of the browser.
func (s *env) newCode(email string) (code, browser string) {
	s.Helper()
	s.Exec(`DELETE FROM login_codes WHERE email = $1`, email)
	before, err := s.mails.List(email, 100)
	require.NoError(s, err)
	response := s.json("", http.MethodPost, "/api/auth/code", map[string]any{"email": email})
	require.Equal(s, http.StatusAccepted, response.status)
	require.Eventually(s, func() bool {
		mails, err := s.mails.List(email, 100)
		require.NoError(s, err)
		if len(mails) > len(before) {
			code = codePattern.FindString(mails[0].Text)
		}
		return code != ""
	}, testkit.Timeout, 5*time.Millisecond)
	return code, cookieOf(response)
}

// signInAgain signs in with a new code and returns the cookie.
func (s *env) signInAgain(email string) string {
	s.Helper()
	code, browser := s.newCode(email)
	response := s.json(browser, http.MethodPost, "/api/auth/login", map[string]any{"email": email, "code": code})
	require.Equal(s, http.StatusOK, response.status, response.body)
	return cookieOf(response)
}

func (s *env) conversationsOf(cookie string) (list []struct {
	IsFormer    bool `json:"isFormer"`
	UnreadCount int  `json:"unreadCount"`
	User        struct {
		FirstName string `json:"firstName"`
		City      string `json:"city"`
	} `json:"user"`
	LastMessage struct {
		Deleted bool `json:"deleted"`
	} `json:"lastMessage"`
}) {
	s.Helper()
	response := s.send(cookie, http.MethodGet, "/api/conversations", "", "")
	require.Equal(s, http.StatusOK, response.status)
	require.NoError(s, json.Unmarshal([]byte(response.body), &list))
	return list
}

func TestDeletion_RequiresRecentProof(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, _, annID, _ := s.leavingPair()
	s.Exec(`UPDATE sessions SET proved_at = now() - interval '10 minutes 1 second' WHERE user_id = $1`, annID)
	refused := s.send(ann, http.MethodPost, "/api/users/me/deletion", "application/json", "")
	require.Equal(t, http.StatusForbidden, refused.status)
	require.Contains(t, refused.body, "proof_required")
	require.Equal(t, http.StatusOK, s.send(ann, http.MethodGet, "/api/auth/user", "", "").status, "nothing changed")
}

// A leaving member is hidden and signed out at once. A later session is restricted until the member keeps the account,
// which then is as it was.
func TestDeletion_HidesMemberWhoCanKeepAccount(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben, annID, benID := s.leavingPair()
	other := s.conversationsOf(ann)
	require.Len(t, other, 1)
	s.Exec(`INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth)
		SELECT gen_random_uuid(), user_id, id, 'https://push.example/1', 'k', 'a' FROM sessions WHERE user_id = $1`, annID)

	response := s.send(ann, http.MethodPost, "/api/users/me/deletion", "application/json", "")
	require.Equal(t, http.StatusOK, response.status, response.body)
	require.Equal(t, `"cache", "storage"`, response.header.Get("Clear-Site-Data"))
	var requested deletion.Deletion
	require.NoError(t, json.Unmarshal([]byte(response.body), &requested))
	require.WithinDuration(t, time.Now().Add(14*24*time.Hour), requested.DueAt, time.Minute)
	require.Equal(t, http.StatusUnauthorized, s.send(ann, http.MethodGet, "/api/auth/user", "", "").status)
	require.Equal(t, http.StatusUnauthorized, s.send(ann, http.MethodPost, "/api/users/me/deletion", "application/json", "").status)
	require.Zero(t, s.Count("SELECT count(*) FROM push_subscriptions WHERE user_id = $1", annID))

	require.Empty(t, s.conversationsOf(ben))
	require.Equal(t, http.StatusNotFound, s.send(ben, http.MethodGet, "/api/users/"+annID, "", "").status)
	require.Equal(t, http.StatusNotFound, s.send(s.viewer, http.MethodGet, "/api/users/"+annID, "", "").status)
	for _, list := range []string{"/api/matches", "/api/likes/received", "/api/matches/for-you", "/api/discover"} {
		require.NotContains(t, s.send(ben, http.MethodGet, list, "", "").body, annID, list)
	}
	require.JSONEq(t, `[]`, s.json(ben, http.MethodPost, "/api/messages/search", map[string]any{"q": "hello"}).body)
	require.Equal(t, http.StatusNotFound, s.json(ben, http.MethodPost, "/api/messages", map[string]any{
		"recipientId": annID, "content": "are you there?", "clientId": benID,
	}).status)

	email := s.emails[len(s.emails)-2]
	ann = s.signInAgain(email)
	var me members.Me
	require.NoError(t, json.Unmarshal([]byte(s.send(ann, http.MethodGet, "/api/auth/user", "", "").body), &me))
	require.Equal(t, requested.DueAt, *me.DeletionDueAt)
	require.Empty(t, s.conversationsOf(ben), "a sign-in does not keep the account")
	require.Contains(t, s.send(ann, http.MethodGet, "/api/conversations", "", "").body, "account_restricted")

	s.Exec(`UPDATE sessions SET proved_at = now() - interval '10 minutes 1 second' WHERE user_id = $1`, annID)
	refused := s.send(ann, http.MethodDelete, "/api/users/me/deletion", "", "")
	require.Equal(t, http.StatusForbidden, refused.status)
	require.Contains(t, refused.body, "proof_required")
	s.Exec(`UPDATE sessions SET proved_at = now() WHERE user_id = $1`, annID)
	for range 2 { // a retry too
		kept := s.send(ann, http.MethodDelete, "/api/users/me/deletion", "", "")
		require.Equal(t, http.StatusNoContent, kept.status, kept.body)
	}
	require.Len(t, s.conversationsOf(ann), 1)
	require.Len(t, s.conversationsOf(ben), 1)
	require.Equal(t, http.StatusOK, s.send(ben, http.MethodGet, "/api/users/"+annID, "", "").status)
	require.Equal(t, 1, s.Count("SELECT count(*) FROM users WHERE id = $1 AND profile_status = 'active' AND deletion_due_at IS NULL", annID))
}

// A profile that a pending report hides is hidden after it was kept.
func TestDeletion_KeepLeavesProfileUnderReview(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, _, annID, _ := s.leavingPair()
	s.Exec(`INSERT INTO reports (id, reported_user_id, reason, place, priority, hides_profile) VALUES (gen_random_uuid(), $1, 'threat', 'card', 0, true)`, annID)
	s.Exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, annID)
	require.Equal(t, http.StatusOK, s.send(ann, http.MethodPost, "/api/users/me/deletion", "application/json", "").status)
	ann = s.signInAgain(s.emails[len(s.emails)-2])
	keep := func() httpResponse { return s.send(ann, http.MethodDelete, "/api/users/me/deletion", "", "") }
	s.Exec(`UPDATE users SET deletion_due_at = now() WHERE id = $1`, annID)
	require.Equal(t, http.StatusUnauthorized, keep().status, "the deletion is due")
	s.Exec(`UPDATE users SET deletion_due_at = now() + interval '1 minute' WHERE id = $1`, annID)
	require.Equal(t, http.StatusNoContent, keep().status)
	require.Equal(t, 1, s.Count("SELECT count(*) FROM users WHERE id = $1 AND profile_status = 'under_review'", annID))
}

// After the deletion the other member sees the conversation with a former member, to whom
// nothing can be sent.
func TestDeletion_OtherMemberSeesFormerMember(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben, annID, benID := s.leavingPair()
	var synced conversations.Delta
	require.NoError(t, json.Unmarshal([]byte(s.send(ben, http.MethodGet, "/api/sync", "", "").body), &synced))
	require.Equal(t, http.StatusOK, s.send(ann, http.MethodPost, "/api/users/me/deletion", "application/json", "").status)
	s.Exec(`UPDATE users SET deletion_due_at = now() WHERE id = $1`, annID)
	require.NoError(t, deletion.Delete(t.Context(), s.Pool, pgtest.Jobs(t, s.Pool), s.reports, api.Data(), uuid.MustParse(annID)))

	list := s.conversationsOf(ben)
	require.Len(t, list, 1)
	require.True(t, list[0].IsFormer)
	require.Equal(t, "Former member", list[0].User.FirstName)
	require.Empty(t, list[0].User.City)
	require.Zero(t, list[0].UnreadCount)
	changed := s.send(ben, http.MethodGet, "/api/sync?cursor="+synced.Cursor, "", "").body
	require.Contains(t, changed, "Former member", "devices get the change")
	messages := s.send(ben, http.MethodGet, "/api/messages/"+annID, "", "")
	require.Equal(t, http.StatusOK, messages.status)
	require.Contains(t, messages.body, "hello from staying")
	require.NotContains(t, messages.body, "hello from leaving")
	require.Equal(t, http.StatusNotFound, s.json(ben, http.MethodPost, "/api/messages", map[string]any{
		"recipientId": annID, "content": "are you there?", "clientId": benID,
	}).status)
	require.Equal(t, http.StatusNotFound, s.send(ben, http.MethodGet, "/api/users/"+annID, "", "").status)
	require.NotContains(t, s.send(ben, http.MethodGet, "/api/matches", "", "").body, annID)
}

// A member who is suspended while leaving is leaving again when the suspension ends.
func TestDeletion_EndOfSuspensionLeavesMemberLeaving(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, _, annID, _ := s.leavingPair()
	require.Equal(t, http.StatusOK, s.send(ann, http.MethodPost, "/api/users/me/deletion", "application/json", "").status)
	s.Exec(`UPDATE users SET profile_status = 'suspended', suspended_until = now() WHERE id = $1`, annID)
	ended, err := members.EndSuspensions(t.Context(), s.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 1, ended)
	require.Equal(t, 1, s.Count("SELECT count(*) FROM users WHERE id = $1 AND profile_status = 'leaving'", annID))
}

// A member who has asked for the deletion of the account signs in again, and gets the data without keeping the account.
func TestDeletion_LeavingMemberGetsExport(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabel")
	s.addPhoto(ann)
	require.Equal(t, http.StatusOK, s.send(ann, http.MethodPost, "/api/users/me/deletion", "application/json", "").status)
	ann = s.signInAgain(s.emails[len(s.emails)-1])
	s.makeExport(ann)
	files := s.fetchExport(ann)
	require.Contains(t, files["profile/profile.json"], `"profile_status": "leaving"`)
	testkit.RequireValid(t, export.Schema, documentsOf(files))
	require.Equal(t, 1, s.Count(`SELECT count(*) FROM users WHERE profile_status = 'leaving' AND deletion_due_at > now()`))
}
