package live_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// What was looked up for typing is forgotten with the conversation.
func TestTypingStopsWithTheConversation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.node(nil)
	a, b := w.pair()
	typist, peer := n.connect(t, a), n.connect(t, b)
	typist.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	peer.want("user_typing")

	_, err := w.pool.Exec(context.Background(), `UPDATE conversations SET closed_at = now(), changed_xid = pg_current_xact_id()`)
	require.NoError(t, err)
	for _, side := range []web.Actor{a, b} {
		w.bus.Publish(bus.MemberSubject(side.ID), bus.Event("", struct {
			Type string `json:"type"`
		}{"unmatched"}))
	}
	typist.want("unmatched")
	peer.want("unmatched")
	typist.send(`{"type":"typing_start","recipientId":%q}`, b.ID)
	require.Equal(t, "not_found", typist.want("error")["kind"])
	typist.send("%s", sendFrame(b, "still there?"))
	require.Equal(t, "not_found", typist.want("error")["kind"])
	w.bus.Publish(bus.MemberSubject(b.ID), bus.Event("", struct {
		Type string `json:"type"`
	}{"done"}))
	peer.wantBefore("done", "user_typing")
}
