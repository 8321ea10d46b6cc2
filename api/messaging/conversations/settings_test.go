package conversations_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/messaging/unread"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestSet_ChangesOnlyOwnSide(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	id := w.Send(a, b, "hello").ConversationID
	set := func(settings conversations.Settings) conversations.Conversation {
		t.Helper()
		c, err := w.S.Conversations.Set(context.Background(), a, id, settings)
		require.NoError(t, err)
		return c
	}
	cursorOfA, cursorOfB := w.SyncUntilStable(a), w.SyncUntilStable(b)
	w.Events.Take()
	yes, no := true, false
	c := set(conversations.Settings{Pinned: &yes})
	require.NotNil(t, c.PinnedAt)
	require.Equal(t, c.PinnedAt, set(conversations.Settings{Pinned: &yes}).PinnedAt, "a repeated pin does not change the time")
	require.Len(t, messagingtest.EventsOfType(w.Events.Take(), a, "sync"), 2)
	require.Equal(t, c.PinnedAt, w.Sync(a, cursorOfA).Conversations[0].PinnedAt)
	for mute, duration := range map[conversations.Mute]time.Duration{"hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour} {
		c = set(conversations.Settings{Mute: mute})
		require.WithinDuration(t, time.Now().Add(duration), *c.MutedUntil, time.Minute)
	}
	c = set(conversations.Settings{Mute: "always"})
	require.Equal(t, 9999, c.MutedUntil.Year())
	c = set(conversations.Settings{Pinned: &no})
	require.Nil(t, c.PinnedAt)
	require.Equal(t, 9999, c.MutedUntil.Year(), "pinning does not change muting")
	require.Nil(t, set(conversations.Settings{Mute: "off"}).MutedUntil)

	require.Empty(t, w.Sync(b, cursorOfB).Conversations, "the other member's devices do not sync")
	for _, event := range w.Events.Take() {
		require.NotContains(t, event, "member."+b.ID.String())
	}
	_, err := w.S.Conversations.Set(context.Background(), a, id, conversations.Settings{Mute: "decade"})
	testkit.RequireKind(t, err, fault.Invalid)
	_, err = w.S.Conversations.Set(context.Background(), w.Member("Ada Moss"), id, conversations.Settings{Mute: "hour"})
	testkit.RequireKind(t, err, fault.NotFound)
}

// An archived conversation is not pinned, and a pinned one is not archived. What the other member has chosen stays.
func TestSet_ArchivesAndEndsTurns(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	first := w.Send(a, b, "hello")
	yes, no := true, false
	set := func(actor web.Actor, settings conversations.Settings) conversations.Conversation {
		t.Helper()
		c, err := w.S.Conversations.Set(context.Background(), actor, first.ConversationID, settings)
		require.NoError(t, err)
		return c
	}
	require.Nil(t, set(b, conversations.Settings{Pinned: &yes}).ArchivedSeq)
	archived := set(b, conversations.Settings{Archived: &yes})
	require.Equal(t, first.Seq, *archived.ArchivedSeq)
	require.Nil(t, archived.PinnedAt)
	require.Equal(t, first.Seq, *set(b, conversations.Settings{Mute: "always"}).ArchivedSeq, "muting changes nothing else")
	require.Nil(t, set(a, conversations.Settings{Mute: "off"}).ArchivedSeq, "the other side")
	countUnread := func() int {
		n, err := unread.Count(context.Background(), w.Pool, b.ID)
		require.NoError(t, err)
		return n
	}
	set(b, conversations.Settings{Mute: "off"})
	require.Zero(t, countUnread(), "what was archived unread does not count, since nobody would find it")
	second := w.Send(a, b, "are you there?")
	require.Equal(t, 1, countUnread())
	require.Equal(t, first.Seq, *set(b, conversations.Settings{}).ArchivedSeq, "the device sees that a newer message has come")
	require.Equal(t, second.Seq, *set(b, conversations.Settings{Archived: &yes}).ArchivedSeq)
	require.Nil(t, set(b, conversations.Settings{Archived: &no}).ArchivedSeq)
	set(b, conversations.Settings{Archived: &yes})
	pinned := set(b, conversations.Settings{Pinned: &yes})
	require.Nil(t, pinned.ArchivedSeq)
	require.NotNil(t, pinned.PinnedAt)

	require.Nil(t, pinned.TurnEndedSeq)
	require.Equal(t, second.Seq, *set(b, conversations.Settings{TurnEnded: true}).TurnEndedSeq)
	require.Equal(t, second.Seq, *set(b, conversations.Settings{Pinned: &no}).TurnEndedSeq)
	require.Nil(t, set(a, conversations.Settings{}).TurnEndedSeq, "the other side")
}

// A message that arrives between the member's tap and the call is neither archived nor does it lose its turn.
func TestSet_ArchivesOnlyWhatTheMemberHasSeen(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	seen := w.Send(a, b, "hello")
	newest := w.Send(a, b, "wait!")
	yes := true
	set := func(settings conversations.Settings, last int64) (archived, turnEnded int64) {
		t.Helper()
		settings.LastSeq = &last
		c, err := w.S.Conversations.Set(context.Background(), b, seen.ConversationID, settings)
		require.NoError(t, err)
		return *c.ArchivedSeq, *c.TurnEndedSeq
	}
	both := conversations.Settings{Archived: &yes, TurnEnded: true}
	for _, c := range []struct{ last, stored int64 }{
		{seen.Seq, seen.Seq},
		{newest.Seq, newest.Seq},
		{seen.Seq, newest.Seq}, // another device, which has not seen the newest message
		{newest.Seq + 7, newest.Seq},
	} {
		archived, turnEnded := set(both, c.last)
		require.Equal(t, []int64{c.stored, c.stored}, []int64{archived, turnEnded}, "%+v", c)
		n, err := unread.Count(context.Background(), w.Pool, b.ID)
		require.NoError(t, err)
		require.Equal(t, c.stored < newest.Seq, n == 1, "%+v", c)
	}
}

// Showing the pictures is a member's own choice, stays, and is hidden from the other.
func TestSet_PicturesShownStays(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	id := w.Send(a, b, "hello").ConversationID
	require.False(t, w.OnlyConversation(b).PicturesShown)
	cursorOfA, cursorOfB := w.SyncUntilStable(a), w.SyncUntilStable(b)
	w.Events.Take()
	c, err := w.S.Conversations.Set(context.Background(), b, id, conversations.Settings{PicturesShown: true})
	require.NoError(t, err)
	require.True(t, c.PicturesShown)
	events := w.Events.Take()
	require.Len(t, messagingtest.EventsOfType(events, b, "sync"), 1, "the member's other devices sync")
	require.Len(t, events, 1)
	require.True(t, w.Sync(b, cursorOfB).Conversations[0].PicturesShown)
	require.Empty(t, w.Sync(a, cursorOfA).Conversations, "the other member's devices do not sync")
	require.False(t, w.OnlyConversation(a).PicturesShown)

	_, err = w.S.Conversations.Set(context.Background(), b, id, conversations.Settings{Mute: "hour"})
	require.NoError(t, err)
	require.True(t, w.OnlyConversation(b).PicturesShown, "muting does not change it")
	_, err = w.S.Conversations.Set(context.Background(), w.Member("Ada Moss"), id, conversations.Settings{PicturesShown: true})
	testkit.RequireKind(t, err, fault.NotFound)
}

// At most five conversations can be pinned, also by concurrent calls. Ended ones are not
// counted.
func TestSet_PinsAtMostFive(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	me, yes := w.Member("Ada Moss"), true
	var ids []uuid.UUID
	for range 9 {
		ids = append(ids, w.Match(me, w.Member("Ada Moss")))
	}
	var wait sync.WaitGroup
	for _, id := range ids {
		wait.Go(func() {
			_, err := w.S.Conversations.Set(context.Background(), me, id, conversations.Settings{Pinned: &yes})
			if err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("%v", err)
			}
		})
	}
	wait.Wait()
	pinned := func() (list []conversations.Conversation) {
		for _, c := range w.Sync(me, "").Conversations {
			if c.PinnedAt != nil {
				list = append(list, c)
			}
		}
		return list
	}
	require.Len(t, pinned(), 5)
	require.NoError(t, w.S.Conversations.Leave(context.Background(), me, pinned()[0].ID))
	require.Len(t, pinned(), 4)
	for _, c := range w.Sync(me, "").Conversations {
		if c.PinnedAt == nil {
			_, err := w.S.Conversations.Set(context.Background(), me, c.ID, conversations.Settings{Pinned: &yes})
			require.NoError(t, err)
			break
		}
	}
	require.Len(t, pinned(), 5)
}

// If a member hides presence or read receipts, they are hidden for both members immediately,
// and the devices of both sync.
func TestConversations_HiddenPresenceAndReceipts(t *testing.T) {
	t.Parallel()
	for _, hides := range []int{0, 1} { // the member who hides them
		w := newEnv(t)
		a, b, _ := w.Pair()
		m := w.Send(a, b, "hello")
		w.Exec(`INSERT INTO presence (user_id, node) VALUES ($1, $3), ($2, $3)`, a.ID, b.ID, uuid.New())
		w.Exec(`INSERT INTO member_activity (user_id, last_active_at) SELECT id, '2026-03-04T10:14:59Z' FROM users`)
		require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, m.ConversationID, messages.Receipt{ReadSeq: 1}))
		require.Len(t, messagingtest.EventsOfType(w.Events.Take(), a, "message_read"), 1)
		requireShown := func(actor web.Actor, presence, reading bool) {
			t.Helper()
			c := w.OnlyConversation(actor)
			require.Equal(t, presence, c.IsOnline)
			require.Equal(t, presence, c.LastSeenAt != nil)
			if actor == a {
				require.Equal(t, []bool{reading, reading}, []bool{c.PeerReadSeq != nil, c.LastMessage.IsRead})
				page, err := w.S.Messages.List(context.Background(), a, m.ConversationID, messages.Page{Limit: 50})
				require.NoError(t, err)
				require.Equal(t, reading, page[0].ReadAt != nil)
			}
		}
		requireShown(a, true, true)
		requireShown(b, true, true)
		require.Equal(t, time.Date(2026, 3, 4, 10, 10, 0, 0, time.UTC), *w.OnlyConversation(a).LastSeenAt, "rounded down to five minutes")

		hider := []web.Actor{a, b}[hides]
		cursors := []string{w.SyncUntilStable(a), w.SyncUntilStable(b)}
		w.Exec(`UPDATE users SET hide_online = true WHERE id = $1`, hider.ID)
		for i, side := range []web.Actor{a, b} {
			require.Len(t, w.Sync(side, cursors[i]).Conversations, 1)
			requireShown(side, false, true)
		}
		cursors = []string{w.SyncUntilStable(a), w.SyncUntilStable(b)}
		w.Exec(`UPDATE users SET hide_read_receipts = true WHERE id = $1`, hider.ID)
		for i, side := range []web.Actor{a, b} {
			require.Len(t, w.Sync(side, cursors[i]).Conversations, 1)
			requireShown(side, false, false)
		}

		// Only the reader's devices get the read mark.
		w.Exec(`UPDATE users SET hide_online = false WHERE id = $1`, hider.ID)
		w.Send(a, b, "and now?")
		require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, m.ConversationID, messages.Receipt{DeliveredSeq: 2}))
		w.Events.Take()
		cursors = []string{w.SyncUntilStable(a), w.SyncUntilStable(b)}
		require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, m.ConversationID, messages.Receipt{ReadSeq: 2}))
		events := w.Events.Take()
		require.Len(t, events, 1)
		require.Len(t, messagingtest.EventsOfType(events, b, "message_read"), 1)
		require.Empty(t, w.Sync(a, cursors[0]).Conversations)
		require.EqualValues(t, 2, w.Sync(b, cursors[1]).Conversations[0].ReadSeq)
		require.EqualValues(t, 2, w.OnlyConversation(a).PeerDeliveredSeq, "delivery is not hidden")
		w.Send(a, b, "third")
		w.Events.Take()
		require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, m.ConversationID, messages.Receipt{ReadSeq: 3}))
		require.Len(t, messagingtest.EventsOfType(w.Events.Take(), a, "message_delivered"), 1, "a hidden read mark is published as delivery")
		require.EqualValues(t, 3, w.OnlyConversation(a).PeerDeliveredSeq)

		w.Exec(`UPDATE users SET hide_read_receipts = false, hide_online = false WHERE id = $1`, hider.ID)
		require.EqualValues(t, 3, *w.OnlyConversation(a).PeerReadSeq)
		require.True(t, w.OnlyConversation(a).IsOnline)
	}
}

// A delivered mark would show when a device of a member who hides the online state is
// online, also by the time at which a sync contains the conversation.
func TestSetReceipts_HiddenPresenceHidesDelivery(t *testing.T) {
	t.Parallel()
	for hides := range 2 {
		w := newEnv(t)
		a, b, _ := w.Pair()
		hider := []web.Actor{a, b}[hides]
		id := w.Send(a, b, "first").ConversationID
		w.Exec(`UPDATE users SET hide_online = true WHERE id = $1`, hider.ID)
		receipt := func(r messages.Receipt) (events int, synced int) {
			cursor := w.SyncUntilStable(a)
			w.Events.Take()
			require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, id, r))
			taken := w.Events.Take()
			events = len(messagingtest.EventsOfType(taken, a, "message_delivered")) + len(messagingtest.EventsOfType(taken, a, "message_read"))
			return events, len(w.Sync(a, cursor).Conversations)
		}
		requireReceipt := func(delivered int64, visible bool, r messages.Receipt) {
			t.Helper()
			events, synced := receipt(r)
			want := 0
			if visible {
				want = 1
			}
			require.Equal(t, []int{want, want}, []int{events, synced})
			require.Equal(t, delivered, w.OnlyConversation(a).PeerDeliveredSeq)
		}
		requireReceipt(0, false, messages.Receipt{DeliveredSeq: 1})
		requireReceipt(1, true, messages.Receipt{ReadSeq: 1})
		w.Send(a, b, "second")
		requireReceipt(1, false, messages.Receipt{DeliveredSeq: 2})
		w.Send(b, a, "the answer")
		require.EqualValues(t, 3, w.OnlyConversation(a).PeerDeliveredSeq)

		w.Exec(`UPDATE users SET hide_read_receipts = true WHERE id = $1`, hider.ID)
		w.Send(a, b, "fourth")
		requireReceipt(3, false, messages.Receipt{ReadSeq: 4})
		w.Exec(`UPDATE users SET hide_online = false WHERE id = $1`, hider.ID)
		require.EqualValues(t, 4, w.OnlyConversation(a).PeerDeliveredSeq, "the mark is stored")
	}
}
