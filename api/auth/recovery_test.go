package auth_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// newRecoveryCodes replaces the recovery codes and returns them.
func (b *browser) newRecoveryCodes() []string {
	b.w.Helper()
	resp := b.call("POST", "/api/auth/recovery-codes", "")
	require.Equal(b.w, 201, resp.Code, "%s", resp.Body)
	codes := decode[struct{ Codes []string }](b.w, resp.Body).Codes
	require.Len(b.w, codes, 10)
	for i, code := range codes {
		require.Regexp(b.w, `^[A-Z2-7]{5}-[A-Z2-7]{5}$`, code)
		require.NotContains(b.w, codes[:i], code)
	}
	return codes
}

func (b *browser) proveByRecoveryCode(code string) int {
	return b.call("POST", "/api/auth/proof", `{"recoveryCode":"`+code+`"}`).Code
}

// An admin lost the phone with the passkey: a code gives the rights of the session in which a new passkey is added.
func TestRecoveryCodes_EachReplacesTheFactorOnce(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	admin, lost := w.admin("ada@example.test")
	codes := admin.newRecoveryCodes()
	require.Equal(t, 10, admin.factors().Recovery)
	require.Zero(t, w.Count(`SELECT count(*) FROM recovery_codes WHERE code_mac IN (sha256($1), sha256($2))`,
		[]byte(codes[0]), []byte(strings.ReplaceAll(codes[0], "-", ""))), "the hash needs the key")

	other := w.browser()
	other.signInByCode("ada@example.test")
	require.Equal(t, "second_factor_required", other.read())
	require.Equal(t, 403, other.proveByRecoveryCode("AAAAA-AAAAA"))
	require.Equal(t, 204, other.proveByRecoveryCode(strings.ToLower(strings.ReplaceAll(codes[0], "-", " "))), "as somebody types it")
	require.Equal(t, "204", other.write())
	require.Equal(t, 9, other.factors().Recovery)
	require.True(t, other.addPasskey(newAuthenticator(t, uuid.UUID(lost.Options.UserHandle)), "").IsFactor)

	third := w.browser()
	third.signInByCode("ada@example.test")
	require.Equal(t, 403, third.proveByRecoveryCode(codes[0]), "used")
	require.Equal(t, "second_factor_required", third.read())
	next := other.newRecoveryCodes()
	require.Equal(t, 403, third.proveByRecoveryCode(codes[1]), "replaced")
	require.Equal(t, 204, third.proveByRecoveryCode(next[1]))
}

func TestRecoveryCodes_NeedRightsAndRecentProof(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	member := w.browser()
	member.signUp("ben@example.test")
	require.Equal(t, 403, member.call("POST", "/api/auth/recovery-codes", "").Code)
	require.Equal(t, 403, member.proveByRecoveryCode("AAAAA-AAAAA"))

	admin, _ := w.admin("ada@example.test")
	codes := admin.newRecoveryCodes()
	w.expireProofs()
	require.Equal(t, "proof_required", codeOf(t, admin.call("POST", "/api/auth/recovery-codes", "")))
	require.Equal(t, 403, member.proveByRecoveryCode(codes[0]), "of another member")

	stolen := w.browser()
	stolen.signInByCode("ada@example.test")
	require.Equal(t, "second_factor_required", codeOf(t, stolen.call("POST", "/api/auth/recovery-codes", "")), "a reader of the mail")

	local := newEnv(t)
	b := local.browser()
	local.grant(uuid.UUID(newAuthenticator(t, b.signUp("cy@example.test")).Options.UserHandle))
	require.Equal(t, 409, b.call("POST", "/api/auth/recovery-codes", "").Code, "nothing to recover")
}

// The budget is that of the authenticator app, so that a second kind of code does not double the guesses.
func TestRecoveryCodes_ShareTheBudgetOfTheApp(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	admin, _ := w.admin("ada@example.test")
	secret := admin.addApp("")
	code := admin.newRecoveryCodes()[0]
	other := w.browser()
	other.signInByCode("ada@example.test")
	require.Equal(t, 403, other.proveByApp("12345x"))
	for range 4 {
		require.Equal(t, 403, other.proveByRecoveryCode("AAAAA-AAAAA"))
	}
	require.Equal(t, 429, other.proveByRecoveryCode(code))
	require.Equal(t, 429, other.proveByApp(appCode(t, secret, 0)))
}

func TestRecoveryCodes_ConcurrentUsesSucceedOnce(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	admin, _ := w.admin("ada@example.test")
	code := admin.newRecoveryCodes()[0]
	var uses sync.WaitGroup
	statuses := make([]int, 4)
	for i := range statuses {
		b := w.browser()
		b.signInByCode("ada@example.test")
		uses.Go(func() { statuses[i] = b.proveByRecoveryCode(code) })
	}
	uses.Wait()
	require.ElementsMatch(t, []int{204, 403, 403, 403}, statuses)
}

// Whoever uses or makes codes is reported by mail, with a link that makes the codes useless.
func TestRecoveryCodes_AreMailedAndDisowned(t *testing.T) {
	t.Parallel()
	w := newPublicEnv(t)
	w.admin("ada@example.test")
	eve, _ := w.admin("eve@example.test")
	w.sendNotices("eve@example.test")
	codes := eve.newRecoveryCodes()
	mails := w.sendNotices("eve@example.test")
	require.Len(t, mails, 1)
	require.Equal(t, "New recovery codes for your Heartward account", mails[0].Subject)

	thief := w.browser()
	thief.headers["User-Agent"] = "Mozilla/5.0 (Windows NT 10.0) Firefox/140.0"
	thief.signInByCode("eve@example.test")
	w.sendNotices("eve@example.test") // of the sign-in
	w.sendAdminNotices("ada@example.test")
	require.Equal(t, 204, thief.proveByRecoveryCode(codes[0]))
	toAda := w.sendAdminNotices("ada@example.test")
	require.Len(t, toAda, 1)
	require.Equal(t, "An admin used a recovery code", toAda[0].Subject)
	require.Contains(t, toAda[0].Text, "Firefox on Windows")

	mails = w.sendNotices("eve@example.test")
	require.Len(t, mails, 1)
	require.Equal(t, "A recovery code of your Heartward account was used", mails[0].Subject)
	require.Equal(t, 200, w.disown(noticeLink.FindStringSubmatch(mails[0].Text)[1]))
	require.False(t, thief.signedIn())
	require.False(t, eve.signedIn())
	require.Zero(t, w.Count(`SELECT count(*) FROM recovery_codes`))
}
