package delivery_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/delivery"
	"heartward/api/platform/mail"
)

// bounce is a report as Postfix writes it, about a mail that was sent.
func bounce(action, status, diagnostic, returned string) []byte {
	return []byte(strings.ReplaceAll(fmt.Sprintf(`From: MAILER-DAEMON@mx.example
To: bounces@heartward.test
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

--part
Content-Type: text/plain

I'm sorry.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; ann@example.test
Action: %s
Status: %s
Diagnostic-Code: smtp; %s

--part
Content-Type: message/rfc822

%s
--part--
`, action, status, diagnostic, returned), "\n", "\r\n"))
}

func complaint(returned string) []byte {
	return []byte(fmt.Sprintf(`From: feedback@provider.example
To: fbl@heartward.test
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part"

--part
Content-Type: text/plain

This is an abuse report.

--part
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Provider/1.0
Version: 1

--part
Content-Type: message/rfc822

%s
--part--
`, returned))
}

// sent sends a mail and returns it as a server returns it, with its return path.
func (w *env) sent(kind mail.Kind, id string) string {
	w.Helper()
	require.NoError(w, w.send(kind, id))
	all := w.server.Mails(w.email)
	last := all[len(all)-1]
	return "Return-Path: <" + strings.ToUpper(last.From) + ">\n" + last.Raw
}

func (w *env) report(recipient string, raw []byte) delivery.Result {
	w.Helper()
	result, err := w.HandleReport(w.Context(), recipient, raw)
	require.NoError(w, err)
	return result
}

func TestHandleReport_MarksAddressesWithoutAMailbox(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		action, status, diagnostic string
		result                     delivery.Result
		state                      string
		marked                     bool
	}{
		"unknown mailbox":           {"failed", "5.1.1", "550 5.1.1 <ann@example.test> unknown", delivery.Recorded, "bounced", true},
		"unknown domain":            {"failed", "5.4.4", "Host not found", delivery.Recorded, "bounced", true},
		"status only in the answer": {"failed", "5.0.0", "550 5.1.1 unknown", delivery.Recorded, "bounced", true},
		"answer without a status":   {"failed", "5.0.0", "550 no such user", delivery.Recorded, "bounced", true},
		"full":                      {"failed", "5.2.2", "552 5.2.2 over quota", delivery.Recorded, "bounced", false},
		"policy":                    {"failed", "5.7.1", "550 5.7.1 spam", delivery.Recorded, "bounced", false},
		"given up after days":       {"failed", "4.4.1", "connection timed out", delivery.Recorded, "bounced", false},
		"delay":                     {"delayed", "4.4.1", "connection timed out", delivery.NoReport, "sent", false},
		"success":                   {"delivered", "2.0.0", "250 ok", delivery.NoReport, "sent", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			raw := bounce(row.action, row.status, row.diagnostic, w.sent(mail.Digests, "digest-1"))
			require.Equal(t, row.result, w.report("", raw))
			require.Equal(t, row.state, w.state("digest-1"))
			require.Equal(t, row.marked, w.problem() != nil)
			changes := w.changes()
			if row.marked {
				require.Equal(t, 1, changes)
				require.NotContains(t, w.problem().Answer, "example.test")
			}
			again := row.result
			if again == delivery.Recorded {
				again = delivery.Known
			}
			require.Equal(t, again, w.report("", raw))
			require.Equal(t, changes, w.changes())
		})
	}
}

// The recipient in the envelope, which the mail server passes to a pipe, identifies the mail even if the report does not.
func TestHandleReport_FindsTheMailByTheRecipient(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.sent(mail.Digests, "digest-1")
	raw := bounce("failed", "5.1.1", "550 5.1.1 unknown", "Subject: without a return path\n")
	require.Equal(t, delivery.NotOurs, w.report("bounces@heartward.test", raw))
	require.Equal(t, delivery.Recorded, w.report(w.server.Mails("")[0].From, raw))
}

// Reports are accepted only with the signed return path, which only the servers that got the mail know.
func TestHandleReport_RefusesForgeries(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	returned := w.sent(mail.Digests, "digest-1")
	path := w.server.Mails("")[0].From
	token := path[len("bounces+") : len("bounces+")+39]
	forged := []byte(token)
	forged[30] = map[bool]byte{true: 'b', false: 'a'}[forged[30] == 'a']
	raw := strings.ReplaceAll(strings.ToLower(returned), token, string(forged))
	require.Equal(t, delivery.NotOurs, w.report("", bounce("failed", "5.1.1", "550 5.1.1 unknown", raw)))
	require.Equal(t, delivery.NoReport, w.report(path, []byte("Subject: I am away\r\nAuto-Submitted: auto-replied\r\n\r\nBack on Monday.")))
	require.Equal(t, delivery.NoReport, w.report(path, []byte("no mail at all")))
	require.Nil(t, w.problem())
	require.Equal(t, "sent", w.state("digest-1"))
}

// A complaint ends the mails of its kind only: by turning off the preference if there is one. Mails about the access to an
// account continue.
func TestHandleReport_AComplaintEndsMailsOfItsKindOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	require.Equal(t, delivery.Recorded, w.report("", complaint(w.sent(mail.Digests, "digest-1"))))
	require.Equal(t, "complained", w.state("digest-1"))
	require.Equal(t, w.ann.ID, w.ended[0])
	require.Equal(t, delivery.Known, w.report(w.server.Mails("")[0].From, complaint("Subject: again\n")))
	require.Len(t, w.ended, 1)

	require.Equal(t, delivery.Recorded, w.report("", complaint(w.sent(mail.Graduations, "graduation-1"))))
	require.Equal(t, mail.Refused, w.unsent(mail.Graduations, "graduation-2").Outcome)
	require.Equal(t, delivery.Recorded, w.report("", complaint(w.sent(mail.Security, "notice-1"))))
	for kind, id := range map[mail.Kind]string{mail.Security: "notice-2", mail.Codes: "code-1", mail.Account: "export-1", mail.Digests: "digest-2"} {
		require.NoError(t, w.send(kind, id), kind)
	}
	require.Nil(t, w.problem(), "the address works")
}
