package auth_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/members"
)

// gmailForms are addresses of the mailbox that Gmail shows as kim@gmail.com.
var gmailForms = []string{"k.i.m@gmail.com", "kim+new@gmail.com", "KIM@googlemail.com", "K.im+a.b@GoogleMail.com"}

// A member who was blocked or reported gets no second account with another address of the mailbox: the answers are those to
// the account's own address, from the code to the sign-up, and the mail goes to that address.
func TestSignUp_MailboxHasOneAccount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("kim@gmail.com")
	w.browser().signUp("kim@taken.test")
	for _, form := range append(gmailForms, "kim@gmail.com") {
		fresh, taken := w.browser(), w.browser()
		w.expireResendDelay()
		w.outbox.mails = nil
		asked := fresh.call("POST", "/api/auth/code", `{"email":"`+form+`"}`)
		askedTaken := taken.call("POST", "/api/auth/code", `{"email":"kim@taken.test"}`)
		require.Equal(t, []any{askedTaken.Code, askedTaken.Body.String()}, []any{asked.Code, asked.Body.String()}, form)
		require.Len(t, w.outbox.mails, 2)
		got, want := last(w.outbox.to("kim@gmail.com")), last(w.outbox.to("kim@taken.test"))
		require.Equal(t, strings.ReplaceAll(want.Text, digitsOf(want), ""), strings.ReplaceAll(got.Text, digitsOf(got), ""), "it tells of the account")

		for name, codes := range map[string]struct{ form, taken string }{"wrong": {"00000000", "00000000"}, "right": {digitsOf(got), digitsOf(want)}} {
			refused := fresh.call("POST", "/api/users", profile(form, codes.form))
			refusedTaken := taken.call("POST", "/api/users", profile("kim@taken.test", codes.taken))
			require.Equal(t, []any{refusedTaken.Code, refusedTaken.Body.String()}, []any{refused.Code, refused.Body.String()}, "%s code of %s", name, form)
			require.GreaterOrEqual(t, refused.Code, 400)
		}
	}
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM users`))
}

// Each browser has proved another address of a mailbox. One of them gets the account.
func TestSignUp_ConcurrentFormsMakeOneAccount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for round := range 5 {
		forms := make([]string, len(gmailForms))
		bodies := make([]string, len(forms))
		browsers := make([]*browser, len(forms))
		for i, form := range gmailForms { // with the number of the round in the name of the mailbox
			forms[i] = strings.Replace(form, "@", fmt.Sprintf("%d@", round), 1)
			if local, domain, tagged := strings.Cut(form, "+"); tagged {
				forms[i] = fmt.Sprintf("%s%d+%s", local, round, domain)
			}
			browsers[i] = w.browser()
			bodies[i] = profile(forms[i], browsers[i].code(forms[i]))
		}
		codes := make([]int, len(forms))
		var group sync.WaitGroup
		for i := range forms {
			group.Go(func() { codes[i] = browsers[i].call("POST", "/api/users", bodies[i]).Code })
		}
		group.Wait()
		counts := map[int]int{}
		for _, code := range codes {
			counts[code]++
		}
		// A sign-up that begins after another one has the account needs the code that was mailed to that account.
		require.Equal(t, 1, counts[http.StatusCreated], "%v", codes)
		require.Equal(t, len(forms)-1, counts[http.StatusConflict]+counts[http.StatusUnprocessableEntity], "%v", codes)
		require.Equal(t, round+1, w.Count(`SELECT count(*) FROM users`))
	}
}

// A code asked for with one form is entered with another, and the mail goes to the account's address.
func TestSignIn_AcceptsEachFormOfTheMailbox(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	phone.signUp("Kim.Lee@GoogleMail.com")
	require.Equal(t, 200, phone.call("POST", "/api/auth/password", `{"password":"a long secret"}`).Code)
	require.Equal(t, "Kim.Lee@GoogleMail.com", decode[members.Me](t, phone.call("GET", "/api/auth/user", "").Body).Email, "as it was typed")
	for _, form := range []string{"kim.lee@googlemail.com", "KIMLEE@gmail.com", "k.imlee+x@gmail.com"} {
		asked := w.browser()
		w.expireResendDelay()
		require.Equal(t, 202, asked.call("POST", "/api/auth/code", `{"email":"`+form+`"}`).Code)
		require.Empty(t, w.outbox.to(form))
		code := w.outbox.code(t, "Kim.Lee@GoogleMail.com")
		require.Equal(t, 200, asked.call("POST", "/api/auth/login", `{"email":"kimlee@gmail.com","code":"`+code+`"}`).Code)
		require.Equal(t, 200, w.browser().call("POST", "/api/auth/login", `{"email":"`+form+`","password":"a long secret"}`).Code)
	}
	require.Equal(t, 401, w.browser().call("POST", "/api/auth/login", `{"email":"kimleee@gmail.com","password":"a long secret"}`).Code)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users`))
}

// A domain in another script is the same as its ASCII form.
func TestSignUp_IDNIsOneAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("kim@bücher.example")
	for _, form := range []string{"Kim@BÜCHER.example", "kim@xn--bcher-kva.example"} {
		b := w.browser()
		w.expireResendDelay()
		require.Equal(t, 202, b.call("POST", "/api/auth/code", `{"email":"`+form+`"}`).Code)
		require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"`+form+`","code":"`+w.outbox.code(t, "kim@bücher.example")+`"}`).Code)
	}
	require.Equal(t, "kim@xn--bcher-kva.example", w.identityOf("kim@bücher.example"))
}

func (w *env) identityOf(email string) (key string) {
	w.Helper()
	require.NoError(w, w.Pool.QueryRow(w.Context(), `SELECT identity_key FROM users WHERE email = $1`, email).Scan(&key))
	return key
}

// Other forms of a mailbox do not have passwords and mails of their own to try.
func TestBudgets_CountMailboxNotItsForms(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	codes := map[int]int{}
	for n := range 22 {
		codes[b.call("POST", "/api/auth/login", fmt.Sprintf(`{"email":"kim+%d@gmail.com","password":"guess"}`, n)).Code]++
	}
	require.Equal(t, map[int]int{401: 20, 429: 2}, codes)
	codes = map[int]int{}
	for n := range 12 {
		codes[b.call("POST", "/api/auth/code", fmt.Sprintf(`{"email":"l.ee+%d@googlemail.com"}`, n)).Code]++
	}
	require.Equal(t, map[int]int{202: 10, 429: 2}, codes)
}

func TestEmailChange_AcceptsOtherFormOfOwnMailboxOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("kim@gmail.com")
	phone := w.browser()
	ada := phone.signUp(adaEmail)

	phone.startEmailChange("k.im+mine@googlemail.com")
	w.sendEmailCodes()
	require.Equal(t, 409, phone.confirmEmail("new", digitsOf(last(w.outbox.to("k.im+mine@googlemail.com")))), "as any address of another account")
	require.Equal(t, adaEmail, w.emailOf(ada))

	phone.startEmailChange("Ada+Heart@example.test")
	w.sendEmailCodes()
	require.Equal(t, 200, phone.confirmEmail("new", digitsOf(last(w.outbox.to("Ada+Heart@example.test")))))
	require.Equal(t, 200, phone.confirmEmail("current", digitsOf(last(w.sendNotices(adaEmail)))))
	require.Equal(t, "Ada+Heart@example.test", w.emailOf(ada))
	require.Equal(t, 422, phone.call("POST", "/api/auth/email", `{"email":"ada+heart@EXAMPLE.test"}`).Code, "the own address")
}

// Mail servers refuse these for ever, so a code would be asked for in vain.
func TestAddresses_WithBadLocalPartsAreRefused(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	phone := w.browser()
	phone.signUp(adaEmail)
	for _, email := range []string{"a..b@docomo.example", ".a@docomo.example", "a.@docomo.example", strings.Repeat("a", 65) + "@docomo.example"} {
		for path, body := range map[string]string{
			"/api/auth/code":  `{"email":"` + email + `"}`,
			"/api/auth/login": `{"email":"` + email + `","code":"12345678"}`,
			"/api/users":      profile(email, "12345678"),
			"/api/auth/email": `{"email":"` + email + `"}`,
		} {
			resp := phone.call("POST", path, body)
			require.Equal(t, 422, resp.Code, "%s %s: %s", path, email, resp.Body)
			require.Contains(t, resp.Body.String(), `"location":"body.email"`, path)
		}
	}
}
