package messaging_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// The conversation with a member who is suspended or under review is hidden, and a sync
// removes it from devices. It is shown again when the member is active again.
func TestConversations_InactiveMembersAreHidden(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	message := w.send(b, a, "message of b")
	id := message.ConversationID
	status := func(value string) { w.Exec(`UPDATE users SET profile_status = $2 WHERE id = $1`, b.ID, value) }
	cursor := w.sync(a, "").Cursor

	for _, hidden := range []string{"suspended", "under_review"} {
		status(hidden)
		delta := w.sync(a, cursor)
		require.Equal(t, []uuid.UUID{id}, delta.Removed)
		require.Empty(t, delta.Conversations)
		require.Empty(t, w.sync(a, "").Conversations, "a new device does not get the hidden conversation")
		require.Empty(t, w.sync(a, "").Removed)
		list, _, err := w.s.Conversations(context.Background(), a, "", 50)
		require.NoError(t, err)
		require.Empty(t, list)
		for _, other := range []uuid.UUID{b.ID, id} {
			_, err = w.s.ConversationWith(context.Background(), a, other)
			testkit.RequireKind(t, err, fault.NotFound)
			_, err = w.s.Messages(context.Background(), a, other, messaging.Page{Limit: 50})
			testkit.RequireKind(t, err, fault.NotFound)
			testkit.RequireKind(t, w.s.SetReceipts(context.Background(), a, other, messaging.Receipt{ReadSeq: 1}), fault.NotFound)
		}
		_, err = w.s.FindOpenConversation(context.Background(), a, b.ID)
		testkit.RequireKind(t, err, fault.NotFound)

		status("active")
		delta = w.sync(a, delta.Cursor)
		require.Empty(t, delta.Removed)
		require.Len(t, delta.Conversations, 1)
		require.Equal(t, "message of b", delta.Conversations[0].LastMessage.Content)
		cursor = delta.Cursor
	}
}

func (w *env) sync(actor web.Actor, cursor string) messaging.Delta {
	w.Helper()
	delta, err := w.s.Sync(context.Background(), actor, cursor, 50)
	require.NoError(w, err)
	require.False(w, delta.HasMore)
	return delta
}
