package conversations_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestLeave_EndsConversationForBoth(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	id := w.Send(a, b, "hello").ConversationID
	w.Events.Take()
	require.NoError(t, w.S.Conversations.Leave(context.Background(), a, id))
	events := w.Events.Take()
	require.Len(t, messagingtest.EventsOfType(events, a, "unmatched"), 1)
	require.Len(t, messagingtest.EventsOfType(events, b, "unmatched"), 1)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM matches WHERE unmatched_by = $1`, a.ID))
	require.NoError(t, w.S.Conversations.Leave(context.Background(), a, id), "again")
	repeated := w.Events.Take()
	for _, member := range []web.Actor{a, b} {
		require.Equal(t, messagingtest.EventsOfType(events, member, "unmatched"), messagingtest.EventsOfType(repeated, member, "unmatched"),
			"the first call may have published nothing")
	}
	require.Empty(t, w.Sync(b, "").Conversations)
	testkit.RequireKind(t, w.S.Conversations.Leave(context.Background(), a, uuid.New()), fault.NotFound)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`), "messages are not deleted")
}
