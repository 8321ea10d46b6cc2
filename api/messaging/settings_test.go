package messaging_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestSet_ChangesOnlyOwnSide(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	id := w.send(a, b, "hello").ConversationID
	set := func(settings messaging.Settings) messaging.Conversation {
		t.Helper()
		c, err := w.s.Set(context.Background(), a, id, settings)
		require.NoError(t, err)
		return c
	}
	cursorOfA, cursorOfB := w.syncUntilStable(a), w.syncUntilStable(b)
	w.events.Take()
	yes, no := true, false
	c := set(messaging.Settings{Pinned: &yes})
	require.NotNil(t, c.PinnedAt)
	require.Equal(t, c.PinnedAt, set(messaging.Settings{Pinned: &yes}).PinnedAt, "a repeated pin does not change the time")
	require.Len(t, eventsOfType(w.events.Take(), a, "sync"), 2)
	require.Equal(t, c.PinnedAt, w.sync(a, cursorOfA).Conversations[0].PinnedAt)
	for mute, duration := range map[messaging.Mute]time.Duration{"hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour} {
		c = set(messaging.Settings{Mute: mute})
		require.WithinDuration(t, time.Now().Add(duration), *c.MutedUntil, time.Minute)
	}
	c = set(messaging.Settings{Mute: "always"})
	require.Equal(t, 9999, c.MutedUntil.Year())
	c = set(messaging.Settings{Pinned: &no})
	require.Nil(t, c.PinnedAt)
	require.Equal(t, 9999, c.MutedUntil.Year(), "pinning does not change muting")
	require.Nil(t, set(messaging.Settings{Mute: "off"}).MutedUntil)

	require.Empty(t, w.sync(b, cursorOfB).Conversations, "the other member's devices do not sync")
	for _, event := range w.events.Take() {
		require.NotContains(t, event, "member."+b.ID.String())
	}
	_, err := w.s.Set(context.Background(), a, id, messaging.Settings{Mute: "decade"})
	testkit.RequireKind(t, err, fault.Invalid)
	_, err = w.s.Set(context.Background(), w.Member("Ada Moss"), id, messaging.Settings{Mute: "hour"})
	testkit.RequireKind(t, err, fault.NotFound)
}

// An archived conversation is not pinned, and a pinned one is not archived. What the other member has chosen stays.
func TestSet_ArchivesAndEndsTurns(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	first := w.send(a, b, "hello")
	yes, no := true, false
	set := func(actor web.Actor, settings messaging.Settings) messaging.Conversation {
		t.Helper()
		c, err := w.s.Set(context.Background(), actor, first.ConversationID, settings)
		require.NoError(t, err)
		return c
	}
	require.Nil(t, set(b, messaging.Settings{Pinned: &yes}).ArchivedSeq)
	archived := set(b, messaging.Settings{Archived: &yes})
	require.Equal(t, first.Seq, *archived.ArchivedSeq)
	require.Nil(t, archived.PinnedAt)
	require.Equal(t, first.Seq, *set(b, messaging.Settings{Mute: "always"}).ArchivedSeq, "muting changes nothing else")
	require.Nil(t, set(a, messaging.Settings{Mute: "off"}).ArchivedSeq, "the other side")
	countUnread := func() int {
		n, err := messaging.CountUnread(context.Background(), w.Pool, b.ID)
		require.NoError(t, err)
		return n
	}
	set(b, messaging.Settings{Mute: "off"})
	require.Zero(t, countUnread(), "what was archived unread does not count, since nobody would find it")
	second := w.send(a, b, "are you there?")
	require.Equal(t, 1, countUnread())
	require.Equal(t, first.Seq, *set(b, messaging.Settings{}).ArchivedSeq, "the device sees that a newer message has come")
	require.Equal(t, second.Seq, *set(b, messaging.Settings{Archived: &yes}).ArchivedSeq)
	require.Nil(t, set(b, messaging.Settings{Archived: &no}).ArchivedSeq)
	set(b, messaging.Settings{Archived: &yes})
	pinned := set(b, messaging.Settings{Pinned: &yes})
	require.Nil(t, pinned.ArchivedSeq)
	require.NotNil(t, pinned.PinnedAt)

	require.Nil(t, pinned.TurnEndedSeq)
	require.Equal(t, second.Seq, *set(b, messaging.Settings{TurnEnded: true}).TurnEndedSeq)
	require.Equal(t, second.Seq, *set(b, messaging.Settings{Pinned: &no}).TurnEndedSeq)
	require.Nil(t, set(a, messaging.Settings{}).TurnEndedSeq, "the other side")
}

// Showing the pictures is a member's own choice, stays, and is hidden from the other.
func TestSet_PicturesShownStays(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	id := w.send(a, b, "hello").ConversationID
	require.False(t, w.onlyConversation(b).PicturesShown)
	cursorOfA, cursorOfB := w.syncUntilStable(a), w.syncUntilStable(b)
	w.events.Take()
	c, err := w.s.Set(context.Background(), b, id, messaging.Settings{PicturesShown: true})
	require.NoError(t, err)
	require.True(t, c.PicturesShown)
	events := w.events.Take()
	require.Len(t, eventsOfType(events, b, "sync"), 1, "the member's other devices sync")
	require.Len(t, events, 1)
	require.True(t, w.sync(b, cursorOfB).Conversations[0].PicturesShown)
	require.Empty(t, w.sync(a, cursorOfA).Conversations, "the other member's devices do not sync")
	require.False(t, w.onlyConversation(a).PicturesShown)

	_, err = w.s.Set(context.Background(), b, id, messaging.Settings{Mute: "hour"})
	require.NoError(t, err)
	require.True(t, w.onlyConversation(b).PicturesShown, "muting does not change it")
	_, err = w.s.Set(context.Background(), w.Member("Ada Moss"), id, messaging.Settings{PicturesShown: true})
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
			_, err := w.s.Set(context.Background(), me, id, messaging.Settings{Pinned: &yes})
			if err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("%v", err)
			}
		})
	}
	wait.Wait()
	pinned := func() (list []messaging.Conversation) {
		for _, c := range w.sync(me, "").Conversations {
			if c.PinnedAt != nil {
				list = append(list, c)
			}
		}
		return list
	}
	require.Len(t, pinned(), 5)
	require.NoError(t, w.s.Leave(context.Background(), me, pinned()[0].ID))
	require.Len(t, pinned(), 4)
	for _, c := range w.sync(me, "").Conversations {
		if c.PinnedAt == nil {
			_, err := w.s.Set(context.Background(), me, c.ID, messaging.Settings{Pinned: &yes})
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
		m := w.send(a, b, "hello")
		w.Exec(`INSERT INTO presence (user_id, node) VALUES ($1, $3), ($2, $3)`, a.ID, b.ID, uuid.New())
		w.Exec(`INSERT INTO member_activity (user_id, last_active_at) SELECT id, '2026-03-04T10:14:59Z' FROM users`)
		require.NoError(t, w.s.SetReceipts(context.Background(), b, m.ConversationID, messaging.Receipt{ReadSeq: 1}))
		require.Len(t, eventsOfType(w.events.Take(), a, "message_read"), 1)
		requireShown := func(actor web.Actor, presence, reading bool) {
			t.Helper()
			c := w.onlyConversation(actor)
			require.Equal(t, presence, c.IsOnline)
			require.Equal(t, presence, c.LastSeenAt != nil)
			if actor == a {
				require.Equal(t, []bool{reading, reading}, []bool{c.PeerReadSeq != nil, c.LastMessage.IsRead})
				page, err := w.s.Messages(context.Background(), a, m.ConversationID, messaging.Page{Limit: 50})
				require.NoError(t, err)
				require.Equal(t, reading, page[0].ReadAt != nil)
			}
		}
		requireShown(a, true, true)
		requireShown(b, true, true)
		require.Equal(t, time.Date(2026, 3, 4, 10, 10, 0, 0, time.UTC), *w.onlyConversation(a).LastSeenAt, "rounded down to five minutes")

		hider := []web.Actor{a, b}[hides]
		cursors := []string{w.syncUntilStable(a), w.syncUntilStable(b)}
		w.Exec(`UPDATE users SET hide_online = true WHERE id = $1`, hider.ID)
		for i, side := range []web.Actor{a, b} {
			require.Len(t, w.sync(side, cursors[i]).Conversations, 1)
			requireShown(side, false, true)
		}
		cursors = []string{w.syncUntilStable(a), w.syncUntilStable(b)}
		w.Exec(`UPDATE users SET hide_read_receipts = true WHERE id = $1`, hider.ID)
		for i, side := range []web.Actor{a, b} {
			require.Len(t, w.sync(side, cursors[i]).Conversations, 1)
			requireShown(side, false, false)
		}

		// Only the reader's devices get the read mark.
		w.Exec(`UPDATE users SET hide_online = false WHERE id = $1`, hider.ID)
		w.send(a, b, "and now?")
		require.NoError(t, w.s.SetReceipts(context.Background(), b, m.ConversationID, messaging.Receipt{DeliveredSeq: 2}))
		w.events.Take()
		cursors = []string{w.syncUntilStable(a), w.syncUntilStable(b)}
		require.NoError(t, w.s.SetReceipts(context.Background(), b, m.ConversationID, messaging.Receipt{ReadSeq: 2}))
		events := w.events.Take()
		require.Len(t, events, 1)
		require.Len(t, eventsOfType(events, b, "message_read"), 1)
		require.Empty(t, w.sync(a, cursors[0]).Conversations)
		require.EqualValues(t, 2, w.sync(b, cursors[1]).Conversations[0].ReadSeq)
		require.EqualValues(t, 2, w.onlyConversation(a).PeerDeliveredSeq, "delivery is not hidden")
		w.send(a, b, "third")
		w.events.Take()
		require.NoError(t, w.s.SetReceipts(context.Background(), b, m.ConversationID, messaging.Receipt{ReadSeq: 3}))
		require.Len(t, eventsOfType(w.events.Take(), a, "message_delivered"), 1, "a hidden read mark is published as delivery")
		require.EqualValues(t, 3, w.onlyConversation(a).PeerDeliveredSeq)

		w.Exec(`UPDATE users SET hide_read_receipts = false, hide_online = false WHERE id = $1`, hider.ID)
		require.EqualValues(t, 3, *w.onlyConversation(a).PeerReadSeq)
		require.True(t, w.onlyConversation(a).IsOnline)
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
		id := w.send(a, b, "first").ConversationID
		w.Exec(`UPDATE users SET hide_online = true WHERE id = $1`, hider.ID)
		receipt := func(r messaging.Receipt) (events int, synced int) {
			cursor := w.syncUntilStable(a)
			w.events.Take()
			require.NoError(t, w.s.SetReceipts(context.Background(), b, id, r))
			taken := w.events.Take()
			events = len(eventsOfType(taken, a, "message_delivered")) + len(eventsOfType(taken, a, "message_read"))
			return events, len(w.sync(a, cursor).Conversations)
		}
		requireReceipt := func(delivered int64, visible bool, r messaging.Receipt) {
			t.Helper()
			events, synced := receipt(r)
			want := 0
			if visible {
				want = 1
			}
			require.Equal(t, []int{want, want}, []int{events, synced})
			require.Equal(t, delivered, w.onlyConversation(a).PeerDeliveredSeq)
		}
		requireReceipt(0, false, messaging.Receipt{DeliveredSeq: 1})
		requireReceipt(1, true, messaging.Receipt{ReadSeq: 1})
		w.send(a, b, "second")
		requireReceipt(1, false, messaging.Receipt{DeliveredSeq: 2})
		w.send(b, a, "the answer")
		require.EqualValues(t, 3, w.onlyConversation(a).PeerDeliveredSeq)

		w.Exec(`UPDATE users SET hide_read_receipts = true WHERE id = $1`, hider.ID)
		w.send(a, b, "fourth")
		requireReceipt(3, false, messaging.Receipt{ReadSeq: 4})
		w.Exec(`UPDATE users SET hide_online = false WHERE id = $1`, hider.ID)
		require.EqualValues(t, 4, w.onlyConversation(a).PeerDeliveredSeq, "the mark is stored")
	}
}
