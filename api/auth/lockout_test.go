package auth_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/auth"
)

// For 24 hours, attackers in 20 networks request codes, guess codes and guess
// passwords, each time with a new browser. Every six hours the member signs in with
// a known browser and with a new one.
func TestSignIn_AttackersCannotLockMemberOut(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, auth.Config{RateLimitScale: 1})
	known := w.browser()
	known.signUp(victim)
	w.setCheapPassword("first password 1")
	mailsBefore, triesBefore := len(w.outbox.to(victim)), w.Count(`SELECT sum(tries) FROM login_codes`)
	ownMails := 0
	const step = 3 * time.Hour
	for passed := time.Duration(0); passed <= 24*time.Hour; passed += step {
		for network := range 20 {
			w.guessFrom(fmt.Sprintf("198.51.100.%d", network))
		}
		if passed%(6*time.Hour) == 0 {
			w.signInWithCode(known)
			w.signInWithCode(w.browser())
			ownMails += 2
			delete(known.cookies, "sid")
			resp := known.call("POST", "/api/auth/login", `{"email":"`+victim+`","password":"first password 1"}`)
			require.Equal(t, 200, resp.Code, "the password in a known browser: %s", resp.Body)
			w.setCheapPassword("first password 1")
		}
		w.advance(step)
	}
	attackMails := len(w.outbox.to(victim)) - mailsBefore - ownMails
	require.Greater(t, attackMails, 250, "the attackers requested codes")
	require.LessOrEqual(t, attackMails, 300+25*12, "mails to the address are limited")
	require.LessOrEqual(t, w.Count(`SELECT sum(tries) FROM login_codes`), triesBefore+5*attackMails+ownMails, "five guesses of each code")
}

const victim = "ada@example.test"

// guessFrom requests two codes from one network, each with a new browser, guesses each of them six times, and then the
// password six times.
func (w *env) guessFrom(network string) {
	for range 2 {
		before := len(w.outbox.to(victim))
		stranger := auth.Browser{ID: fmt.Sprintf("%s %d", network, before), Client: network}
		_ = w.SendCode(context.Background(), stranger, victim)
		for range len(w.outbox.to(victim)) - before {
			for range 6 {
				_, err := w.SignInByCode(context.Background(), stranger, victim, "1")
				require.Error(w, err)
			}
		}
	}
	for range 6 {
		_, err := w.SignInByPassword(context.Background(), auth.Browser{Client: network}, victim, "wrong password")
		require.Error(w, err)
	}
}

// signInWithCode requests a code from the member's network and signs in with it.
func (w *env) signInWithCode(b *browser) {
	w.Helper()
	delete(b.cookies, "sid")
	b.headers["X-Client"] = "203.0.113.7"
	before := len(w.outbox.to(victim))
	codeResp := b.call("POST", "/api/auth/code", `{"email":"`+victim+`"}`)
	require.Equal(w, 202, codeResp.Code, "%s", codeResp.Body)
	require.Len(w, w.outbox.to(victim), before+1, "the member's mail is sent")
	resp := b.call("POST", "/api/auth/login", `{"email":"`+victim+`","code":"`+w.outbox.code(w, victim)+`"}`)
	require.Equal(w, 200, resp.Code, "%s", resp.Body)
}
