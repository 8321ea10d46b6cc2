package auth_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
)

// now is the time of the authenticator apps.
var now = time.Now()

// newPublicEnv returns an env of a public site, where admins need a second factor.
func newPublicEnv(t *testing.T) *env {
	w := newEnvWith(t, auth.Config{RateLimitScale: 100, RequireFactor: true})
	w.SetTime(now)
	return w
}

// grant makes a member an admin and returns the setup code, as the command line does.
func (w *env) grant(member uuid.UUID) (setupCode string) {
	w.Helper()
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, member)
	setupCode, err := pg.Tx(w.Context(), w.Pool, func(tx pgx.Tx) (string, error) { return auth.NewSetupCode(w.Context(), tx, member) })
	require.NoError(w, err)
	return setupCode
}

// admin signs up an admin with a passkey.
func (w *env) admin(email string) (*browser, *authenticator) {
	w.Helper()
	b := w.browser()
	key := newAuthenticator(w, b.signUp(email))
	b.addPasskey(key, w.grant(uuid.UUID(key.Options.UserHandle)))
	return b, key
}

// read and write call operations for admins and return the code of the error, or the status.
func (b *browser) read() string  { return b.adminCall("GET") }
func (b *browser) write() string { return b.adminCall("PUT") }

func (b *browser) adminCall(method string) string {
	b.w.Helper()
	resp := b.call(method, "/api/admin/sample", "")
	if resp.Code == 403 {
		return codeOf(b.w, resp)
	}
	return strconv.Itoa(resp.Code)
}

// An attacker reads the admin's mail or knows the password.
func TestAdmin_MailAndPasswordGiveNoRights(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	admin, key := w.admin("ada@example.test")
	require.Equal(t, "204", admin.write())
	require.Equal(t, 200, admin.call("POST", "/api/auth/password", `{"password":"correct battery 7"}`).Code)
	require.Equal(t, "204", admin.read(), "the session that set it up keeps its rights")

	byCode, byPassword := w.browser(), w.browser()
	byCode.signInByCode("ada@example.test")
	require.Equal(t, 200, byPassword.call("POST", "/api/auth/login", `{"email":"ada@example.test","password":"correct battery 7"}`).Code)
	for _, b := range []*browser{byCode, byPassword} {
		require.Equal(t, "second_factor_required", b.read())
		require.Equal(t, "second_factor_required", b.write())
		require.Equal(t, auth.AdminUnproved, b.factors().AdminSession)
		require.Equal(t, 204, b.call("POST", "/api/auth/proof", `{"code":"`+b.code("ada@example.test")+`"}`).Code)
		require.Equal(t, "second_factor_required", b.read(), "a mailed code is no second factor")
		require.Equal(t, "second_factor_required", codeOf(t, b.call("POST", "/api/auth/passkeys/challenge", `{}`)), "they cannot add a passkey")
		require.Equal(t, "second_factor_required", codeOf(t, b.call("POST", "/api/auth/app", `{}`)))
		require.Equal(t, "second_factor_required", codeOf(t, b.call("DELETE", "/api/auth/passkeys/"+admin.factors().Passkeys[0].ID.String(), "")))
		require.Equal(t, 422, b.call("POST", "/api/auth/passkeys/challenge", `{"setupCode":"AAAAA-AAAAA"}`).Code)
	}
	require.Equal(t, 204, byCode.prove(key).Code)
	require.Equal(t, "204", byCode.write())
	require.Equal(t, "second_factor_required", byPassword.read(), "each session proves its own")

	direct := w.browser()
	require.Equal(t, 200, direct.passkeySignIn(key).Code)
	require.Equal(t, "204", direct.read(), "a passkey with verification of the user is both factors")
}

// A copy of the cookie from before the factor does not gain from it; one from after it keeps what it had.
func TestAdmin_ReplacedTokenGainsNoRights(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	_, key := w.admin("ada@example.test")
	b, copyBefore := w.browser(), w.browser()
	b.signInByCode("ada@example.test")
	copyBefore.cookies["sid"] = b.cookies["sid"]
	require.Equal(t, 204, b.prove(key).Code)
	require.Equal(t, "204", b.write())
	require.Equal(t, "second_factor_required", copyBefore.read())
	require.True(t, copyBefore.signedIn())

	copyAfter := w.browser()
	copyAfter.cookies["sid"] = b.cookies["sid"]
	require.Equal(t, 204, b.prove(key).Code)
	require.Equal(t, "204", copyAfter.read())
	require.Equal(t, "proof_required", copyAfter.write())
	require.Equal(t, "204", b.write())
}

// A moderator needs the second factor as an admin does, and then has no admin's rights.
func TestModerator_NeedsSecondFactor(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	b, _ := w.admin("mo@example.test")
	w.Exec(`UPDATE users SET is_admin = false, is_moderator = true`)
	require.Equal(t, 204, b.call("PUT", "/api/admin/moderated", "").Code)
	refused := b.call("GET", "/api/admin/sample", "")
	require.Equal(t, 403, refused.Code)
	require.Equal(t, "forbidden", codeOf(t, refused), "another factor would not help")
	byCode := w.browser()
	byCode.signInByCode("mo@example.test")
	require.Equal(t, "second_factor_required", codeOf(t, byCode.call("PUT", "/api/admin/moderated", "")))
	w.Exec(`UPDATE sessions SET proved_at = now() - interval '11 minutes'`)
	require.Equal(t, "proof_required", codeOf(t, b.call("PUT", "/api/admin/moderated", "")))
	w.Exec(`DELETE FROM passkeys`)
	require.Equal(t, "second_factor_setup", codeOf(t, byCode.call("PUT", "/api/admin/moderated", "")))
	w.Exec(`UPDATE users SET is_moderator = false`)
	require.Equal(t, 403, b.call("PUT", "/api/admin/moderated", "").Code)
}

// Someone who reads a member's mail adds a passkey before the member becomes an admin.
func TestAdmin_PasskeyAddedBeforeGrantIsNoFactor(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	b := w.browser()
	ada := b.signUp("ada@example.test")
	early := newAuthenticator(t, ada)
	b.addPasskey(early, "")
	setupCode := w.grant(ada)
	require.Equal(t, "second_factor_setup", b.read())
	require.Equal(t, auth.AdminNoFactor, b.factors().AdminSession)
	require.Equal(t, 204, b.prove(early).Code)
	require.Equal(t, "second_factor_setup", b.read())
	signedIn := w.browser()
	require.Equal(t, 200, signedIn.passkeySignIn(early).Code)
	require.Equal(t, "second_factor_setup", signedIn.read())

	key := newAuthenticator(t, ada)
	require.True(t, b.addPasskey(key, " "+strings.ToLower(setupCode)).IsFactor)
	require.Equal(t, "204", b.read())
	again := w.browser()
	again.signInByCode("ada@example.test")
	require.Equal(t, 422, again.call("POST", "/api/auth/passkeys/challenge", `{"setupCode":"`+setupCode+`"}`).Code, "a setup code is valid once")
}

func TestAdmin_SetupCodeExpiresAndBelongsToOneMember(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	ada, eve := w.browser(), w.browser()
	adaCode := w.grant(ada.signUp("ada@example.test"))
	eveCode := w.grant(eve.signUp("eve@example.test"))
	require.Equal(t, 422, eve.call("POST", "/api/auth/app", `{"setupCode":"`+adaCode+`"}`).Code)
	w.expireProofs()
	require.Equal(t, "proof_required", codeOf(t, eve.call("POST", "/api/auth/app", `{"setupCode":"`+eveCode+`"}`)))
	w.Exec(`UPDATE sessions SET proved_at = now()`)
	w.Exec(`UPDATE factor_setup_codes SET expires_at = now()`)
	require.Equal(t, 422, eve.call("POST", "/api/auth/app", `{"setupCode":"`+eveCode+`"}`).Code)
	member := w.browser()
	member.signUp("member@example.test")
	require.Equal(t, 403, member.call("POST", "/api/auth/app", `{}`).Code, "members have no authenticator app")
}

// Two sessions use one setup code at the same time.
func TestAdmin_SetupCodeIsUsedOnce(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	first, second := w.browser(), w.browser()
	ada := first.signUp("ada@example.test")
	second.signInByCode("ada@example.test")
	more := `,"setupCode":"` + w.grant(ada) + `"`
	browsers, bodies := []*browser{first, second}, make([]string, 2)
	for i, b := range browsers {
		bodies[i] = newAuthenticator(t, ada).registration(t, b.challenge("/api/auth/passkeys/challenge", "{"+more[1:]+"}"), more)
	}
	statuses := make([]int, 2)
	var group sync.WaitGroup
	for i, b := range browsers {
		group.Go(func() { statuses[i] = b.call("POST", "/api/auth/passkeys", bodies[i]).Code })
	}
	group.Wait()
	require.ElementsMatch(t, []int{201, 422}, statuses)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM passkeys`))
}

func TestAdmin_DecisionsNeedRecentProof(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	admin, key := w.admin("ada@example.test")
	w.expireProofs()
	require.Equal(t, "204", admin.read())
	require.Equal(t, "204", admin.adminCall("POST"), "a search with its filters in the body")
	require.Equal(t, "proof_required", admin.write())
	require.Equal(t, 204, admin.prove(key).Code)
	require.Equal(t, "204", admin.write())
}

func TestAdmin_FactorIsOptionalOnLocalSite(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	ada := b.signUp("ada@example.test")
	require.Equal(t, "forbidden", b.read())
	require.Equal(t, auth.NoAdmin, b.factors().AdminSession)
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, ada)
	require.Equal(t, "204", b.write())
	require.Equal(t, auth.AdminOptional, b.factors().AdminSession)
	require.True(t, b.addPasskey(newAuthenticator(t, ada), "").IsFactor, "no setup code is needed")
	require.Equal(t, auth.AdminReady, b.factors().AdminSession)
	w.expireProofs()
	require.Equal(t, "proof_required", b.write())
}

func TestAdminLogin_ShowsDemoAddressOnLocalSiteOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	shown := func() string {
		return decode[auth.AdminLogin](t, w.browser().call("GET", "/api/admin/login", "").Body).DemoEmail
	}
	ada := w.browser().signUp("ada@example.test")
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, ada)
	require.Empty(t, shown())
	w.Exec(`UPDATE users SET is_demo = true WHERE id = $1`, ada)
	require.Equal(t, "ada@example.test", shown())
	w.serve(w.Pool, auth.Config{RateLimitScale: 100, RequireFactor: true})
	require.Empty(t, shown())
	require.Equal(t, 202, w.browser().call("POST", "/api/admin/login", `{"email":"someone@example.test"}`).Code)
}

func TestAdmin_CannotRemoveOnlyFactor(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	admin, key := w.admin("ada@example.test")
	first := admin.factors().Passkeys[0].ID.String()
	require.Equal(t, 409, admin.call("DELETE", "/api/auth/passkeys/"+first, "").Code)
	require.Equal(t, 404, admin.call("DELETE", "/api/auth/app", "").Code)
	second := admin.addPasskey(newAuthenticator(t, uuid.UUID(key.Options.UserHandle)), "")
	require.True(t, second.IsFactor)
	require.Equal(t, 204, admin.call("DELETE", "/api/auth/passkeys/"+first, "").Code)
	w.Exec(`UPDATE users SET is_admin = false`)
	require.Equal(t, 204, admin.call("DELETE", "/api/auth/passkeys/"+second.ID.String(), "").Code)
}

func TestResetFactors_EndsSessions(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	admin, key := w.admin("ada@example.test")
	admin.addApp("")
	id := uuid.UUID(key.Options.UserHandle)
	require.NoError(t, pg.TxDo(t.Context(), w.Pool, func(tx pgx.Tx) error { return auth.ResetFactors(t.Context(), tx, pgtest.Jobs(t, w.Pool), id) }))
	require.False(t, admin.signedIn())
	require.Equal(t, 401, w.browser().passkeySignIn(key).Code)
	admin.signInByCode("ada@example.test")
	require.Equal(t, "second_factor_setup", admin.read())
}

// sendAdminNotices runs the enqueued jobs and returns the mails to an admin.
func (w *env) sendAdminNotices(email string) []mail.Message {
	w.Helper()
	rows, _ := w.Pool.Query(w.Context(), `DELETE FROM river_job WHERE kind = 'admin_notice' RETURNING id, args`)
	type job struct {
		ID   int64
		Args []byte
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[job])
	require.NoError(w, err)
	before := len(w.outbox.to(email))
	for _, j := range all {
		var args auth.AdminNoticeArgs
		require.NoError(w, json.Unmarshal(j.Args, &args))
		require.NoError(w, w.SendAdminNotice(w.Context(), args, j.ID))
	}
	return w.outbox.to(email)[before:]
}

func TestAdmin_OthersAreMailedAboutNewBrowser(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	_, adaKey := w.admin("ada@example.test")
	eve, _ := w.admin("eve@example.test")
	require.Empty(t, w.sendAdminNotices("ada@example.test"))

	attacker := w.browser()
	attacker.headers["User-Agent"] = "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0"
	attacker.signInByCode("eve@example.test")
	mails := w.sendAdminNotices("ada@example.test")
	require.Len(t, mails, 1)
	require.Equal(t, "An admin signed in in a new browser", mails[0].Subject)
	require.Contains(t, mails[0].Text, "Firefox on Windows")
	require.NotContains(t, mails[0].Text, "eve@example.test")
	eve.signInByCode("eve@example.test")
	require.Empty(t, w.sendAdminNotices("ada@example.test"), "a known browser")

	w.browser().signInByCode("eve@example.test")
	w.Exec(`UPDATE users SET is_admin = false WHERE id = $1`, uuid.UUID(adaKey.Options.UserHandle))
	require.Empty(t, w.sendAdminNotices("ada@example.test"), "the recipient is no admin any more")
}
