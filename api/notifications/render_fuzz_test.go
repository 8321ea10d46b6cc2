package notifications

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/unread"
	"heartward/api/platform/testkit"
)

// maxPayload is the bound of the payloads in bytes, below the maximum of package push.
const maxPayload = 2048

// For every name and text, the payload is valid JSON, small enough for every push
// service, and contains at most 50 characters of the text, without splitting a cluster.
func FuzzRender(f *testing.F) {
	seeds := []string{
		"", "hello", strings.Repeat("a", 200), strings.Repeat("👩\u200d👩\u200d👧", 40), strings.Repeat("e\u0301", 99), "\"</script>\u2028\\",
		"a\x00b", "\xff\xfe", strings.Repeat("🇦🇹", 60), strings.Repeat("\u200d", 300), "مرحبا " + strings.Repeat("ش", 60), "\u202eevil", strings.Repeat("\x7f<&>", 90),
	}
	for _, text := range append(testkit.Mutations(300, seeds...), seeds...) {
		for kind := range 5 {
			f.Add("Maya", text, kind, 1, int64(12_000), false)
			f.Add(text, "hello", kind, 7, int64(0), true)
		}
	}
	member, event := uuid.New(), UnreadMessages{uuid.New(), 7}
	state := deviceState{unread: 1, read: slices.Repeat([]unread.ReadUpTo{{ConversationID: uuid.New(), Seq: 1 << 40}}, maxRead)}
	f.Fuzz(func(t *testing.T, name, content string, kind, count int, ms int64, hidden bool) {
		kinds := []string{"text", "audio", "video", "image", "date"}
		n := unreadSummary{
			From: name, Content: content, Type: kinds[uint(kind)%5], Count: max(count, 1), Files: max(count, 1), PeerID: uuid.New(),
			DurationMs: ms % 3_600_000, Flagged: hidden, Request: kind < 0,
		}
		data := render("https://heartward.test", member, n.notification(event), state, Defaults())
		require.True(t, utf8.Valid(data))
		require.LessOrEqual(t, len(data), maxPayload)
		var got payload
		require.NoError(t, json.Unmarshal(data, &got))
		require.NotEmpty(t, got.Notification.Body)
		require.LessOrEqual(t, utf8.RuneCountInString(got.Notification.Body), maxText+1)
		if hidden && content != "" && !strings.Contains(bodyWithoutText, content) && !n.Request {
			require.NotContains(t, got.Notification.Body, content)
		}
		shown, more := strings.CutSuffix(got.Notification.Body, "…")
		text := strings.Join(strings.Fields(strings.ToValidUTF8(content, "\uFFFD")), " ")
		if n.Type != "text" || hidden || n.Request || !more || !strings.HasPrefix(text, shown) {
			return
		}
		// The truncated part never begins with a combining mark or joiner, unless a cluster
		// has more than maxText code points.
		rest, _ := utf8.DecodeRuneInString(strings.TrimLeft(text[len(shown):], " "))
		if utf8.RuneCountInString(shown) < maxText {
			require.False(t, unicode.In(rest, unicode.Mn, unicode.Me) || rest == '\u200d', "%q was split from %q", rest, shown)
		}
	})
}
