package search_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// search returns the texts of all pages, with two rows on each.
func (w *env) search(actor web.Actor, text string) (texts []string) {
	w.Helper()
	for cursor := ""; ; {
		found, next, err := w.S.Search.Search(context.Background(), actor, text, cursor, 2)
		require.NoError(w, err)
		for _, f := range found {
			require.Equal(w, f.ConversationID, f.Message.ConversationID)
			require.Equal(w, testkit.Select[string](w, w.Pool, `SELECT first_name FROM users WHERE id = $1`, f.User.ID), f.User.FirstName)
			require.NotEqual(w, actor.ID, f.User.ID)
			texts = append(texts, f.Message.Content)
		}
		if cursor = next; next == "" {
			return texts
		}
	}
}

func TestSearch_ReturnsOwnMessagesNewestFirst(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me, b, c := w.Member("Ada Moss"), w.Member("Ada Moss"), w.Member("Ada Moss")
	w.Match(me, b)
	w.Match(c, me)
	w.Send(me, b, "the Lighthouse at noon")
	w.Send(b, me, "no")
	w.Send(c, me, "lighthouses, all of them")
	w.Send(b, me, "LIGHTHOUSE again")
	w.Delete(me, w.Send(me, b, "lighthouse taken back"))
	x, y, _ := w.Pair()
	w.Send(x, y, "lighthouse of others")
	require.Equal(t, []string{"LIGHTHOUSE again", "lighthouses, all of them", "the Lighthouse at noon"}, w.search(me, " lighthouse "))
	require.Equal(t, []string{"lighthouses, all of them"}, w.search(c, "lighthouse"))
	require.Empty(t, w.search(me, "of others"))
	require.Empty(t, w.search(w.Member("Ada Moss"), "lighthouse"))

	w.MustRequest(w.Member("Ada Moss"), me, "lighthouse of a stranger")
	require.Len(t, w.search(me, "lighthouse"), 3, "requests are not searched")
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, c.ID)
	require.Len(t, w.search(me, "lighthouse"), 2)
	w.Exec(`UPDATE conversations SET closed_at = now() WHERE $1 IN (user_a, user_b)`, b.ID)
	require.Empty(t, w.search(me, "lighthouse"))
}

// The conversation with a member who has deleted the account stays, and so do the own messages in it.
func TestSearch_NamesFormerMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me, b, _ := w.Pair()
	w.Send(me, b, "the lighthouse at noon")
	w.Exec(`DELETE FROM users WHERE id = $1`, b.ID)
	found, _, err := w.S.Search.Search(context.Background(), me, "lighthouse", "", 20)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, members.FormerMember(b.ID), found[0].User)
}

func TestSearch_EscapesPatterns(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me, b, _ := w.Pair()
	for _, text := range []string{"100% sure", "100 are sure", "snake_case", "snakeXcase", `back\slash`, "ÉTÉ à Nîmes", "ete a Nimes", "line\nbreak here", "日本語のテキスト", "ΟΔΟΣΗΜΑΝΣΗ", "die straße"} {
		w.Send(me, b, text)
	}
	for text, want := range map[string][]string{
		"0%": {"100% sure"}, "e_c": {"snake_case"}, `k\s`: {`back\slash`}, "été": {"ete a Nimes", "ÉTÉ à Nîmes"}, "ete a": {"ete a Nimes", "ÉTÉ à Nîmes"},
		"nîm": {"ete a Nimes", "ÉTÉ à Nîmes"}, "%%": nil, "__": nil, `\\`: nil, "' OR 1=1": nil, "日本": {"日本語のテキスト"}, "ΟΔΟΣ": {"ΟΔΟΣΗΜΑΝΣΗ"}, "οδος": {"ΟΔΟΣΗΜΑΝΣΗ"}, "STRASSE": {"die straße"}, "break": {"line\nbreak here"},
	} {
		require.Equal(t, want, w.search(me, text), text)
	}
	for _, text := range []string{"", "a", " a ", strings.Repeat("a", 101), "a\x00b", "\xff\xfe"} {
		_, _, err := w.S.Search.Search(context.Background(), me, text, "", 50)
		testkit.RequireKind(t, err, fault.Invalid)
	}
	for _, cursor := range []string{"x", "!!", "bnVsbA", "e30", "W10"} {
		_, _, err := w.S.Search.Search(context.Background(), me, "sure", cursor, 50)
		testkit.RequireKind(t, err, fault.Invalid)
	}
}

// Each of several messages with the same time is on one page only.
func TestSearch_PagesContainEachMessageOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.Member("Ada Moss")
	want := 0
	for range 3 {
		peer := w.Member("Ada Moss")
		id := w.Match(me, peer)
		for seq := 1; seq <= 17; seq++ {
			w.Exec(`INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, content, sent_at)
				VALUES ($1, $2, $3, $4, $5, $6, '2026-01-01T00:00:00Z'::timestamptz + $7 * interval '100 microseconds')`,
				uuid.New(), id, seq, peer.ID, uuid.New(), fmt.Sprintf("needle %s %d", id, seq), seq/6)
			want++
		}
		w.Exec(`UPDATE conversations SET last_seq = 17 WHERE id = $1`, id)
	}
	seen := map[string]bool{}
	for _, text := range w.search(me, "NEEDLE") {
		require.False(t, seen[text])
		seen[text] = true
	}
	require.Len(t, seen, want)
}

func TestSearch_IsLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me := w.Member("Ada Moss")
	s := messagingtest.NewService(w.Pool, w.Events, w.Jobs, messages.Unguarded)
	messagingtest.UntilRefused(t, 20, time.Second/2, func(int) error {
		_, _, err := s.Search.Search(context.Background(), me, "text", "", 50)
		return err
	})
}

// Case and accents are ignored in every script, even if the locale of the database supports only ASCII.
func TestSearch_IgnoresCaseAndAccentsInEveryLocale(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	w.Exec(`ALTER TABLE messages ALTER COLUMN content TYPE text COLLATE "C"`)
	for text, queries := range map[string][]string{
		"ÉTÉ à Paris": {"été", "ÉTÉ", "À PARIS", "ete a", "e\u0301t"}, "İstanbul": {"istanbul", "ISTANBUL", "İst"}, "straße in KÖLN": {"köln", "STRAßE"}, "ПРИВЕТ": {"привет", "вЕт"}, "ΚΑΛΗΜΕΡΑ": {"καλημερα"},
		"Fußball ﬁnal": {"fussball", "FUSSBALL final"}, "한국어 단어": {"한국", "국어 단"}, "a-b]c^d[e{f}(g)|h?.*i": {"-b]c^d[", "[e{f}(", "|h?.*"},
	} {
		w.Send(a, b, text)
		for _, query := range queries {
			found, _, err := w.S.Search.Search(context.Background(), b, query, "", 10)
			require.NoError(t, err)
			require.Len(t, found, 1, "%s in %s", query, text)
			require.Equal(t, text, found[0].Message.Content)
		}
	}
	_, _, err := w.S.Search.Search(context.Background(), b, "\u0301\u0301", "", 10)
	testkit.RequireKind(t, err, fault.Invalid)
}
