package mail_test

import (
	"bufio"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
)

func TestFolder_ListsNewestFirst(t *testing.T) {
	t.Parallel()
	folder, err := mail.NewFolder(t.TempDir() + "/mail")
	require.NoError(t, err)
	none, err := folder.List("", 10)
	require.NoError(t, err)
	require.NotNil(t, none)
	require.Empty(t, none)
	for i, to := range []string{"ann@example.test", "ben@example.test", "ann@example.test"} {
		require.NoError(t, folder.Send(t.Context(), mail.Message{To: to, Subject: fmt.Sprint(i), Text: "text", HTML: "<p>html</p>"}))
	}
	ann, err := folder.List("Ann@example.test", 10)
	require.NoError(t, err)
	require.Len(t, ann, 2)
	require.Equal(t, "2", ann[0].Subject)
	require.Equal(t, "<p>html</p>", ann[0].HTML)
	require.False(t, ann[0].Date.IsZero())
	all, err := folder.List("", 2)
	require.NoError(t, err)
	require.Equal(t, []string{"2", "1"}, []string{all[0].Subject, all[1].Subject})
}

func newSender(t *testing.T, address string) mail.Sender {
	t.Helper()
	parsed, err := url.Parse(address)
	require.NoError(t, err)
	sender, err := mail.NewSMTP(parsed, "hello@heartward.test")
	require.NoError(t, err)
	return sender
}

// newSenderToOneMail returns a sender to a server that accepts one mail, and the channel to which serveOneMail sends its input.
func newSenderToOneMail(t *testing.T) (sender mail.Sender, received <-chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	input := make(chan string, 1)
	go serveOneMail(listener, input)
	return newSender(t, "smtp://"+listener.Addr().String()), input
}

func TestSMTP_SendsMail(t *testing.T) {
	t.Parallel()
	sender, received := newSenderToOneMail(t)
	require.NoError(t, sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your code", Text: "12345678", HTML: "<b>12345678</b>"}))
	got := <-received
	for _, part := range []string{"RCPT TO:<ann@example.test>", "Subject: Your code", "text/plain", "text/html", "12345678"} {
		require.Contains(t, got, part)
	}
}

// A name in a subject, or an address, cannot add headers or recipients.
func TestSMTP_RefusesHeaderInjection(t *testing.T) {
	t.Parallel()
	send := func(m mail.Message) (string, error) {
		sender, received := newSenderToOneMail(t)
		if err := sender.Send(t.Context(), m); err != nil {
			return "", err
		}
		return <-received, nil
	}
	for _, name := range []string{"Ann\r\nBcc: eve@evil.test", "Ann\nBcc: eve@evil.test", "Ann\r\n\r\n<b>Hello</b>", "Ann\r\n.\r\nMAIL FROM:<eve@evil.test>", "Ann\u202ettec"} {
		got, err := send(mail.Message{To: "ann@example.test", Subject: "A mail to " + name, Text: "text"})
		require.NoError(t, err)
		require.NotRegexp(t, `(?m)^(Bcc|MAIL FROM:<eve|<b>Hello)`, got)
		require.NotContains(t, got, "\u202e", "not in clear text, where it changes the order of the characters")
		require.Equal(t, 1, strings.Count(got, "RCPT TO:"), got)
	}
	for _, to := range []string{"ann@example.test\r\nBcc: eve@evil.test", "ann@example.test, eve@evil.test", "ann@example.test>\r\nRCPT TO:<eve@evil.test"} {
		_, err := send(mail.Message{To: to, Subject: "A mail", Text: "text"})
		require.Error(t, err, to)
	}
}

// Repeated sends of a mail have the same Message-ID; different mails have different ones.
func TestSMTP_RetryHasTheSameMessageID(t *testing.T) {
	t.Parallel()
	id := regexp.MustCompile(`Message-ID: (<[^>]+>)`)
	sendForID := func(m mail.Message) string {
		sender, received := newSenderToOneMail(t)
		require.NoError(t, sender.Send(t.Context(), m))
		return id.FindStringSubmatch(<-received)[1]
	}
	message := mail.Message{To: "ann@example.test", Subject: "A text", Text: "text", ID: "warning-1"}
	require.Equal(t, "<warning-1@heartward.test>", sendForID(message))
	first := sendForID(message)
	require.Equal(t, first, sendForID(message))
	message.ID = ""
	first = sendForID(message)
	require.NotEqual(t, first, sendForID(message))
}

// The server does not offer STARTTLS, as if an attacker had removed it. 0.0.0.0 connects
// to this machine without being a loopback address.
func TestSMTP_RequiresSTARTTLS(t *testing.T) {
	t.Parallel()
	for query, sent := range map[string]bool{"": false, "?tls=none": true} {
		listener, err := net.Listen("tcp", "0.0.0.0:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = listener.Close() })
		ended, received := make(chan string, 1), make(chan string, 1)
		go func() { ended <- serveOneMail(listener, received) }()
		port := listener.Addr().(*net.TCPAddr).Port
		sender := newSender(t, fmt.Sprintf("smtp://0.0.0.0:%d%s", port, query))
		err = sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your code: 12345678", Text: "12345678"})
		require.Equal(t, sent, err == nil, "%q: %v", query, err)
		transcript := <-ended
		for _, secret := range []string{"ann@example.test", "12345678"} {
			require.Equal(t, sent, strings.Contains(transcript, secret), "%q: %s", query, transcript)
		}
	}
}

func TestSMTP_OffersOneClickUnsubscription(t *testing.T) {
	t.Parallel()
	sender, received := newSenderToOneMail(t)
	link := "https://heartward.test/api/unsubscribe/" + strings.Repeat("Ab-_9", 24)
	require.NoError(t, sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your week", Text: "text", Unsubscribe: link}))
	got := <-received
	require.Contains(t, got, "\nList-Unsubscribe: <"+link+">\n", "in one line")
	require.Contains(t, got, "\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n")
}

// The server responds to one command with a reply of the row, or ends the connection if the
// reply is empty.
func TestSMTP_ErrorTellsWhetherTheMailWasAccepted(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		command, reply          string
		sent, unsent, permanent bool
	}{
		"refused connection":        {"", "", false, true, false},
		"unknown mailbox":           {"RCPT", "550 no such mailbox", false, true, true},
		"busy mailbox":              {"RCPT", "451 later", false, true, false},
		"connection lost at RCPT":   {"RCPT", "", false, true, false},
		"refused content":           {".", "554 spam", false, true, true},
		"content refused for now":   {".", "451 later", false, true, false},
		"connection lost after end": {".", "", false, false, false},
		"connection lost at RSET":   {"RSET", "", true, false, false},
		"connection lost at QUIT":   {"QUIT", "", true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			if row.command == "" {
				require.NoError(t, listener.Close())
			} else {
				t.Cleanup(func() { _ = listener.Close() })
				go serveWithReply(listener, row.command, row.reply)
			}
			sender := newSender(t, "smtp://"+listener.Addr().String())
			err = sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your week", Text: "text"})
			require.Equal(t, row.sent, err == nil, "%v", err)
			unsent, permanent := mail.IsUnsent(err)
			require.Equal(t, []bool{row.unsent, row.permanent}, []bool{unsent, permanent}, "%v", err)
		})
	}
}

// serveWithReply serves one connection, with reply as the response to command, and ends the
// connection instead if reply is empty. The command "." is the end of the content.
func serveWithReply(listener net.Listener, command, reply string) {
	conn, err := listener.Accept()
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprint(conn, "220 test\r\n")
	inData := false
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, command) && (command != "." || inData):
			inData = false
			if reply == "" {
				return
			}
			fmt.Fprint(conn, reply+"\r\n")
		case inData && line != ".":
		case line == "DATA":
			inData = true
			fmt.Fprint(conn, "354 send data\r\n")
		default:
			inData = false
			fmt.Fprint(conn, "250 ok\r\n")
		}
	}
}

// The error is logged, and the library and servers put the address into theirs.
func TestSMTP_ErrorHasNoAddress(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprint(conn, "220 test\r\n")
		for lines := bufio.NewScanner(conn); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "RCPT") {
				fmt.Fprint(conn, "550 5.1.1 <ANN@example.test>: no such mailbox\r\n")
			} else {
				fmt.Fprint(conn, "250 ok\r\n")
			}
		}
	}()
	sender := newSender(t, "smtp://"+listener.Addr().String())
	err = sender.Send(t.Context(), mail.Message{To: "ann@example.test", Subject: "Your code", Text: "12345678"})
	require.ErrorContains(t, err, "no such mailbox")
	require.NotContains(t, strings.ToLower(err.Error()), "ann@example.test")
}

func TestNewSMTP_RefusesUnknownTLSSetting(t *testing.T) {
	t.Parallel()
	address, err := url.Parse("smtp://mail.example.test?tls=sometimes")
	require.NoError(t, err)
	_, err = mail.NewSMTP(address, "hello@heartward.test")
	require.ErrorContains(t, err, "tls")
}

// serveOneMail serves one connection of a mail server without STARTTLS. It sends its input to received when the content of a mail
// has ended, and returns it when the connection ends.
func serveOneMail(listener net.Listener, received chan<- string) string {
	conn, err := listener.Accept()
	if err != nil {
		return ""
	}
	defer conn.Close()
	var all strings.Builder
	fmt.Fprint(conn, "220 test\r\n")
	inData := false
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		line := lines.Text()
		all.WriteString(line + "\n")
		switch {
		case inData && line == ".":
			inData = false
			received <- all.String()
			fmt.Fprint(conn, "250 ok\r\n")
		case inData:
		case line == "DATA":
			inData = true
			fmt.Fprint(conn, "354 send data\r\n")
		case strings.HasPrefix(line, "EHLO"):
			fmt.Fprint(conn, "250 test\r\n")
		case line == "QUIT":
			fmt.Fprint(conn, "221 bye\r\n")
			return all.String()
		default:
			fmt.Fprint(conn, "250 ok\r\n")
		}
	}
	return all.String()
}
