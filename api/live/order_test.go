package live_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

// The server cannot store one of several messages in flight. It stores the later ones only after
// the client has sent that one again.
func TestSend_KeepsTheOrderAfterARefusedMessage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	c := n.connect(t, a)
	first, second, third := newMessage(b, "1"), newMessage(b, "2"), newMessage(b, "3")
	rename := func(from, to string) {
		w.Exec(`ALTER TABLE ` + from + ` RENAME TO ` + to)
	}
	rename("messages", "messages_away")
	c.send("%s", first.frame)
	require.Equal(t, first.id, c.want("error")["clientId"])
	rename("messages_away", "messages")

	c.send("%s", second.frame)
	refused := c.wantBefore("error", "ack")
	require.Equal(t, second.id, refused["clientId"])
	require.Equal(t, "unavailable", refused["kind"])
	c.send("%s", third.frame)
	require.Equal(t, third.id, c.wantBefore("error", "ack")["clientId"])
	for _, m := range []message{first, second, third} {
		c.send("%s", m.frame)
		require.Equal(t, m.id, c.wantBefore("ack", "error")["clientId"])
	}
	stored := testkit.Select[[]string](t, w.Pool, `SELECT array_agg(content ORDER BY seq) FROM messages WHERE sender_id = $1`, a.ID)
	require.Equal(t, []string{"1", "2", "3"}, stored)
}

// A message that is refused for good, or was sent to another member, delays no other.
func TestSend_FinalRefusalsDelayNoMessage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	n := w.node(nil)
	a, b := w.pair()
	c := n.connect(t, a)
	stranger := newMessage(w.member(), "1")
	c.send("%s", stranger.frame)
	require.Equal(t, stranger.id, c.want("error")["clientId"])
	again := newMessage(b, "2")
	c.send("%s", again.frame)
	require.Equal(t, again.id, c.wantBefore("ack", "error")["clientId"])
}
