package delivery_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/delivery"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/mail/mailtest"
	"heartward/api/platform/testkit"
)

func TestSend_AcceptedMailIsSentOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 2 { // as after a worker that was killed before its job was completed
		require.NoError(t, w.send(mail.Account, "export-1"))
	}
	sent := w.server.Mails(w.email)
	require.Len(t, sent, 1)
	require.Equal(t, "<export-1@heartward.test>", sent[0].Header("Message-ID"))
	require.Regexp(t, `^bounces\+[a-z2-7]{39}@heartward\.test$`, sent[0].From)
	require.Equal(t, "sent", w.state("export-1"))
	require.Nil(t, w.problem())
}

func TestSend_UnknownMailboxIsMarkedAndItsMemberInformed(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.server.Refuse("RCPT", "550 5.1.1 <"+w.email+">: no such mailbox")
	refused := w.unsent(mail.Account, "export-1")
	require.True(t, refused.Permanent)
	require.Equal(t, mail.NoMailbox, refused.Outcome)
	require.False(t, mail.IsWithheld(refused), "the server refused it")
	p := w.problem()
	require.NotNil(t, p)
	require.Equal(t, "no_mailbox", p.Reason)
	require.Equal(t, "550 5.1.1 <…>: no such mailbox", p.Answer)
	require.Equal(t, 1, w.changes())
	w.server.Accept()
	for kind, id := range map[mail.Kind]string{mail.Account: "export-2", mail.Digests: "digest-1", mail.Codes: "code-1"} {
		refused := w.unsent(kind, id)
		require.Equal(t, mail.NoMailbox, refused.Outcome, kind)
		require.True(t, mail.IsWithheld(refused), kind)
		require.Equal(t, "withheld", w.state(id), kind)
	}
	require.Empty(t, w.server.Mails(""))
	require.Equal(t, 1, w.changes(), "the member is told once")

	// A server may be wrong: once a day an urgent mail is tried, so that the member can sign in.
	w.Exec(`UPDATE mail_suppressions SET changed_at = now() - interval '25 hours'`)
	require.Error(t, w.send(mail.Account, "export-3"))
	require.NoError(t, w.send(mail.Codes, "code-2"))
	require.Error(t, w.send(mail.Codes, "code-3"))
}

func TestSend_OtherAddressOfTheMemberWorks(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.server.Refuse("RCPT", "550 no such user")
	w.unsent(mail.Account, "export-1")
	w.Exec(`UPDATE users SET email = 'other@ann.example' WHERE id = $1`, w.ann.ID)
	require.Nil(t, w.problem())
	has, err := w.HasProblem(t.Context(), w.ann.ID)
	require.NoError(t, err)
	require.False(t, has)
}

func TestSend_RefusedMailMarksNoAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.server.Refuse(".", "554 5.6.0 bad content")
	require.True(t, w.unsent(mail.Account, "export-1").Permanent)
	require.Equal(t, "failed", w.state("export-1"))
	require.Nil(t, w.problem())
	w.server.Accept()
	require.NoError(t, w.send(mail.Account, "export-2"))
}

// A greylisting server accepts the second attempt. It has the same Message-ID and return path.
func TestSend_GreylistedMailIsSentAgain(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.server.Answer(func(command, recipient string) string {
		if command == "RCPT" && w.server.Tries(recipient) == 1 {
			return "451 4.7.1 greylisted, try again"
		}
		return ""
	})
	refused := w.unsent(mail.Account, "export-1")
	require.Equal(t, []any{false, mail.Later}, []any{refused.Permanent, refused.Outcome})
	require.Equal(t, "waiting", w.state("export-1"))
	require.NoError(t, w.send(mail.Account, "export-1"))
	require.Equal(t, "sent", w.state("export-1"))
	require.Equal(t, 2, w.Count(`SELECT attempts FROM mail_deliveries`))
	require.Nil(t, w.problem())
}

// After three mails that a full mailbox refused, optional mails are withheld until the score has decayed. Others are sent.
func TestSend_FullMailboxGetsNoOptionalMails(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.server.Refuse("RCPT", "552 5.2.2 over quota")
	for _, id := range []string{"export-1", "export-2", "export-3"} {
		require.Nil(t, w.problem())
		for range 5 { // tries of one mail count once
			require.False(t, w.unsent(mail.Account, id).Permanent)
		}
	}
	require.Equal(t, "mailbox_full", w.problem().Reason)
	require.Equal(t, 1, w.changes())
	w.server.Accept()
	require.Equal(t, mail.MailboxFull, w.unsent(mail.Digests, "digest-1").Outcome)
	require.NoError(t, w.send(mail.Account, "export-4"))
	w.Exec(`UPDATE mail_suppressions SET changed_at = now() - interval '8 days'`)
	require.Nil(t, w.problem())
	require.NoError(t, w.send(mail.Digests, "digest-2"))
}

// The connection is lost after the end of the mail. The server may have it.
func TestSend_RepeatsNoOptionalMailThatMayHaveArrived(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		kind  mail.Kind
		again bool
	}{{mail.Digests, false}, {mail.Invitations, false}, {mail.Security, true}, {mail.Account, true}} {
		t.Run(string(row.kind), func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			w.server.Refuse(".", mailtest.DropAfter)
			var unknown *mail.UnknownError
			require.ErrorAs(t, w.send(row.kind, "mail-1"), &unknown)
			require.Equal(t, "unknown", w.state("mail-1"))
			w.server.Accept()
			err := w.send(row.kind, "mail-1")
			if !row.again {
				require.ErrorAs(t, err, &unknown)
				require.Len(t, w.server.Mails(""), 1)
				return
			}
			require.NoError(t, err)
			sent := w.server.Mails("")
			require.Len(t, sent, 2)
			require.Equal(t, sent[0].Header("Message-ID"), sent[1].Header("Message-ID"))
		})
	}
}

// A process was killed while the server had the mail.
func TestSend_RepeatsNoOptionalMailOfAKilledProcess(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for kind, want := range map[mail.Kind]int{mail.Digests: 0, mail.Security: 1} {
		id := string(kind) + "-1"
		w.server.Refuse("RCPT", "451 later")
		w.unsent(kind, id)
		w.server.Accept()
		w.Exec(`UPDATE mail_deliveries SET state = 'sending' WHERE message_id = $1`, id)
		before := len(w.server.Mails(""))
		_ = w.send(kind, id)
		require.Equal(t, want, len(w.server.Mails(""))-before, kind)
	}
}

func TestEndStale_EndsInterruptedAndLateMails(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.server.Refuse("RCPT", "451 later")
	for _, id := range []string{"killed-1", "late-1", "waits-1"} {
		w.unsent(mail.Account, id)
	}
	w.Exec(`UPDATE mail_deliveries SET state = 'sending', changed_at = now() - interval '11 minutes' WHERE message_id = 'killed-1'`)
	w.Exec(`UPDATE mail_deliveries SET created_at = now() - interval '49 hours', changed_at = now() - interval '6 hours' WHERE message_id = 'late-1'`)
	n, err := delivery.EndStale(t.Context(), w.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, 2, n)
	require.Equal(t, []string{"unknown", "failed", "waiting"}, []string{w.state("killed-1"), w.state("late-1"), w.state("waits-1")})
	ratio, ended, err := w.FailureRatio(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{1.0, 2}, []any{ratio, ended})
}

// Beyond the rate of their domain, mails wait and none is lost. Codes do not wait.
func TestSend_WaitsAtTheRateOfADomain(t *testing.T) {
	t.Parallel()
	w := newEnv(t, func(c *delivery.Config) { c.PerMinute = 12 }) // three at once: one for each five of ten seconds, and the first
	send := func(to string, kind mail.Kind) error {
		return w.Send(t.Context(), mail.Message{To: to, Subject: "A mail", Text: "text", ID: "mail-" + to, Kind: kind})
	}
	var sent int
	var wait time.Duration
	for i := range 10 {
		err := send(strings.Repeat("a", i+1)+"@gmail.com", mail.Digests)
		if err == nil {
			sent++
			continue
		}
		var unsent *mail.UnsentError
		require.ErrorAs(t, err, &unsent)
		require.False(t, unsent.Permanent)
		wait = unsent.Wait
	}
	require.Equal(t, 3, sent)
	require.Positive(t, wait)
	require.Error(t, send("b@googlemail.com", mail.Digests), "the same provider")
	require.NoError(t, send("b@elsewhere.example", mail.Digests))
	require.NoError(t, send("code@gmail.com", mail.Codes))
	w.Exec(`UPDATE mail_rates SET tat = now() - interval '1 minute'`)
	require.NoError(t, send("aaaaaaaaaa@gmail.com", mail.Digests), "it waited, and is not lost")
	require.Len(t, w.server.Mails("aaaaaaaaaa@gmail.com"), 1)
}

// A domain that asks for fewer mails gets none for a while, then fewer, and after an hour the usual number.
func TestSend_FewerMailsForADomainThatAsks(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.server.Refuse("RCPT", "421 4.7.28 unusual rate")
	var pauses []time.Duration
	for range 3 {
		refused := w.unsent(mail.Account, "export-1")
		require.Equal(t, mail.TooMany, refused.Outcome)
		pauses = append(pauses, refused.Wait.Round(time.Second))
		require.Equal(t, mail.Later, w.unsent(mail.Account, "export-2").Outcome)
		w.Exec(`UPDATE mail_rates SET paused_until = now(), tat = now()`)
	}
	require.Equal(t, []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute}, pauses)
	require.Equal(t, 3, w.server.Tries(w.email), "none during the pauses")
	w.server.Accept()
	require.NoError(t, w.send(mail.Account, "export-3"))
	require.Error(t, w.send(mail.Account, "export-4"), "no burst")
	w.Exec(`UPDATE mail_rates SET struck_at = now() - interval '1 hour', tat = now()`)
	for _, id := range []string{"export-1", "export-2", "export-4"} {
		require.NoError(t, w.send(mail.Account, id))
	}
}

func TestCheck_LiftsTheMarkOnceTheMailIsAccepted(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	p, err := w.Check(t.Context(), w.ann.ID)
	require.NoError(t, err)
	require.Nil(t, p, "without a problem it does nothing")
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'check_address'`))
	w.server.Refuse("RCPT", "550 5.1.1 no such mailbox")
	w.unsent(mail.Account, "export-1")
	check := func() error {
		return w.SendCheck(t.Context(), delivery.CheckArgs{MemberID: w.ann.ID, CheckID: uuid.New()})
	}
	for range 3 {
		for range 2 { // the second asks during a check
			p, err = w.Check(t.Context(), w.ann.ID)
			require.NoError(t, err)
			require.True(t, p.IsChecking)
		}
		require.Error(t, check())
		require.False(t, w.problem().IsChecking)
	}
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'check_address'`))
	_, err = w.Check(t.Context(), w.ann.ID)
	testkit.RequireKind(t, err, fault.RateLimited)
	w.server.Accept()
	before := w.changes()
	require.NoError(t, check())
	require.Nil(t, w.problem())
	require.Equal(t, before+1, w.changes())
	require.NoError(t, w.send(mail.Digests, "digest-1"))
}
