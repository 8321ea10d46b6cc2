package auth_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
)

const (
	adaEmail = "ada@example.test"
	newEmail = "ada.new@example.test"
)

// sendEmailCodes runs the enqueued jobs that mail new addresses.
func (w *env) sendEmailCodes() {
	w.Helper()
	for _, args := range takeJobs[auth.EmailCodeArgs](w, "email_code") {
		require.NoError(w, w.SendEmailCode(w.Context(), args))
	}
}

// waitADay runs the enqueued jobs of the wait.
func (w *env) waitADay() {
	w.Helper()
	for _, args := range takeJobs[auth.EmailWaitArgs](w, "email_wait") {
		require.NoError(w, w.ContinueEmailWait(w.Context(), args))
		require.NoError(w, w.ContinueEmailWait(w.Context(), args), "a repetition does nothing")
	}
}

func (b *browser) startEmailChange(email string) {
	b.w.Helper()
	resp := b.call("POST", "/api/auth/email", `{"email":"`+email+`"}`)
	require.Equal(b.w, 200, resp.Code, "%s", resp.Body)
}

func (b *browser) confirmEmail(address, code string) int {
	return b.call("POST", "/api/auth/email/confirm", `{"address":"`+address+`","code":"`+code+`"}`).Code
}

func (b *browser) emailChange() auth.EmailChangeState {
	return decode[auth.EmailChangeState](b.w, b.call("GET", "/api/auth/email", "").Body)
}

func digitsOf(m mail.Message) string { return digits.FindString(m.Text) }

func last(mails []mail.Message) mail.Message { return mails[len(mails)-1] }

func (w *env) emailOf(member uuid.UUID) string {
	w.Helper()
	return testkit.Select[string](w, w.Pool, `SELECT email FROM users WHERE id = $1`, member)
}

func TestEmailChange_NeedsBothMailboxes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop := w.browser(), w.browser()
	member := phone.signUp(adaEmail)
	laptop.signInByCode(adaEmail)
	earlier := noticeLink.FindStringSubmatch(last(w.sendNotices(adaEmail)).Text)[1]
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, session_id, endpoint, p256dh, auth)
		SELECT id, user_id, id, 'https://push.example/' || id, 'k', 'a' FROM sessions`)

	require.Equal(t, 422, phone.call("POST", "/api/auth/email", `{"email":"no address"}`).Code)
	require.Equal(t, 422, phone.call("POST", "/api/auth/email", `{"email":" ADA@example.test "}`).Code, "the own address")
	w.expireProofs()
	require.Equal(t, 403, phone.call("POST", "/api/auth/email", `{"email":"`+newEmail+`"}`).Code, "without a proof")
	require.Equal(t, 204, phone.call("POST", "/api/auth/proof", `{"code":"`+phone.code(adaEmail)+`"}`).Code)
	phone.startEmailChange(" " + newEmail)
	w.sendEmailCodes()
	current, fresh := last(w.sendNotices(adaEmail)), last(w.outbox.to(newEmail))
	require.NotContains(t, current.Text, newEmail)

	require.Equal(t, 422, phone.confirmEmail("new", digitsOf(current)), "each address has its own code")
	require.Equal(t, 422, phone.confirmEmail("other", digitsOf(current)))
	require.Equal(t, 200, phone.confirmEmail("new", digitsOf(fresh)))
	require.Equal(t, adaEmail, w.emailOf(member))
	require.True(t, laptop.emailChange().Change.NewConfirmed, "another device sees the change")
	require.Equal(t, 200, phone.confirmEmail("current", digitsOf(current)))
	require.Equal(t, newEmail, w.emailOf(member))
	require.Nil(t, phone.emailChange().Change)

	require.True(t, phone.signedIn())
	require.False(t, laptop.signedIn(), "other sessions end")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM push_subscriptions`), "the device that changed the address keeps its subscription")
	changed := takeJobs[auth.EmailChangedArgs](w, "email_changed")
	require.Len(t, changed, 1)
	require.NoError(t, w.SendEmailChanged(t.Context(), changed[0]))
	require.Equal(t, "Your Heartward address has changed", last(w.outbox.to(adaEmail)).Subject)
	require.Equal(t, 404, w.disown(earlier), "links in the earlier mailbox have ended")
	require.Equal(t, 404, w.disown(noticeLink.FindStringSubmatch(current.Text)[1]))
	w.browser().signInByCode(newEmail)
	require.Equal(t, 401, w.browser().call("POST", "/api/auth/login", `{"email":"`+adaEmail+`","code":"`+phone.code(adaEmail)+`"}`).Code)
}

// An attacker has a session with a recent proof, and the mailbox of the new address.
func TestEmailChange_StolenSessionCannotTakeTheAccount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner, attacker := w.browser(), w.browser()
	member := owner.signUp(adaEmail)
	attacker.signInByCode(adaEmail)
	w.sendNotices(adaEmail)
	require.Equal(t, 404, attacker.call("POST", "/api/auth/email/wait", "").Code, "without a change")
	attacker.startEmailChange(newEmail)
	w.sendEmailCodes()
	require.Equal(t, 409, attacker.call("POST", "/api/auth/email/wait", "").Code, "before the new address is confirmed")
	require.Equal(t, 200, attacker.confirmEmail("new", digitsOf(last(w.outbox.to(newEmail)))))
	current := last(w.sendNotices(adaEmail))
	for range 5 {
		require.Equal(t, 422, attacker.confirmEmail("current", "00000000"))
	}
	require.Equal(t, 422, attacker.confirmEmail("current", digitsOf(current)), "the code is invalid after five tries")
	require.Equal(t, 200, attacker.call("POST", "/api/auth/email/wait", "").Code)
	require.Equal(t, 200, attacker.call("POST", "/api/auth/email/wait", "").Code, "a repetition does not wait anew")
	require.Equal(t, 204, attacker.call("POST", "/api/auth/logout", "").Code, "the mails do not depend on the session")

	first := w.sendNotices(adaEmail)
	require.Len(t, first, 1)
	require.Equal(t, "Your Heartward address will change", first[0].Subject)
	for range 3 {
		w.waitADay()
		require.Len(t, w.sendNotices(adaEmail), 1, "a mail on each day")
	}
	require.True(t, owner.signedIn())
	require.Equal(t, 200, w.disown(noticeLink.FindStringSubmatch(last(w.outbox.to(adaEmail)).Text)[1]))
	require.False(t, owner.signedIn(), "all sessions end")
	attacker.signInByCode(adaEmail)
	require.Len(t, w.sendNotices(adaEmail), 1, "the browser is a new one again")
	for range 7 {
		w.waitADay()
	}
	require.Equal(t, adaEmail, w.emailOf(member))
	require.Zero(t, w.Count(`SELECT count(*) FROM email_changes`))
}

func TestEmailChange_LostMailboxWaitsSevenDays(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop := w.browser(), w.browser()
	member := phone.signUp(adaEmail)
	laptop.signInByCode(adaEmail)
	w.sendNotices(adaEmail)
	phone.startEmailChange(newEmail)
	w.sendEmailCodes()
	require.Equal(t, 200, phone.confirmEmail("new", digitsOf(last(w.outbox.to(newEmail)))))
	require.Equal(t, 200, phone.call("POST", "/api/auth/email/wait", "").Code)
	require.NotNil(t, phone.emailChange().Change.WaitsUntil)
	for range 6 {
		w.waitADay()
		require.Equal(t, adaEmail, w.emailOf(member))
	}
	require.Len(t, slices.DeleteFunc(w.sendNotices(adaEmail), func(m mail.Message) bool {
		return m.Subject != "Your Heartward address will change"
	}), 7)
	w.waitADay()
	require.Equal(t, newEmail, w.emailOf(member))
	require.True(t, phone.signedIn())
	require.False(t, laptop.signedIn())
}

func TestEmailChange_CanBeCancelledOnAnotherDevice(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, laptop := w.browser(), w.browser()
	member := phone.signUp(adaEmail)
	laptop.signInByCode(adaEmail)
	phone.startEmailChange(newEmail)
	require.Equal(t, 204, laptop.call("DELETE", "/api/auth/email", "").Code)
	require.Equal(t, 204, laptop.call("DELETE", "/api/auth/email", "").Code)
	w.sendEmailCodes()
	require.Empty(t, w.outbox.to(newEmail), "a stopped change sends nothing")
	for range 4 {
		phone.startEmailChange(newEmail)
	}
	require.Equal(t, 429, phone.call("POST", "/api/auth/email", `{"email":"`+newEmail+`"}`).Code)
	w.sendEmailCodes()
	require.Len(t, w.outbox.to(newEmail), 1, "only the newest change has a code")
	code := digitsOf(w.outbox.to(newEmail)[0])
	w.Exec(`UPDATE email_changes SET created_at = now() - interval '30 minutes', expires_at = now()`)
	require.Nil(t, phone.emailChange().Change)
	require.Equal(t, 422, phone.confirmEmail("new", code), "the code has expired")
	require.Equal(t, adaEmail, w.emailOf(member))
}

// The address of another member gets the same response and the same mail; only who has its
// mailbox learns of the account.
func TestEmailChange_RevealsAccountsOnlyToTheirMailbox(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone, other := w.browser(), w.browser()
	member := phone.signUp(adaEmail)
	other.signUp("bea@example.test")
	taken := phone.call("POST", "/api/auth/email", `{"email":"bea@example.test"}`)
	w.sendEmailCodes()
	current := digitsOf(last(w.sendNotices(adaEmail)))
	require.Equal(t, 200, phone.confirmEmail("current", current))
	takenMail := last(w.outbox.to("bea@example.test"))
	require.Equal(t, 409, phone.confirmEmail("new", digitsOf(takenMail)))
	require.Equal(t, adaEmail, w.emailOf(member))
	require.Nil(t, phone.emailChange().Change)

	free := phone.call("POST", "/api/auth/email", `{"email":"cleo@example.test"}`)
	w.sendEmailCodes()
	require.Equal(t, taken.Code, free.Code)
	freeMail := last(w.outbox.to("cleo@example.test"))
	require.Equal(t, strings.ReplaceAll(takenMail.Text, digitsOf(takenMail), ""), strings.ReplaceAll(freeMail.Text, digitsOf(freeMail), ""))
}

func TestEmailChange_OneOfTwoWhoProveAnAddressGetsIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var browsers []*browser
	var codes []string
	for n := range 2 {
		email := fmt.Sprintf("member%d@example.test", n)
		b := w.browser()
		b.signUp(email)
		b.startEmailChange(newEmail)
		w.sendEmailCodes()
		require.Equal(t, 200, b.confirmEmail("new", digitsOf(last(w.outbox.to(newEmail)))))
		browsers, codes = append(browsers, b), append(codes, digitsOf(last(w.sendNotices(email))))
	}
	statuses := make([]int, len(browsers))
	var wait sync.WaitGroup
	for n, b := range browsers {
		wait.Go(func() { statuses[n] = b.confirmEmail("current", codes[n]) })
	}
	wait.Wait()
	slices.Sort(statuses)
	require.Equal(t, []int{200, 409}, statuses)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE email = $1`, newEmail))
	require.Zero(t, w.Count(`SELECT count(*) FROM email_changes`))
}
