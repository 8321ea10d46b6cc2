package mail_test

import (
	"bytes"
	"math/rand/v2"
	"mime"
	netmail "net/mail"
	"net/textproto"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/mail"
	"heartward/api/platform/testkit"
)

const from = "hello@heartward.test"

func write(t *testing.T, m mail.Message) string {
	t.Helper()
	message, err := mail.Written(m, from)
	require.NoError(t, err)
	var raw bytes.Buffer
	_, err = message.WriteTo(&raw)
	require.NoError(t, err)
	return raw.String()
}

// The names of the header, in any order.
var headerNames = []string{
	"Auto-Submitted", "Content-Transfer-Encoding", "Content-Type", "Date", "Feedback-Id", "From", "List-Unsubscribe", "List-Unsubscribe-Post",
	"Message-Id", "Mime-Version", "Subject", "To",
}

// Mailbox providers offer the button only for a link in one line that is neither encoded nor folded.
func TestCompose_OneClickHeadersAreTheseBytes(t *testing.T) {
	t.Parallel()
	link := mail.UnsubscribeLink("https://a-long-name-of-a-site.heartward.test", mail.Subscription{Member: uuid.New(), Kind: mail.Graduations})
	raw := write(t, mail.Message{To: "ann@example.test", Subject: "Your week", Text: "text", HTML: "<p>html</p>", Unsubscribe: link})
	require.Contains(t, raw, "\r\nList-Unsubscribe: <"+link+">\r\n")
	require.Contains(t, raw, "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n")
	require.Regexp(t, `^https://a-long-name-of-a-site\.heartward\.test/api/unsubscribe/[A-Za-z0-9_-]+$`, link)
	require.NotContains(t, write(t, mail.Message{To: "ann@example.test", Subject: "Your code", Text: "text"}), "List-Unsubscribe")
}

func TestCompose_MachinesRecogniseTheMail(t *testing.T) {
	t.Parallel()
	m, err := mail.Build(mail.Letter{
		Template: "digest", Kind: mail.Digests, ID: "digest-1", To: mail.Reader{Address: "ann@example.test"}, Subject: "Your week",
	})
	require.NoError(t, err)
	raw := "\r\n" + write(t, m)
	require.Contains(t, raw, "\r\nAuto-Submitted: auto-generated\r\n")
	require.Contains(t, raw, "\r\nFeedback-ID: digest:digest:heartward\r\n")
	require.Contains(t, raw, "\r\nMessage-ID: <digest-1@heartward.test>\r\n")
	require.Regexp(t, `\r\nDate: \w{3}, \d{1,2} \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}\r\n`, raw)
	require.Contains(t, raw, `From: "Heartward" <hello@heartward.test>`)
}

// Subjects, names and ids of random characters add no header and no recipient, no line is longer than 998 bytes, the
// header is ASCII, and the subject and the name of the sender arrive as they are, without control characters.
func TestCompose_HeadersOfAnyTextAreSafe(t *testing.T) {
	t.Parallel()
	random := testkit.Rand(t, 0)
	for range 3000 {
		m := mail.Message{
			To: "ann@example.test", Subject: anyText(random), Sender: anyText(random), ID: anyText(random), Text: anyText(random), HTML: anyText(random),
			Kind: mail.Kind(anyText(random)), Template: anyText(random), Unsubscribe: "https://heartward.test/api/unsubscribe/abc",
		}
		raw := write(t, m)
		head, _, _ := strings.Cut(raw, "\r\n\r\n")
		for line := range strings.SplitSeq(raw, "\r\n") {
			require.LessOrEqual(t, len(line), 998, "%+v", m)
			require.NotContains(t, line, "\n", "%+v", m)
			require.NotContains(t, line, "\r", "%+v", m)
		}
		for _, b := range []byte(head) {
			require.True(t, b == '\r' || b == '\n' || b >= ' ' && b < 0x7f, "%+v: %q", m, head)
		}
		parsed, err := netmail.ReadMessage(strings.NewReader(raw))
		require.NoError(t, err, "%+v", m)
		for name, values := range parsed.Header {
			require.Contains(t, headerNames, textproto.CanonicalMIMEHeaderKey(name), "%+v", m)
			require.Len(t, values, 1, "%s of %+v", name, m)
		}
		decoded, err := new(mime.WordDecoder).DecodeHeader(parsed.Header.Get("Subject"))
		require.NoError(t, err)
		require.Equal(t, headerText(m.Subject), decoded, "%+v", m)
		to, err := parsed.Header.AddressList("To")
		require.NoError(t, err)
		require.Len(t, to, 1)
		sender, err := parsed.Header.AddressList("From")
		require.NoError(t, err, "%+v: %s", m, parsed.Header.Get("From"))
		require.Len(t, sender, 1)
		require.Equal(t, from, sender[0].Address)
		require.Regexp(t, `^<[A-Za-z0-9._-]*@heartward\.test>$`, parsed.Header.Get("Message-ID"))
	}
}

// headerText is what is left of a text in a header.
func headerText(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			b.WriteRune(' ')
		case !unicode.IsControl(r) && !unicode.Is(unicode.Cf, r) && r != utf8.RuneError:
			b.WriteRune(r)
		}
	}
	runes := []rune(strings.ReplaceAll(strings.Join(strings.Fields(b.String()), " "), "=?", "= ?"))
	if len(runes) > 150 {
		return string(runes[:149]) + "…"
	}
	return string(runes)
}

// anyText returns a text of parts that are dangerous in headers, and of random characters.
func anyText(random *rand.Rand) string {
	parts := []string{
		"\r\nBcc: eve@evil.test", "\nX: y", "\r\n\r\n<b>", "=?utf-8?q?=0D=0ABcc?=", "\"", "\\", "<eve@evil.test>", ",", ";", ":", "(", ")",
		"\x00", "\u202e", "\u2028", "é", "漢字", "👩‍👩‍👧", strings.Repeat("a", 300), strings.Repeat("ü", 80), " ", "\t", "?=", "\xff",
	}
	var b strings.Builder
	for range random.IntN(6) {
		if random.IntN(3) == 0 {
			b.WriteRune(rune(random.IntN(0x2ffff)))
		} else {
			b.WriteString(parts[random.IntN(len(parts))])
		}
	}
	return b.String()
}
