package auth_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/auth/authtest"
	"heartward/api/members"
	"heartward/api/platform/web"
)

// site is the relying party of env.
var site = virtualwebauthn.RelyingParty{Name: "Heartward", ID: "heartward.test", Origin: "https://heartward.test"}

// authenticator is a virtual authenticator with one passkey of a member.
type authenticator struct {
	virtualwebauthn.Authenticator
	key   virtualwebauthn.Credential
	party virtualwebauthn.RelyingParty // the site that it signs; a real browser sets it
}

func newAuthenticator(t testing.TB, member uuid.UUID) *authenticator {
	t.Helper()
	return &authenticator{
		Authenticator: virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: member[:]}),
		key:           virtualwebauthn.NewCredentialWithImportedKey(virtualwebauthn.KeyTypeEC2, authtest.NewPasskey(t)), party: site,
	}
}

// challenge requests a challenge and returns it.
func (b *browser) challenge(path, body string) auth.Challenge {
	b.w.Helper()
	resp := b.call("POST", path, body)
	require.Equal(b.w, 201, resp.Code, "%s", resp.Body)
	return decode[auth.Challenge](b.w, resp.Body)
}

// registration returns the body that adds the passkey in response to a challenge, with more JSON
// fields.
func (a *authenticator) registration(t testing.TB, c auth.Challenge, more string) string {
	t.Helper()
	options, err := virtualwebauthn.ParseAttestationOptions(string(c.Options))
	require.NoError(t, err)
	return body(t, c, virtualwebauthn.CreateAttestationResponse(a.party, a.Authenticator, a.key, *options), more)
}

// assertion returns the body that responds to a challenge with a signature, which it counts, and
// more JSON fields.
func (a *authenticator) assertion(t testing.TB, c auth.Challenge, more string) string {
	t.Helper()
	options, err := virtualwebauthn.ParseAssertionOptions(string(c.Options))
	require.NoError(t, err)
	a.key.Counter++
	return body(t, c, virtualwebauthn.CreateAssertionResponse(a.party, a.Authenticator, a.key, *options), more)
}

func body(t testing.TB, c auth.Challenge, credential, more string) string {
	t.Helper()
	text, err := json.Marshal(auth.PasskeyResponse{ChallengeID: c.ID, Credential: json.RawMessage(credential)})
	require.NoError(t, err)
	return strings.TrimSuffix(string(text), "}") + more + "}"
}

// addPasskey adds a passkey of the signed-in member, with a setup code unless it is empty.
func (b *browser) addPasskey(a *authenticator, setupCode string) auth.Passkey {
	b.w.Helper()
	setup := `"setupCode":"` + setupCode + `"`
	resp := b.call("POST", "/api/auth/passkeys", a.registration(b.w, b.challenge("/api/auth/passkeys/challenge", "{"+setup+"}"), `,"name":" My phone ",`+setup))
	require.Equal(b.w, 201, resp.Code, "%s", resp.Body)
	return decode[auth.Passkey](b.w, resp.Body)
}

func (b *browser) passkeySignIn(a *authenticator) *httptest.ResponseRecorder {
	b.w.Helper()
	return b.call("POST", "/api/auth/login/passkey", a.assertion(b.w, b.challenge("/api/auth/login/challenge", ""), ""))
}

func (b *browser) prove(a *authenticator) *httptest.ResponseRecorder {
	b.w.Helper()
	return b.call("POST", "/api/auth/proof", `{"passkey":`+a.assertion(b.w, b.challenge("/api/auth/proof/challenge", ""), "")+`}`)
}

func (b *browser) factors() auth.Factors {
	b.w.Helper()
	resp := b.call("GET", "/api/auth/factors", "")
	require.Equal(b.w, 200, resp.Code, "%s", resp.Body)
	return decode[auth.Factors](b.w, resp.Body)
}

func codeOf(t testing.TB, resp *httptest.ResponseRecorder) string {
	t.Helper()
	return decode[web.Problem](t, resp.Body).Code
}

func TestPasskey_SignsInAndProves(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop := w.browser(), w.browser()
	ada := phone.signUp("ada@example.test")
	key := newAuthenticator(t, ada)
	before := phone.cookies["sid"]
	added := phone.addPasskey(key, "")
	require.Equal(t, "My phone", added.Name)
	require.False(t, added.IsFactor)
	require.NotEqual(t, before, phone.cookies["sid"], "the session gets a new token")

	resp := laptop.passkeySignIn(key)
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	require.Equal(t, ada, decode[members.Me](t, resp.Body).ID)
	require.True(t, laptop.signedIn())
	require.NotNil(t, laptop.factors().Passkeys[0].UsedAt)

	w.expireProofs()
	require.Equal(t, "proof_required", codeOf(t, laptop.call("DELETE", "/api/auth/sessions", "")))
	before = laptop.cookies["sid"]
	require.Equal(t, 204, laptop.prove(key).Code)
	require.NotEqual(t, before, laptop.cookies["sid"])
	require.Equal(t, 204, laptop.call("DELETE", "/api/auth/sessions", "").Code)
	require.False(t, phone.signedIn())
}

func TestPasskey_RefusesReplayAndForeignResponses(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, attacker := w.browser(), w.browser()
	key := newAuthenticator(t, phone.signUp("ada@example.test"))
	phone.addPasskey(key, "")

	refused := func(response, why string, status int) {
		t.Helper()
		b := w.browser()
		b.cookies["bid"] = attacker.cookies["bid"]
		require.Equal(t, status, b.call("POST", "/api/auth/login/passkey", response).Code, why)
		require.False(t, b.signedIn(), why)
	}
	begin := func() auth.Challenge { return attacker.challenge("/api/auth/login/challenge", "") }

	response := key.assertion(t, begin(), "")
	require.Equal(t, 200, attacker.call("POST", "/api/auth/login/passkey", response).Code)
	refused(response, "a replay", 403)

	phishing := *key
	phishing.party.Origin = "https://heartward.example"
	refused(phishing.assertion(t, begin(), ""), "another origin", 401)
	port := *key
	port.party.Origin = "https://heartward.test:8443"
	refused(port.assertion(t, begin(), ""), "another port", 401)
	scope := *key
	scope.party.ID = "example.test"
	refused(scope.assertion(t, begin(), ""), "another relying party", 401)
	absent := *key
	absent.Options.UserNotVerified = true
	refused(absent.assertion(t, begin(), ""), "without verification of the user", 401)
	forged := newAuthenticator(t, uuid.Nil)
	forged.Options.UserHandle, forged.key.ID = key.Options.UserHandle, key.key.ID
	refused(forged.assertion(t, begin(), ""), "another key", 401)
	unknown := *key
	unknown.Options.UserHandle = make([]byte, 16)
	refused(unknown.assertion(t, begin(), ""), "an unknown member", 401)
	refused(`{"challengeId":"`+begin().ID.String()+`","credential":{"id":7}}`, "no credential", 401)

	other := w.browser()
	c := other.challenge("/api/auth/login/challenge", "")
	refused(key.assertion(t, c, ""), "the challenge of another browser", 403)
	c = begin()
	w.Exec(`UPDATE passkey_challenges SET expires_at = now()`)
	refused(key.assertion(t, c, ""), "an old challenge", 403)
	refused(key.assertion(t, phone.challenge("/api/auth/proof/challenge", ""), ""), "the challenge of a proof", 403)
}

// A challenge, even of one's own browser, proves the identity of its own member only.
func TestPasskey_RefusesCredentialOfAnotherMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, eve := w.browser(), w.browser()
	adaKey := newAuthenticator(t, ada.signUp("ada@example.test"))
	eveID := eve.signUp("eve@example.test")
	eveKey := newAuthenticator(t, eveID)
	ada.addPasskey(adaKey, "")
	added := eve.addPasskey(eveKey, "")
	w.expireProofs()

	require.Equal(t, 403, ada.prove(eveKey).Code)
	handle := *eveKey
	handle.Options.UserHandle = adaKey.Options.UserHandle
	require.Equal(t, 403, ada.prove(&handle).Code, "with the handle of the other member")
	require.Equal(t, 401, w.browser().passkeySignIn(&handle).Code, "a sign-in with it")
	require.Equal(t, "proof_required", codeOf(t, ada.call("DELETE", "/api/auth/passkeys/"+added.ID.String(), "")))
	require.Equal(t, 404, ada.call("PATCH", "/api/auth/passkeys/"+added.ID.String(), `{"name":"mine"}`).Code)
	require.Equal(t, 204, ada.prove(adaKey).Code)
	require.Equal(t, 404, ada.call("DELETE", "/api/auth/passkeys/"+added.ID.String(), "").Code)
	require.Len(t, eve.factors().Passkeys, 1)

	// The browser of eve responds to a challenge that was made for ada.
	c := ada.challenge("/api/auth/proof/challenge", "")
	eve.cookies["bid"] = ada.cookies["bid"]
	require.Equal(t, "challenge_ended", codeOf(t, eve.call("POST", "/api/auth/proof", `{"passkey":`+eveKey.assertion(t, c, "")+`}`)))

	// The same credential cannot belong to two members.
	copied := *eveKey
	copied.Options.UserHandle = adaKey.Options.UserHandle
	resp := ada.call("POST", "/api/auth/passkeys", copied.registration(t, ada.challenge("/api/auth/passkeys/challenge", "{}"), ""))
	require.GreaterOrEqual(t, resp.Code, 400)
	require.Less(t, resp.Code, 500, "%s", resp.Body)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM passkeys WHERE user_id = $1`, eveID))
}

// A copy of the key counts its signatures by itself.
func TestPasskey_RefusesCopyWithOldCount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	key := newAuthenticator(t, phone.signUp("ada@example.test"))
	phone.addPasskey(key, "")
	clone := *key
	require.Equal(t, 200, w.browser().passkeySignIn(key).Code)
	require.Equal(t, 200, w.browser().passkeySignIn(key).Code)
	require.Equal(t, 401, w.browser().passkeySignIn(&clone).Code)
	require.Equal(t, 200, w.browser().passkeySignIn(key).Code, "the member's own authenticator still works")

	w.expireProofs()
	clone.key.Counter = 1
	require.Equal(t, 403, phone.prove(&clone).Code)
	clone.key.Counter = key.key.Counter
	responses := []string{}
	browsers := []*browser{w.browser(), w.browser()}
	for i, a := range []*authenticator{key, &clone} {
		responses = append(responses, a.assertion(t, browsers[i].challenge("/api/auth/login/challenge", ""), ""))
	}
	statuses := make([]int, 2)
	var group sync.WaitGroup
	for i, b := range browsers {
		group.Go(func() { statuses[i] = b.call("POST", "/api/auth/login/passkey", responses[i]).Code })
	}
	group.Wait()
	require.ElementsMatch(t, []int{200, 401}, statuses, "of two concurrent uses with the same count one succeeds")
}

func TestPasskey_IsRenamedAndRemoved(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	key := newAuthenticator(t, phone.signUp("ada@example.test"))
	added := phone.addPasskey(key, "")
	path := "/api/auth/passkeys/" + added.ID.String()
	require.Equal(t, 422, phone.call("PATCH", path, `{"name":" "}`).Code)
	require.Equal(t, 204, phone.call("PATCH", path, `{"name":"Blue phone"}`).Code)
	require.Equal(t, "Blue phone", phone.factors().Passkeys[0].Name)

	w.expireProofs()
	require.Equal(t, "proof_required", codeOf(t, phone.call("DELETE", path, "")))
	require.Equal(t, "proof_required", codeOf(t, phone.call("POST", "/api/auth/passkeys/challenge", "{}")))
	require.Equal(t, 204, phone.prove(key).Code)
	require.Equal(t, 204, phone.call("DELETE", path, "").Code)
	require.Empty(t, phone.factors().Passkeys)
	require.Equal(t, 401, w.browser().passkeySignIn(key).Code)
	require.Equal(t, 404, phone.call("POST", "/api/auth/proof/challenge", "").Code)

	for range 10 {
		phone.addPasskey(newAuthenticator(t, uuid.UUID(key.Options.UserHandle)), "")
	}
	require.Equal(t, 409, phone.call("POST", "/api/auth/passkeys/challenge", "{}").Code)
}

// A stranger with the unlocked phone adds a passkey; the member undoes it by the mail.
func TestPasskey_NotifiesAndCanBeUndone(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	stranger := newAuthenticator(t, phone.signUp("ada@example.test"))
	phone.addPasskey(stranger, "")
	mails := w.sendNotices("ada@example.test")
	require.Len(t, mails, 1)
	require.Equal(t, "A new passkey for your Heartward account", mails[0].Subject)
	token := noticeLink.FindStringSubmatch(mails[0].Text)[1]
	strangersBrowser := w.browser()
	require.Equal(t, 200, strangersBrowser.passkeySignIn(stranger).Code)

	resp := w.browser().call("POST", "/api/auth/disown", `{"token":"`+token+`"}`)
	require.Equal(t, auth.Disowned{PasskeyRemoved: true, AllSessionsEnded: true}, decode[auth.Disowned](t, resp.Body))
	require.False(t, strangersBrowser.signedIn())
	require.False(t, phone.signedIn())
	require.Equal(t, 401, w.browser().passkeySignIn(stranger).Code)
	w.sendNotices("ada@example.test")
	phone.signInByCode("ada@example.test")
	require.Len(t, w.sendNotices("ada@example.test"), 1, "the browser is a new one again")
}

// A stranger removes the passkey again after signing in with it, before the member reads the mail.
func TestPasskey_NoticeOfRemovedOneEndsAllSessions(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	stranger := newAuthenticator(t, phone.signUp("ada@example.test"))
	added := phone.addPasskey(stranger, "")
	token := noticeLink.FindStringSubmatch(w.sendNotices("ada@example.test")[0].Text)[1]
	strangersBrowser := w.browser()
	require.Equal(t, 200, strangersBrowser.passkeySignIn(stranger).Code)
	require.Equal(t, 204, strangersBrowser.call("DELETE", "/api/auth/passkeys/"+added.ID.String(), "").Code)

	resp := w.browser().call("POST", "/api/auth/disown", `{"token":"`+token+`"}`)
	require.Equal(t, auth.Disowned{AllSessionsEnded: true}, decode[auth.Disowned](t, resp.Body))
	require.False(t, strangersBrowser.signedIn())
	require.False(t, phone.signedIn())
}

func TestPasskey_RestrictsSuspendedAndLeavingMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	ada := phone.signUp("ada@example.test")
	key := newAuthenticator(t, ada)
	phone.addPasskey(key, "")
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ada)
	restricted := w.browser()
	require.Equal(t, 200, restricted.passkeySignIn(key).Code)
	require.Equal(t, "account_restricted", codeOf(t, restricted.call("GET", "/api/auth/sessions", "")))
	w.Exec(`UPDATE users SET profile_status = 'leaving', deletion_due_at = now() + interval '1 day' WHERE id = $1`, ada)
	back := w.browser()
	require.Equal(t, 200, back.passkeySignIn(key).Code)
	require.Equal(t, "account_restricted", codeOf(t, back.call("GET", "/api/auth/sessions", "")))
	require.Equal(t, 204, back.prove(key).Code)
	w.Exec(`DELETE FROM users WHERE id = $1`, ada)
	require.Equal(t, 401, w.browser().passkeySignIn(key).Code)
	require.Zero(t, w.Count(`SELECT count(*) FROM passkeys`))
}

// A manager of passkeys begins to sync one that it made for a device, or the reverse.
func TestPasskey_WorksAfterItsBackupFlagChanged(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	key := newAuthenticator(t, b.signUp("ada@example.test"))
	b.addPasskey(key, "")
	for _, eligible := range []bool{true, false} {
		key.Options.BackupEligible, key.Options.BackupState = eligible, eligible
		require.Equal(t, 200, w.browser().passkeySignIn(key).Code)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM passkeys WHERE (flags & 8 <> 0) = $1 AND (flags & 16 <> 0) = $1`, eligible), "the new flags are stored")
		require.Equal(t, 204, b.prove(key).Code)
	}
	key.Options.BackupState = true
	require.Equal(t, 401, w.browser().passkeySignIn(key).Code, "backed up although that is impossible")
}
