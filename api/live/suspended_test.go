package live_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/moderation"
	"heartward/api/platform/bus"
	"heartward/api/platform/web"
)

// Whoever is suspended is out at once, on every node, and long before their
// sessions are looked at anew.
func TestASuspensionClosesSocketsOnEveryNode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := w.pool.Exec(ctx, sql, args...)
		require.NoError(t, err)
	}
	broker := cluster(t, -1)
	one, two := w.nodeOn(broker.ClientURL()), w.nodeOn(broker.ClientURL())
	a, b := w.pair()
	second := web.Actor{ID: a.ID, SessionID: uuid.Must(uuid.NewV7())}
	w.mu.Lock()
	w.sessions[second.SessionID.String()] = second
	w.mu.Unlock()
	for _, actor := range []web.Actor{a, second, b} {
		exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')`,
			actor.SessionID, []byte(actor.SessionID.String())[:32], actor.ID)
	}
	here, there, peer := one.connect(t, a), two.connect(t, second), two.connect(t, b)

	admin := w.member()
	events, err := bus.Open(broker.ClientURL())
	require.NoError(t, err)
	t.Cleanup(events.Close)
	s := moderation.New(w.pool, events, matching.New(w.pool, events, nil), nil, nil)
	flag := uuid.Must(uuid.NewV7())
	exec(`INSERT INTO message_flags (message_id, conversation_id, seq, sender_id, receiver_id, content, category, source)
		VALUES ($1, $1, 1, $2, $3, 'words', 'harassment', 'filter')`, flag, a.ID, b.ID)
	require.NoError(t, s.DecideFlag(ctx, admin.ID, flag, moderation.Suspend, "Threats"))

	require.Equal(t, live.CloseSignedOut, here.wantClose())
	require.Equal(t, live.CloseSignedOut, there.wantClose())
	peer.send(`{"type":"ping"}`)
	peer.want("pong")
}
