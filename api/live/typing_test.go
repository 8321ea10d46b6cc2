package live_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/bus"
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

	match := uuid.Must(uuid.NewV7())
	_, err := w.pool.Exec(context.Background(), `INSERT INTO matches (id, user_a, user_b) VALUES ($1, $2, $3)`, match, a.ID, b.ID)
	require.NoError(t, err)
	require.NoError(t, matching.New(w.pool, w.bus, nil).Unmatch(context.Background(), b, match))
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
