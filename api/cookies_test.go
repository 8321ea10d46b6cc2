package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/descope/virtualwebauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/auth/authtest"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

const memberPassword = "correct battery 7"

// browser stores cookies as browsers do, by their attributes.
type browser struct {
	s        *env
	jar      *cookiejar.Jar
	observed map[string][]*http.Cookie // by the operation
}

func (s *env) browser(observed map[string][]*http.Cookie) *browser {
	s.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(s, err)
	return &browser{s, jar, observed}
}

func (b *browser) address() *url.URL {
	address, err := url.Parse(b.s.address)
	require.NoError(b.s, err)
	return address
}

// call calls an operation, stores the cookies of its response, and returns its body.
func (b *browser) call(operationID, body string, status int) []byte {
	b.s.Helper()
	all := b.s.operations()
	found := slices.IndexFunc(all, func(op operation) bool { return op.OperationID == operationID })
	require.GreaterOrEqual(b.s, found, 0, operationID)
	request := b.s.newRequest("", all[found].method, all[found].path, "application/json", body)
	for _, cookie := range b.jar.Cookies(b.address()) {
		request.AddCookie(cookie)
	}
	got := b.s.do(request)
	require.Equal(b.s, status, got.status, "%s: %s", operationID, got.body)
	parsed := (&http.Response{Header: got.header}).Cookies()
	require.Len(b.s, got.header.Values("Set-Cookie"), len(parsed), operationID)
	b.jar.SetCookies(b.address(), parsed)
	b.observed[operationID] = parsed
	return []byte(got.body)
}

// signUp creates a member with a password and returns the id.
func (b *browser) signUp(email string) uuid.UUID {
	b.s.Helper()
	b.call("request-code", fmt.Sprintf(`{"email":%q}`, email), 202)
	mails, err := b.s.mails.List(email, 1)
	require.NoError(b.s, err)
	body := b.call("sign-up", fmt.Sprintf(`{"email":%q,"fullName":"Ada","age":30,"city":"Portland","state":"OR",
		"intentionTags":["Long-term"],"honorCode":true,"code":%q}`, email, codePattern.FindString(mails[0].Text)), 201)
	b.call("set-password", fmt.Sprintf(`{"password":%q}`, memberPassword), 200)
	var me members.Me
	require.NoError(b.s, json.Unmarshal(body, &me))
	return me.ID
}

func (b *browser) signIn(email string) {
	b.s.Helper()
	b.call("sign-in", fmt.Sprintf(`{"email":%q,"password":%q}`, email, memberPassword), 200)
}

// passkey is a virtual authenticator with one passkey.
type passkey struct {
	virtualwebauthn.Authenticator
	key virtualwebauthn.Credential
}

var party = virtualwebauthn.RelyingParty{Name: "Heartward", ID: "heartward.test", Origin: "http://heartward.test"}

func (b *browser) addPasskey(member uuid.UUID) *passkey {
	b.s.Helper()
	k := &passkey{
		virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: member[:]}),
		virtualwebauthn.NewCredentialWithImportedKey(virtualwebauthn.KeyTypeEC2, authtest.NewPasskey(b.s)),
	}
	challenge := b.challenge("begin-add-passkey", "{}")
	options, err := virtualwebauthn.ParseAttestationOptions(string(challenge.Options))
	require.NoError(b.s, err)
	b.call("add-passkey", response(b.s, challenge, virtualwebauthn.CreateAttestationResponse(party, k.Authenticator, k.key, *options)), 201)
	return k
}

func (b *browser) signInByPasskey(k *passkey) {
	b.s.Helper()
	challenge := b.challenge("begin-passkey-sign-in", "{}")
	options, err := virtualwebauthn.ParseAssertionOptions(string(challenge.Options))
	require.NoError(b.s, err)
	k.key.Counter++
	b.call("sign-in-by-passkey", response(b.s, challenge, virtualwebauthn.CreateAssertionResponse(party, k.Authenticator, k.key, *options)), 200)
}

func (b *browser) challenge(operationID, body string) (c auth.Challenge) {
	b.s.Helper()
	require.NoError(b.s, json.Unmarshal(b.call(operationID, body, 201), &c))
	return c
}

func response(t testing.TB, c auth.Challenge, credential string) string {
	t.Helper()
	text, err := json.Marshal(auth.PasskeyResponse{ChallengeID: c.ID, Credential: json.RawMessage(credential)})
	require.NoError(t, err)
	return string(text)
}

// addApp makes the member an admin with an authenticator app.
func (b *browser) addApp(member uuid.UUID) {
	t := b.s
	t.Helper()
	_, err := b.s.Pool.Exec(t.Context(), `UPDATE users SET is_admin = true WHERE id = $1`, member)
	require.NoError(t, err)
	setup, err := pg.Tx(t.Context(), b.s.Pool, func(tx pgx.Tx) (string, error) { return auth.NewSetupCode(t.Context(), tx, member) })
	require.NoError(t, err)
	var app auth.NewApp
	require.NoError(t, json.Unmarshal(b.call("begin-add-authenticator-app", fmt.Sprintf(`{"setupCode":%q}`, setup), 201), &app))
	code, err := totp.GenerateCode(app.Secret, time.Now())
	require.NoError(t, err)
	b.call("confirm-authenticator-app", fmt.Sprintf(`{"setupCode":%q,"code":%q}`, setup, code), 204)
}

// Each cookie has a line of its own with its own attributes, in every operation whose output has
// the header Set-Cookie. A new one needs a call here.
func TestCookies_OfEveryOperation(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	observed := map[string][]*http.Cookie{}
	const email = "ada.secret@example.test"
	phone, laptop := s.browser(observed), s.browser(observed)
	ada := phone.signUp(email)
	key := phone.addPasskey(ada)
	phone.call("begin-passkey-proof", "{}", 201)
	phone.call("prove-identity", fmt.Sprintf(`{"password":%q}`, memberPassword), 204)
	phone.call("sign-out", "", 204)
	laptop.signInByPasskey(key)
	laptop.call("sign-out-and-redirect", "", 302)
	s.browser(observed).call("request-admin-code", `{"email":"ben@example.test"}`, 202)
	phone.signIn(email)
	phone.addApp(ada)
	s.Exec(`UPDATE users SET is_admin = false WHERE id = $1`, ada)
	phone.call("delete-account", "", 200)

	const session, browserID, noSession = "sid", "bid", "no sid"
	want := map[string][]string{
		"request-code": {browserID}, "request-admin-code": {browserID},
		"sign-up": {session, browserID}, "sign-in": {session, browserID}, "sign-in-by-passkey": {session, browserID},
		"set-password": {session, browserID}, "prove-identity": {session},
		"begin-add-passkey": {browserID}, "begin-passkey-proof": {browserID}, "begin-passkey-sign-in": {browserID},
		"add-passkey": {session}, "confirm-authenticator-app": {session},
		"sign-out": {noSession}, "sign-out-and-redirect": {noSession}, "delete-account": {noSession},
	}
	for _, op := range s.operations() {
		for _, response := range op.Responses {
			if response.Headers["Set-Cookie"] != nil {
				require.Contains(t, want, op.OperationID)
			}
		}
	}
	for operationID, names := range want {
		var got []string
		for _, cookie := range observed[operationID] {
			name := cookie.Name
			if cookie.MaxAge < 0 {
				name = "no " + name
			}
			got = append(got, name)
			requireAttributes(t, operationID, cookie)
		}
		require.Equal(t, names, got, operationID)
	}
	for operationID, cookies := range observed {
		require.True(t, len(cookies) == 0 || len(want[operationID]) > 0, "the document does not say that %s sets cookies", operationID)
	}
}

// requireAttributes checks the attributes of a cookie of operationID.
func requireAttributes(t *testing.T, operationID string, cookie *http.Cookie) {
	t.Helper()
	const day = 24 * 60 * 60
	require.Empty(t, cookie.Unparsed, operationID)
	require.Equal(t, "/", cookie.Path, operationID)
	require.True(t, cookie.HttpOnly, operationID)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite, operationID)
	require.Empty(t, cookie.Domain, operationID)
	switch {
	case cookie.Name == "bid":
		require.Equal(t, 400*day, cookie.MaxAge, operationID)
	case cookie.MaxAge < 0:
		require.Empty(t, cookie.Value, operationID)
	default:
		require.Positive(t, cookie.MaxAge, operationID)
		require.LessOrEqual(t, cookie.MaxAge, 90*day, operationID)
	}
	if cookie.MaxAge > 0 {
		require.Regexp(t, `^[\w-]{43}$`, cookie.Value, operationID)
	}
}

// The second sign-in by password in the same browser sends no notice and is counted for the
// browser alone.
func TestSignIn_ByPasswordMakesTheBrowserKnown(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	const email = "ada.secret@example.test"
	observed := map[string][]*http.Cookie{}
	s.browser(observed).signUp(email)
	count := func(sql string) (n int) {
		require.NoError(t, s.Pool.QueryRow(t.Context(), sql).Scan(&n))
		return n
	}
	const notices, networks = `SELECT count(*) FROM security_notices WHERE kind = 'sign_in'`,
		`SELECT count(*) FROM rate_limits WHERE key LIKE 'passwords-address:%'`
	laptop := s.browser(observed)
	laptop.signIn(email)
	require.Equal(t, 1, count(notices))
	require.Equal(t, 1, count(networks))
	laptop.call("sign-out", "", 204)
	s.Exec(`DELETE FROM rate_limits`)
	laptop.signIn(email)
	require.Equal(t, 1, count(notices))
	require.Zero(t, count(networks))
}
