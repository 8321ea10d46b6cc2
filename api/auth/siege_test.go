package auth_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/auth"
)

// TestStrangersCannotKeepAMemberOut lets strangers ask for codes, guess codes and
// guess passwords for 24 hours, from 20 networks and with a new browser each
// time. Every six hours the member signs in, in a browser used before and in a
// new one.
func TestStrangersCannotKeepAMemberOut(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, auth.Config{RateLimitScale: 1})
	known := w.browser()
	known.join(besieged)
	w.setQuickPassword("first password 1")
	mailsBefore, triesBefore := len(w.outbox.to(besieged)), w.number(`SELECT sum(tries) FROM login_codes`)
	mine := 0
	const step = 3 * time.Hour
	for passed := time.Duration(0); passed <= 24*time.Hour; passed += step {
		for network := range 20 {
			w.attack(fmt.Sprintf("198.51.100.%d", network))
		}
		if passed%(6*time.Hour) == 0 {
			w.signInWithCode(known)
			w.signInWithCode(w.browser())
			mine += 2
			delete(known.cookies, "sid")
			answer := known.call("POST", "/api/auth/login", `{"email":"`+besieged+`","password":"first password 1"}`)
			require.Equal(t, 200, answer.Code, "the password in a known browser: %s", answer.Body)
			w.setQuickPassword("first password 1")
		}
		w.pass(step)
	}
	strangers := len(w.outbox.to(besieged)) - mailsBefore - mine
	require.Greater(t, strangers, 250, "the strangers did ask")
	require.LessOrEqual(t, strangers, 300+25*12, "mails to the address are bounded")
	require.LessOrEqual(t, w.number(`SELECT sum(tries) FROM login_codes`), triesBefore+5*strangers+mine, "five guesses a code of 100 million")
}

const besieged = "ada@example.test"

// attack is what strangers in one network do in a while: two browsers ask for a
// code each, and guess it and the password.
func (w *world) attack(network string) {
	for range 2 {
		before := len(w.outbox.to(besieged))
		stranger := auth.Browser{ID: fmt.Sprintf("%s %d", network, before), Client: network}
		_ = w.AskCode(context.Background(), stranger, besieged)
		for range len(w.outbox.to(besieged)) - before {
			for range 6 {
				_, err := w.SignInByCode(context.Background(), stranger, besieged, "1")
				require.Error(w.t, err)
			}
		}
	}
	for range 6 {
		_, err := w.SignInByPassword(context.Background(), auth.Browser{Client: network}, besieged, "wrong password")
		require.Error(w.t, err)
	}
}

// signInWithCode asks for a code from the member's network, reads it and signs in.
func (w *world) signInWithCode(b *browser) {
	w.t.Helper()
	delete(b.cookies, "sid")
	b.headers["X-Client"] = "203.0.113.7"
	before := len(w.outbox.to(besieged))
	asked := b.call("POST", "/api/auth/code", `{"email":"`+besieged+`"}`)
	require.Equal(w.t, 202, asked.Code, "%s", asked.Body)
	require.Len(w.t, w.outbox.to(besieged), before+1, "the member's mail is sent")
	answer := b.call("POST", "/api/auth/login", `{"email":"`+besieged+`","code":"`+w.outbox.code(w.t, besieged)+`"}`)
	require.Equal(w.t, 200, answer.Code, "%s", answer.Body)
}
