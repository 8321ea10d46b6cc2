package conversations_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// The conversation with a member who is suspended or under review is hidden, and a sync
// removes it from devices. It is shown again when the member is active again.
func TestConversations_InactiveMembersAreHidden(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	message := w.Send(b, a, "message of b")
	id := message.ConversationID
	status := func(value string) { w.Exec(`UPDATE users SET profile_status = $2 WHERE id = $1`, b.ID, value) }
	cursor := w.Sync(a, "").Cursor

	for _, hidden := range []string{"suspended", "under_review"} {
		status(hidden)
		delta := w.Sync(a, cursor)
		require.Equal(t, []uuid.UUID{id}, delta.Removed)
		require.Empty(t, delta.Conversations)
		require.Empty(t, w.Sync(a, "").Conversations, "a new device does not get the hidden conversation")
		require.Empty(t, w.Sync(a, "").Removed)
		list, _, err := w.S.Conversations.List(context.Background(), a, "", 50)
		require.NoError(t, err)
		require.Empty(t, list)
		for _, other := range []uuid.UUID{b.ID, id} {
			_, err = w.S.Conversations.Get(context.Background(), a, other)
			testkit.RequireKind(t, err, fault.NotFound)
			_, err = w.S.Messages.List(context.Background(), a, other, messages.Page{Limit: 50})
			testkit.RequireKind(t, err, fault.NotFound)
			testkit.RequireKind(t, w.S.Messages.SetReceipts(context.Background(), a, other, messages.Receipt{ReadSeq: 1}), fault.NotFound)
		}
		_, err = w.S.Conversations.FindOpen(context.Background(), a, b.ID)
		testkit.RequireKind(t, err, fault.NotFound)

		status("active")
		delta = w.Sync(a, delta.Cursor)
		require.Empty(t, delta.Removed)
		require.Len(t, delta.Conversations, 1)
		require.Equal(t, "message of b", delta.Conversations[0].LastMessage.Content)
		cursor = delta.Cursor
	}
}

// Typing must not announce a message that Send refuses.
func TestFindOpen_MayWriteIfSendAllowsIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	for _, c := range []struct {
		set      string
		mayWrite bool
	}{
		{"is_approved = true", true},
		{"is_approved = false", false},
		{"is_approved = true, profile_status = 'under_review'", false},
	} {
		w.Exec(`UPDATE users SET `+c.set+` WHERE id = $1`, a.ID)
		open, err := w.S.Conversations.FindOpen(context.Background(), a, b.ID)
		require.NoError(t, err)
		require.Equal(t, c.mayWrite, open.MayWrite, c.set)
		_, err = w.S.Messages.Send(context.Background(), a, messagingtest.Input(b, "hello"))
		if c.mayWrite {
			require.NoError(t, err, c.set)
		} else {
			testkit.RequireKind(t, err, fault.Forbidden, c.set)
		}
	}
}
