package referrals_test

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

var codeInLink = regexp.MustCompile(`https://heartward\.test/\?ref=([A-Z0-9]{12})`)

// The mail has the first name only, the link of this invitation and the link to opt out.
func TestInvite_MailsALinkOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	sent := w.mustInvite(ann, " Kim@Friend.test ")
	assert.Nil(t, sent.ReferredUserID)
	assert.Equal(t, "Kim@Friend.test", *sent.Email)
	assert.Equal(t, referrals.Pending, sent.Status)
	assert.Equal(t, []referrals.Referral{sent}, w.list(ann))
	assert.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'send_invitation'`))

	require.Len(t, w.outbox.mails, 1)
	m := w.outbox.mails[0]
	assert.Equal(t, "Kim@Friend.test", m.To)
	assert.Equal(t, "Ann invites you to Heartward", m.Subject)
	assert.Equal(t, "invitation-"+sent.ID.String(), m.ID)
	code := codeInLink.FindStringSubmatch(m.Text)
	require.Len(t, code, 2, m.Text)
	for _, body := range []string{m.Text, m.HTML} {
		assert.Contains(t, body, code[0])
		assert.Contains(t, body, m.Unsubscribe)
		assert.NotContains(t, body, "Secretsurname")
		assert.NotContains(t, body, ann.String())
	}
	require.NoError(t, w.send(sent.ID, false))
	assert.Len(t, w.outbox.mails, 1, "a repeated job sends nothing")

	kim := w.member(strings.ToLower(code[1]))
	joined := w.list(ann)
	require.Len(t, joined, 1)
	assert.Equal(t, kim, w.friendOf(joined[0]))
	assert.Nil(t, joined[0].Email, "the address is erased when the friend joins")
	w.fill(kim)
	w.complete(kim)
	assert.Equal(t, referrals.Completed, w.list(ann)[0].Status)
	assert.Equal(t, 7, w.premium(ann))
	other := w.member(code[1])
	assert.Len(t, w.list(ann), 2, "a forwarded link is one of the referrer")
	assert.Equal(t, other, w.friendOf(w.list(ann)[0]))
}

// An address gets one mail for ever, from any member and in any spelling.
func TestSend_MailsAnAddressOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.member(""), w.member("")
	w.mustInvite(ann, "kim.lee@gmail.com")
	w.mustInvite(bob, "kimlee+dating@gmail.com")
	require.Len(t, w.outbox.mails, 1)
	assert.Equal(t, "kimlee+dating@gmail.com", *w.list(bob)[0].Email, "the second invitation looks the same")
	_, err := w.invite(ann, "Kim.Lee+2@googlemail.com")
	testkit.RequireKind(t, err, fault.Conflict)
	w.Exec(`UPDATE referrals SET created_at = now() - interval '91 days'`)
	n, err := referrals.ExpireInvitations(t.Context(), w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	_, err = w.invite(ann, "kim.lee@gmail.com")
	testkit.RequireKind(t, err, fault.Conflict, "not even after the end")
	w.Exec(`DELETE FROM users`)
	w.mustInvite(w.member(""), "kimlee@gmail.com")
	assert.Len(t, w.outbox.mails, 1)
}

// An opt-out that was stored under a key of earlier address rules still holds.
func TestSend_OptOutHoldsUnderItsEarlierHash(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	key, err := hkdf.Key(sha256.New, make([]byte, 32), nil, "heartward invitations", sha256.Size)
	require.NoError(t, err)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("k.i.m@pm.me"))
	w.Exec(`INSERT INTO invited_addresses (address_mac, opted_out_at) VALUES ($1, now())`, mac.Sum(nil))
	w.mustInvite(ann, "k.i.m@pm.me")
	require.Empty(t, w.outbox.mails)
	w.mustInvite(ann, "lee@pm.me")
	require.Len(t, w.outbox.mails, 1)
	_, err = w.invite(ann, "l..ee@pm.me")
	require.Equal(t, "email", fault.From(err).Field)
}

// Concurrent jobs of many members for one address send one mail.
func TestSend_ConcurrentInvitationsSendOneMail(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var wait sync.WaitGroup
	for range 8 {
		r, err := w.invite(w.member(""), "kim@friend.test")
		require.NoError(t, err)
		for range 2 {
			wait.Go(func() { assert.NoError(t, w.send(r.ID, false)) })
		}
	}
	wait.Wait()
	assert.Len(t, w.outbox.mails, 1)
}

// The response and the list do not depend on what is known of the address, and no mail is sent.
func TestInvite_TellsNothingAboutTheAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	w.memberAt(uuid.New(), "account@friend.test", "a", "")
	w.memberAt(uuid.New(), "second@friend.test", "b", "")
	w.refused["banned@friend.test"] = true
	w.mustInvite(w.member(""), "opted.out@friend.test")
	require.NoError(t, w.s.OptOut(t.Context(), tokenOf(t, w.outbox.mails[0])))
	w.mustInvite(w.member(""), "invited@friend.test")
	w.outbox.mails = nil
	for _, address := range []string{"account@friend.test", "second+x@friend.test", "banned@friend.test", "opted.out@friend.test", "invited@friend.test", "new@friend.test"} {
		got := w.mustInvite(ann, address)
		want := referrals.Referral{ID: got.ID, Email: &address, CreatedAt: got.CreatedAt, Status: referrals.Pending}
		assert.Equal(t, want, got)
		assert.Equal(t, want, w.list(ann)[0])
	}
	require.Len(t, w.outbox.mails, 1)
	assert.Equal(t, "new@friend.test", w.outbox.mails[0].To)
}

// The owner of an address can opt out before and after invitations; members are not told.
func TestOptOut_EndsInvitations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.member(""), w.member("")
	w.mustInvite(ann, "kim@friend.test")
	token := tokenOf(t, w.outbox.mails[0])
	before := w.list(ann)
	for range 2 {
		require.NoError(t, w.s.CheckOptOut(token))
		require.NoError(t, w.s.OptOut(t.Context(), token))
	}
	assert.Equal(t, before, w.list(ann))
	assert.Equal(t, 1, w.Count(`SELECT count(*) FROM invited_addresses WHERE opted_out_at IS NOT NULL`))
	w.mustInvite(bob, "KIM@friend.test")
	assert.Len(t, w.outbox.mails, 1)
	for _, bad := range []string{"", "x", token[:len(token)-1], token + "A", web.Seal("another purpose", []byte("x")), strings.Repeat("A", 3000)} {
		testkit.RequireKind(t, w.s.CheckOptOut(bad), fault.NotFound, bad)
		testkit.RequireKind(t, w.s.OptOut(t.Context(), bad), fault.NotFound, bad)
	}
	assert.Zero(t, w.Count(`SELECT count(*) FROM invited_addresses WHERE encode(address_mac, 'escape') LIKE '%kim%'`))
}

func tokenOf(t *testing.T, m mail.Message) string {
	t.Helper()
	token, ok := strings.CutPrefix(m.Unsubscribe, "https://heartward.test"+referrals.OptOutPath)
	require.True(t, ok, m.Unsubscribe)
	return token
}

// No mail is sent for a member whom others do not see, and for an invitation that was used meanwhile.
func TestSend_OnlyForShownMembersAndUnusedInvitations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, change := range []string{
		`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, `UPDATE users SET profile_status = 'under_review' WHERE id = $1`,
		`UPDATE users SET is_approved = false WHERE id = $1`, `DELETE FROM users WHERE id = $1`,
		`UPDATE referrals SET status = 'expired', email = NULL WHERE referrer_id = $1`,
	} {
		ann := w.member("")
		r, err := w.invite(ann, uuid.NewString()+"@friend.test")
		require.NoError(t, err)
		w.Exec(change, ann)
		require.NoError(t, w.send(r.ID, false))
	}
	require.NoError(t, w.send(uuid.New(), false))
	assert.Empty(t, w.outbox.mails)
	assert.Zero(t, w.Count(`SELECT count(*) FROM invited_addresses`), "the addresses can be invited by others")
}

// A mail that certainly was not accepted is repeated; one that may have been is not.
func TestSend_RepeatsOnlyCertainlyUnsentMails(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		err         error
		lastAttempt bool
		repeated    bool
	}{
		"busy":                     {&mail.UnsentError{Cause: errors.New("451")}, false, true},
		"busy at the last attempt": {&mail.UnsentError{Cause: errors.New("451")}, true, false},
		"unknown mailbox":          {&mail.UnsentError{Permanent: true, Cause: errors.New("550")}, false, false},
		"connection lost":          {errors.New("EOF"), false, false},
	} {
		w := newEnv(t)
		r, err := w.invite(w.member(""), "kim@friend.test")
		require.NoError(t, err)
		w.outbox.errors = []error{row.err}
		require.Equal(t, row.repeated, w.send(r.ID, row.lastAttempt) != nil, name)
		require.NoError(t, w.send(r.ID, false), name)
		require.Equal(t, row.repeated, len(w.outbox.mails) == 1, name)
	}
}

func TestInvite_IsIdempotentAndLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	client := uuid.New()
	invite := func(client uuid.UUID, address string) (referrals.Referral, error) {
		return w.s.Invite(t.Context(), web.Actor{ID: ann}, ann, client, address)
	}
	first, err := invite(client, "kim@friend.test")
	require.NoError(t, err)
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			again, err := invite(client, "kim@friend.test")
			assert.NoError(t, err)
			assert.Equal(t, first, again)
		})
	}
	wait.Wait()
	_, err = invite(uuid.New(), "kim@friend.test")
	testkit.RequireKind(t, err, fault.Conflict)
	for i := range 9 {
		_, err := invite(uuid.New(), fmt.Sprintf("friend%d@friend.test", i))
		require.NoError(t, err, "a refused or repeated call does not count")
	}
	_, err = invite(uuid.New(), "eleventh@friend.test")
	testkit.RequireKind(t, err, fault.RateLimited)
	require.Equal(t, 10, w.Count(`SELECT count(*) FROM referrals`))
	require.Equal(t, 10, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'send_invitation'`))
	_, err = invite(client, "kim@friend.test")
	require.NoError(t, err, "a retry of an earlier call")

	bob := w.memberAt(uuid.New(), "bob.b@gmail.com", "b", "")
	for _, address := range []string{"", "kim", "kim@", "kim@x", "a b@friend.test", "kim@friend.test\r\nBcc: eve@evil.test", "kim@friend.test, eve@evil.test", "bobb+me@gmail.com"} {
		_, err := w.s.Invite(t.Context(), web.Actor{ID: bob}, bob, uuid.New(), address)
		require.Equal(t, "email", fault.From(err).Field, "%q: %v", address, err)
	}
}

// The invitations of all members together are limited, so that the installation cannot be misused to send mails.
func TestInvite_IsLimitedForAllMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	members := []uuid.UUID{w.member(""), w.member("")}
	client := uuid.New()
	first, err := w.s.Invite(t.Context(), web.Actor{ID: members[0]}, members[0], client, "first@friend.test")
	require.NoError(t, err)
	for i := range perDay - 1 {
		_, err := w.invite(members[i%2], fmt.Sprintf("friend%d@friend.test", i))
		require.NoError(t, err)
	}
	for _, id := range append(members, w.member("")) {
		_, err := w.invite(id, uuid.NewString()+"@friend.test")
		testkit.RequireKind(t, err, fault.RateLimited)
		require.Contains(t, fault.From(err).Message, "share your link")
		require.LessOrEqual(t, fault.From(err).RetryAfter, 24*time.Hour)
	}
	require.Equal(t, perDay, w.Count(`SELECT count(*) FROM referrals`))
	require.Equal(t, perDay, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'send_invitation'`))
	again, err := w.s.Invite(t.Context(), web.Actor{ID: members[0]}, members[0], client, "first@friend.test")
	require.NoError(t, err, "a retry of an earlier call")
	require.Equal(t, first, again)
	w.Exec(`UPDATE daily_counts SET day = day - 1`)
	_, err = w.invite(members[0], "tomorrow@friend.test")
	require.NoError(t, err)
}

// A member whose profile waits for a moderator cannot invite, because the job would send nothing.
func TestInvite_RequiresAShownProfile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	w.Exec(`UPDATE users SET is_approved = false WHERE id = $1`, ann)
	_, err := w.invite(ann, "kim@friend.test")
	testkit.RequireKind(t, err, fault.Forbidden)
	require.Zero(t, w.Count(`SELECT count(*) FROM referrals`))
}

// A first name that is not only a name is replaced, because the member chose it and the mail comes from us.
func TestNameInMail_IsAName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Ann": "Ann", "Jean-Luc": "Jean-Luc", "O’Neil": "O’Neil", "D'Arcy": "D'Arcy", "Łukasz": "Łukasz", "愛": "愛",
		"": "A friend", "evil.com": "A friend", "https://evil.com": "A friend", "Win$1000": "A friend", "Ann\r\nBcc:": "A friend",
		"<b>Ann</b>": "A friend", "@ann": "A friend", "-": "A friend", "💰": "A friend", strings.Repeat("a", 25): "A friend",
	} {
		assert.Equal(t, want, referrals.NameInMail(name), "%q", name)
	}
}

func TestExpireInvitations_ErasesAddressesAfter90Days(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	for i, days := range []int{91, 91, 89} {
		r := w.mustInvite(ann, fmt.Sprintf("friend%d@friend.test", i))
		w.Exec(`UPDATE referrals SET created_at = now() - make_interval(days => $2) WHERE id = $1`, r.ID, days)
	}
	w.member(w.code(ann))
	w.Exec(`UPDATE referrals SET created_at = now() - interval '1 year' WHERE referred_user_id IS NOT NULL`)
	for _, want := range []int{1, 1, 0} {
		n, err := referrals.ExpireInvitations(t.Context(), w.Pool, 1)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM referrals WHERE status = 'expired' AND email IS NULL`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM referrals WHERE email IS NOT NULL`))
	require.Equal(t, referrals.Stats{TotalReferrals: 4, PendingReferrals: 2}, w.stats(ann))

	late, err := url.Parse(codeInLink.FindString(w.outbox.mails[0].Text))
	require.NoError(t, err)
	w.member(late.Query().Get("ref"))
	require.Equal(t, referrals.Stats{TotalReferrals: 5, PendingReferrals: 3}, w.stats(ann), "the link of an expired invitation still names the referrer")
}

func TestJoin_IgnoresUnknownCodes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("")
	for _, code := range []string{"", "NOBODYSCODE", "%", "a\x00b", ann.String(), "ABC DEF", "' OR true"} {
		w.member(code)
	}
	require.Zero(t, w.Count(`SELECT count(*) FROM referrals`))
	w.member(" " + strings.ToLower(w.code(ann)))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM referrals`))
}
