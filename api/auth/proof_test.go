package auth_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/web"
)

// signInByCode signs in and returns the id of the session.
func (b *browser) signInByCode(email string) string {
	b.w.Helper()
	code := b.code(email)
	require.Equal(b.w, 200, b.call("POST", "/api/auth/login", `{"email":"`+email+`","code":"`+code+`"}`).Code)
	sessions := decode[[]auth.Session](b.w, b.call("GET", "/api/auth/sessions", "").Body)
	return sessions[slices.IndexFunc(sessions, func(s auth.Session) bool { return s.Current })].ID.String()
}

// An attacker has the unlocked phone of a member, or a copy of its cookie.
func TestEndSession_RequiresRecentProof(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop := w.browser(), w.browser()
	phone.signUp("ada@example.test")
	session := laptop.signInByCode("ada@example.test")
	w.expireProofs()
	for _, path := range []string{"/api/auth/sessions/" + session, "/api/auth/sessions"} {
		resp := phone.call("DELETE", path, "")
		require.Equal(t, 403, resp.Code)
		require.Equal(t, "proof_required", decode[web.Problem](t, resp.Body).Code)
	}
	require.True(t, laptop.signedIn())
	require.Empty(t, w.events.Subjects())

	copied := w.browser()
	copied.cookies["sid"] = phone.cookies["sid"]
	require.Equal(t, 204, phone.call("POST", "/api/auth/proof", `{"code":"`+phone.code("ada@example.test")+`"}`).Code)
	require.NotEqual(t, copied.cookies["sid"], phone.cookies["sid"])
	require.Equal(t, 403, copied.call("DELETE", "/api/auth/sessions/"+session, "").Code, "a copied token does not gain from the proof")
	w.Exec(`UPDATE sessions SET token_replaced_at = token_replaced_at - interval '1 minute'`)
	require.Equal(t, 401, copied.call("DELETE", "/api/auth/sessions/"+session, "").Code)
	require.Equal(t, 204, phone.call("DELETE", "/api/auth/sessions/"+session, "").Code)
	require.False(t, laptop.signedIn())

	w.expireProofs()
	own := decode[[]auth.Session](t, phone.call("GET", "/api/auth/sessions", "").Body)[0]
	require.Equal(t, 204, phone.call("DELETE", "/api/auth/sessions/"+own.ID.String(), "").Code, "the own session needs no proof")
}

func TestEndOtherSessions_LeavesOwnSession(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop, tablet, stranger := w.browser(), w.browser(), w.browser(), w.browser()
	phone.signUp("ada@example.test")
	stranger.signUp("eve@example.test")
	ended := []string{"session." + laptop.signInByCode("ada@example.test"), "session." + tablet.signInByCode("ada@example.test")}
	require.Equal(t, 204, phone.call("DELETE", "/api/auth/sessions", "").Code)
	require.Equal(t, []bool{true, false, false, true}, []bool{phone.signedIn(), laptop.signedIn(), tablet.signedIn(), stranger.signedIn()})
	require.ElementsMatch(t, ended, w.events.Subjects())
	require.Equal(t, "session_revoked", decode[web.Problem](t, laptop.call("GET", "/api/auth/user", "").Body).Code)
	require.Equal(t, 204, phone.call("DELETE", "/api/auth/sessions", "").Code, "no other session")
}

func TestEndOtherSessions_OneOfTwoConcurrentCallsSucceeds(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	browsers := []*browser{w.browser(), w.browser()}
	browsers[0].signUp("ada@example.test")
	browsers[1].signInByCode("ada@example.test")
	var group sync.WaitGroup
	statuses := make([]int, 2)
	for i, b := range browsers {
		group.Go(func() { statuses[i] = b.call("DELETE", "/api/auth/sessions", "").Code })
	}
	group.Wait()
	require.ElementsMatch(t, []int{204, 401}, statuses)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sessions`))
}
