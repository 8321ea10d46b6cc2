package auth_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/testkit"
)

// changeEmail changes the address with the codes of both mailboxes and returns the token that
// the earlier one gets.
func (b *browser) changeEmail(from, to string) (undo string) {
	b.w.Helper()
	b.startEmailChange(to)
	b.w.sendEmailCodes()
	require.Equal(b.w, 200, b.confirmEmail("new", digitsOf(last(b.w.outbox.to(to)))))
	require.Equal(b.w, 200, b.confirmEmail("current", digitsOf(last(b.w.sendNotices(from)))))
	return b.w.sendEmailChanged(from)
}

// sendEmailChanged runs the enqueued job and returns the token of the mail's link.
func (w *env) sendEmailChanged(to string) (undo string) {
	w.Helper()
	changed := takeJobs[auth.EmailChangedArgs](w, "email_changed")
	require.Len(w, changed, 1)
	require.NoError(w, w.SendEmailChanged(w.Context(), changed[0]))
	link := noticeLink.FindStringSubmatch(last(w.outbox.to(to)).Text)
	require.Len(w, link, 2, "%s", last(w.outbox.to(to)).Text)
	return link[1]
}

// An attacker at the member's open phone and mailbox moves the account to an own address, and
// leaves what lets them in again: a password, a passkey, a session, a change that is asked for.
func TestUndoEmail_RestoresTheAddressAndEndsAllAccess(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, attacker := w.browser(), w.browser()
	member := phone.signUp(adaEmail)
	addPasskey := func(id byte, age string) {
		w.Exec(`INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, flags, name, created_at)
			VALUES (gen_random_uuid(), $1, $2, '\x01', 0, 0, $3, now() - $4::text::interval)`, member, []byte{id}, age, age)
	}
	addPasskey(1, "8 days")
	addPasskey(2, "1 hour") // its mail had a link, which the change ends
	undo := phone.changeEmail(adaEmail, newEmail)
	addPasskey(3, "0 seconds")
	attacker.signInByCode(newEmail)
	require.Equal(t, 200, attacker.call("POST", "/api/auth/password", `{"password":"of the attacker"}`).Code)
	attacker.startEmailChange("other@example.test")
	late := noticeLink.FindStringSubmatch(last(w.sendNotices(newEmail)).Text)[1]

	resp := w.browser().call("POST", "/api/auth/disown", `{"token":"`+undo+`"}`)
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	done := decode[auth.Disowned](t, resp.Body)
	require.Equal(t, auth.Disowned{EmailRestored: true, PasswordRemoved: true, AllSessionsEnded: true}, done)
	require.Equal(t, adaEmail, w.emailOf(member))
	require.False(t, phone.signedIn())
	require.False(t, attacker.signedIn())
	require.Equal(t, []string{"8 days"}, testkit.SelectAll[string](t, w.Pool, `SELECT name FROM passkeys`))
	require.Zero(t, w.Count(`SELECT count(*) FROM email_changes`)+w.Count(`SELECT count(*) FROM earlier_addresses`)+w.Count(`SELECT count(*) FROM known_browsers`))
	require.Equal(t, 404, w.disown(undo), "the link works once")
	require.Equal(t, 404, w.disown(late), "links in the replaced mailbox have ended")
	require.Equal(t, 401, attacker.call("POST", "/api/auth/login", `{"email":"`+newEmail+`","password":"of the attacker"}`).Code)

	undone := takeJobs[auth.EmailUndoneArgs](w, "email_undone")
	require.Len(t, undone, 1)
	require.NoError(t, w.SendEmailUndone(t.Context(), undone[0]))
	require.Equal(t, "Your Heartward address has changed back", last(w.outbox.to(newEmail)).Subject)
	w.browser().signInByCode(adaEmail)
}

func TestUndoEmail_EndsAfterSevenDays(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	member := phone.signUp(adaEmail)
	undo := phone.changeEmail(adaEmail, newEmail)
	w.Exec(`UPDATE earlier_addresses SET expires_at = clock_timestamp()`)
	require.Equal(t, 404, w.disown(undo))
	require.Equal(t, newEmail, w.emailOf(member))
	require.True(t, phone.signedIn())
}

// The mailbox could stop the change on each of seven days.
func TestUndoEmail_NotAfterWait(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	member := phone.signUp(adaEmail)
	phone.startEmailChange(newEmail)
	w.sendEmailCodes()
	require.Equal(t, 200, phone.confirmEmail("new", digitsOf(last(w.outbox.to(newEmail)))))
	require.Equal(t, 200, phone.call("POST", "/api/auth/email/wait", "").Code)
	for range 7 {
		w.waitADay()
	}
	require.Equal(t, newEmail, w.emailOf(member))
	require.Zero(t, w.Count(`SELECT count(*) FROM earlier_addresses`))
	changed := takeJobs[auth.EmailChangedArgs](w, "email_changed")
	require.NoError(t, w.SendEmailChanged(t.Context(), changed[0]))
	require.NotContains(t, last(w.outbox.to(adaEmail)).Text, "/not-me#")
}

// The first mailbox can undo also what was changed afterwards; a later one only its own change.
func TestUndoEmail_FirstMailboxUndoesLaterChanges(t *testing.T) {
	t.Parallel()
	const third = "third@example.test"
	w := newEnv(t)
	phone := w.browser()
	member := phone.signUp(adaEmail)
	first := phone.changeEmail(adaEmail, newEmail)
	second := phone.changeEmail(newEmail, third)
	require.Equal(t, 200, w.disown(second))
	require.Equal(t, newEmail, w.emailOf(member))
	phone.signInByCode(newEmail)
	second = phone.changeEmail(newEmail, third)
	require.Equal(t, 200, w.disown(first))
	require.Equal(t, adaEmail, w.emailOf(member))
	require.Equal(t, 404, w.disown(second))
}

// Whether the undo or the last code of a second change comes first, the account ends at the first
// address, without a session and without another link.
func TestUndoEmail_WinsOverConcurrentSecondChange(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	member := phone.signUp(adaEmail)
	for range 5 {
		undo := phone.changeEmail(adaEmail, newEmail)
		phone.startEmailChange("third@example.test")
		w.sendEmailCodes()
		require.Equal(t, 200, phone.confirmEmail("new", digitsOf(last(w.outbox.to("third@example.test")))))
		code := digitsOf(last(w.sendNotices(newEmail)))
		var wait sync.WaitGroup
		wait.Go(func() { phone.confirmEmail("current", code) })
		wait.Go(func() { w.disown(undo) })
		wait.Wait()
		require.Equal(t, adaEmail, w.emailOf(member))
		require.Zero(t, w.Count(`SELECT count(*) FROM sessions`)+w.Count(`SELECT count(*) FROM email_changes`)+w.Count(`SELECT count(*) FROM earlier_addresses`))
		takeJobs[auth.EmailChangedArgs](w, "email_changed")
		w.Exec(`DELETE FROM rate_limits`)
		phone.signInByCode(adaEmail)
	}
}

// Nobody else can get the address meanwhile, neither by signing up nor by a change.
func TestUndoEmail_AddressIsReserved(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, other := w.browser(), w.browser()
	member := phone.signUp(adaEmail)
	other.signUp("other@example.test")
	undo := phone.changeEmail(adaEmail, newEmail)

	stranger := w.browser()
	taken := stranger.call("POST", "/api/users", profile(adaEmail, stranger.code(adaEmail)))
	require.Equal(t, 409, taken.Code, "%s", taken.Body)
	require.Equal(t, "conflict", codeOf(t, taken), "there is no account in which the stranger could sign in")
	other.startEmailChange(adaEmail)
	w.sendEmailCodes()
	require.Equal(t, 409, other.confirmEmail("new", digitsOf(last(w.outbox.to(adaEmail)))))
	require.Equal(t, 200, w.disown(undo))
	require.Equal(t, adaEmail, w.emailOf(member))

	phone.signInByCode(adaEmail)
	phone.changeEmail(adaEmail, newEmail)
	w.Exec(`UPDATE earlier_addresses SET expires_at = clock_timestamp()`)
	stranger.signUp(adaEmail)
}

func TestUndoEmail_SuspendedMemberKeepsTheAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	member := phone.signUp(adaEmail)
	undo := phone.changeEmail(adaEmail, newEmail)
	status := func(status string) { w.Exec(`UPDATE users SET profile_status = $2 WHERE id = $1`, member, status) }
	status("suspended")
	refused := w.browser().call("POST", "/api/auth/disown", `{"token":"`+undo+`"}`)
	require.Equal(t, 409, refused.Code)
	require.Contains(t, refused.Body.String(), "Please write to help@heartward.test.")
	require.Equal(t, newEmail, w.emailOf(member))
	status("active")
	require.Equal(t, 200, w.disown(undo), "the refused undo did not use the link up")
}
