package mail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
	"heartward/api/platform/mail/mailtest"
)

// Each answer is sent by a server at a command; "." is the end of the content.
func TestSMTP_OutcomeOfEachAnswer(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		command, answer string
		outcome         mail.Outcome
	}{
		{"RCPT", "550 5.1.1 no such mailbox", mail.NoMailbox},
		{"RCPT", "550-5.1.1 The account does not\r\n550 5.1.1 exist", mail.NoMailbox},
		{"RCPT", "550 5.1.2 unknown domain", mail.NoMailbox},
		{"RCPT", "553 5.1.3 bad address syntax", mail.NoMailbox},
		{"RCPT", "550 5.1.6 mailbox has moved", mail.NoMailbox},
		{"RCPT", "556 5.1.10 domain has a null MX", mail.NoMailbox},
		{"RCPT", "550 5.2.1 mailbox is disabled", mail.NoMailbox},
		{"RCPT", "550 5.4.4 domain not found", mail.NoMailbox},
		{"RCPT", "550 no such user", mail.NoMailbox},
		{"RCPT", "553 mailbox name not allowed", mail.NoMailbox},
		{"RCPT", "550 <a5.2.2@ann.example> unknown", mail.NoMailbox},
		{".", "550 5.1.1 no such mailbox", mail.NoMailbox},
		{"RCPT", "552 5.2.2 over quota", mail.MailboxFull},
		{"RCPT", "552 over quota", mail.MailboxFull},
		{"RCPT", "452 4.2.2 over quota", mail.MailboxFull},
		{"RCPT", "452 not enough space", mail.MailboxFull},
		{"RCPT", "550 5.7.1 blocked by policy", mail.Later},
		{".", "554 5.7.1 spam", mail.Later},
		{"RCPT", "550 blocked, see our list", mail.Later},
		{"RCPT", "451 4.7.1 greylisted", mail.Later},
		{"RCPT", "451 4.4.3 name server failure", mail.Later},
		{"MAIL", "451 4.3.0 try later", mail.Later},
		{"RCPT", "450 4.2.0 greylisted", mail.TooMany},
		{"RCPT", "421 4.7.28 unusual rate", mail.TooMany},
		{"RCPT", "550 4.7.28 unusual rate", mail.TooMany},
		{"MAIL", "421 too many connections", mail.TooMany},
		{"MAIL", "550 5.1.1 who are you", mail.Refused},
		{"MAIL", "550 5.1.8 bad sender domain", mail.Refused},
		{"MAIL", "553 sender", mail.Refused},
		{".", "550 5.6.0 bad content", mail.Refused},
		{".", "554 no", mail.Refused},
		{"RCPT", "501 5.5.2 syntax", mail.Refused},
		{"RCPT", "552 5.3.4 too long", mail.Refused},
	} {
		t.Run(row.command+" "+row.answer, func(t *testing.T) {
			t.Parallel()
			server := mailtest.New(t)
			server.Refuse(row.command, row.answer)
			sender, err := mail.NewSMTP(server.URL, "hello@heartward.test")
			require.NoError(t, err)
			err = sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your week", Text: "text"})
			var unsent *mail.UnsentError
			require.ErrorAs(t, err, &unsent)
			require.Equal(t, row.outcome, unsent.Outcome, "%+v", unsent.Answer)
			require.Equal(t, row.outcome == mail.NoMailbox || row.outcome == mail.Refused, unsent.Permanent)
			require.Empty(t, server.Mails(""))
		})
	}
}

func TestSMTP_LostAnswerIsUnknown(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{mailtest.Drop, mailtest.DropAfter} {
		server := mailtest.New(t)
		server.Refuse(".", answer)
		sender, err := mail.NewSMTP(server.URL, "hello@heartward.test")
		require.NoError(t, err)
		err = sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your week", Text: "text"})
		var unknown *mail.UnknownError
		require.ErrorAs(t, err, &unknown)
		unsent, _ := mail.IsUnsent(err)
		require.False(t, unsent)
	}
}

// The answer is stored, so that it has no address.
func TestSMTP_AnswerHasNoAddress(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	server.Refuse("RCPT", "550 5.1.1 <ANN@example.test>: unknown, ask postmaster@example.test")
	sender, err := mail.NewSMTP(server.URL, "hello@heartward.test")
	require.NoError(t, err)
	err = sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your week", Text: "text"})
	var unsent *mail.UnsentError
	require.ErrorAs(t, err, &unsent)
	require.Equal(t, "550 5.1.1 <…>: unknown, ask …", unsent.Answer.Text)
}

// Earlier rules accepted such addresses, whose local part needs quotes.
func TestSMTP_QuotesLocalPart(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	sender, err := mail.NewSMTP(server.URL, "hello@heartward.test")
	require.NoError(t, err)
	for _, to := range []string{"a..b@docomo.example", ".a@docomo.example", "a.@docomo.example", "ann@Example.test"} {
		require.NoError(t, sender.Send(t.Context(), mail.Message{To: to, Subject: "Hello", Text: "text"}), to)
	}
	var recipients []string
	for _, m := range server.Mails("") {
		recipients = append(recipients, m.To)
	}
	require.Equal(t, []string{`"a..b"@docomo.example`, `".a"@docomo.example`, `"a."@docomo.example`, "ann@example.test"}, recipients)
}

func TestSMTP_ReturnPathIsTheEnvelopesSender(t *testing.T) {
	t.Parallel()
	server := mailtest.New(t)
	sender, err := mail.NewSMTP(server.URL, "hello@heartward.test")
	require.NoError(t, err)
	require.NoError(t, sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "A", Text: "t", ReturnPath: "bounces+x@heartward.test"}))
	sent := server.Mails("ann@example.test")
	require.Len(t, sent, 1)
	require.Equal(t, "bounces+x@heartward.test", sent[0].From)
	require.Contains(t, sent[0].Header("From"), "hello@heartward.test")
}
