package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail/mailtest"
)

// requestCode asks for a code for an address in a new browser, and returns the status and the body of the response.
func (p instance) requestCode(email string) (int, string) {
	p.t.Helper()
	body := strings.NewReader(fmt.Sprintf(`{"email": %q}`, email))
	request, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, fmt.Sprintf("http://127.0.0.1:%d/api/auth/code", p.port), body)
	require.NoError(p.t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(p.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	return response.StatusCode, string(text)
}

// bounce gives a report to the command as a mail server does.
func (p instance) bounce(variables []string, recipient, report string) (out string, code int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	cmd := p.command(ctx, variables, "bounce", recipient)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(report), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		var exited *exec.ExitError
		require.ErrorAs(p.t, err, &exited, stderr.String())
	}
	return strings.TrimSpace(stdout.String()), cmd.ProcessState.ExitCode()
}

// A mail server refuses one address at once, and reports about another one later. Both get no more codes, and the form
// says it at the field.
func TestMail_RefusedAndReturned(t *testing.T) {
	t.Parallel()
	server, p := mailtest.New(t), newInstance(t)
	metrics := fmt.Sprintf("127.0.0.1:%d", freePort(t))
	p.variables = []string{"SMTP_URL=" + server.URL.String(), "BOUNCE_ADDRESS=bounces@heartward.test", "METRICS_ADDR=" + metrics}
	p.serve()

	const mistyped, closed = "mistyped@one.example", "closed@two.example"
	server.Answer(func(command, recipient string) string {
		if command == "RCPT" && recipient == mistyped {
			return "550 5.1.1 no such mailbox"
		}
		return ""
	})
	for range 2 {
		status, body := p.requestCode(mistyped)
		require.Equal(t, http.StatusUnprocessableEntity, status, body)
		require.Contains(t, body, "This address doesn't take mail.")
		require.Contains(t, body, "email")
	}
	require.Equal(t, 1, server.Tries(mistyped), "the second code is withheld")

	status, body := p.requestCode(closed)
	require.Equal(t, http.StatusAccepted, status, body)
	sent := server.Mails(closed)
	require.Len(t, sent, 1)
	require.Regexp(t, `^bounces\+\S+@heartward\.test$`, sent[0].From)
	report := strings.ReplaceAll(fmt.Sprintf(`From: MAILER-DAEMON@two.example
To: %s
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; two.example

Final-Recipient: rfc822; %s
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 The mailbox was closed

--part--
`, sent[0].From, closed), "\n", "\r\n")
	out, code := p.bounce(nil, sent[0].From, "Subject: I am on holiday\r\n\r\nBack on Monday.")
	require.Equal(t, []any{"no report", 0}, []any{out, code})
	out, code = p.bounce([]string{"DATABASE_URL=postgres://x@127.0.0.1:1/x"}, sent[0].From, report)
	require.Equal(t, []any{"", 75}, []any{out, code}, "without its database the mail server keeps the report")
	for _, want := range []string{"recorded", "known"} {
		out, code = p.bounce(nil, sent[0].From, report)
		require.Equal(t, []any{want, 0}, []any{out, code})
	}
	status, body = p.requestCode(closed)
	require.Equal(t, http.StatusUnprocessableEntity, status, body)
	require.Len(t, server.Mails(closed), 1)

	response, err := http.Get("http://" + metrics + "/metrics")
	require.NoError(t, err)
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^heartward_mail_failure_ratio 1$`, string(all))
	require.Regexp(t, `(?m)^heartward_mails_ended 2$`, string(all))
}

// The doctor prints what it found and what to do. It needs neither a database nor a data folder.
func TestDoctor_SaysWhatToDo(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	variables := []string{"MAIL_FROM=Heartward <hello@heartward.test>"}
	got := p.run(variables, "doctor", "--dns", fmt.Sprintf("127.0.0.1:%d", freePort(t))) // nothing answers there
	require.Zero(t, got.code, got.err)
	require.Contains(t, got.out, "SMTP_URL is not set.")
	require.Contains(t, got.out, "To do: Run this again, on a machine that reaches the DNS.")
	require.NoDirExists(t, p.dir)

	unsigned := filepath.Join(t.TempDir(), "mail.eml")
	require.NoError(t, os.WriteFile(unsigned, []byte("From: hello@heartward.test\r\n\r\nHello"), 0o600))
	got = p.run(variables, "doctor", "--dns", fmt.Sprintf("127.0.0.1:%d", freePort(t)), "--message", unsigned)
	require.Equal(t, 1, got.code)
	require.Equal(t, "heartward: mails may not arrive, or videos not be accepted: see the problems above\n", got.err)
	require.Contains(t, got.out, "no signature of heartward.test")
}
