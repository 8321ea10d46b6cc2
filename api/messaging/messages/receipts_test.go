package messages_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestSetReceipts_MarksOnlyRise(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	for range 3 {
		w.Send(a, b, "for b")
	}
	w.Send(b, a, "for a")
	w.Events.Take()
	ctx := context.Background()
	conversation := func() conversations.Conversation {
		c, err := w.S.Conversations.Get(ctx, b, a.ID)
		require.NoError(t, err)
		return c
	}
	require.Equal(t, 3, conversation().UnreadCount)
	for _, step := range []struct {
		receipt                 messages.Receipt
		delivered, read, unread int64
		event                   string
	}{
		{messages.Receipt{DeliveredSeq: 2}, 2, 0, 3, "message_delivered"},
		{messages.Receipt{DeliveredSeq: 1}, 2, 0, 3, ""},
		{messages.Receipt{ReadSeq: 1}, 2, 1, 2, "message_read"},
		{messages.Receipt{ReadSeq: 3}, 3, 3, 0, "message_read"},
		{messages.Receipt{ReadSeq: 2, DeliveredSeq: 2}, 3, 3, 0, ""},
		{messages.Receipt{ReadSeq: messages.Newest}, 4, 4, 0, "message_read"},
		{messages.Receipt{}, 4, 4, 0, ""},
	} {
		require.NoError(t, w.S.Messages.SetReceipts(ctx, b, a.ID, step.receipt))
		c := conversation()
		require.Equal(t, []int64{step.delivered, step.read, step.unread}, []int64{c.DeliveredSeq, c.ReadSeq, int64(c.UnreadCount)}, "%+v", step)
		events := strings.Join(w.Events.Take(), "\n")
		if step.event == "" {
			require.Empty(t, events)
		} else {
			require.Contains(t, events, "member."+a.ID.String()+` {"type":"`+step.event+`"`)
		}
	}
	list, err := w.S.Messages.List(ctx, a, b.ID, messages.Page{Limit: 50})
	require.NoError(t, err)
	for _, m := range list {
		require.Equal(t, m.SenderID == a.ID, m.ReadAt != nil, "only messages of the other member get a time of reading")
	}
	peer, err := w.S.Conversations.Get(ctx, a, b.ID)
	require.NoError(t, err)
	require.EqualValues(t, 4, *peer.PeerReadSeq)
	// If a member has read all messages, the read mark includes their next own message.
	w.Send(b, a, "more")
	require.EqualValues(t, 5, conversation().ReadSeq)
	require.Zero(t, conversation().UnreadCount)
	testkit.RequireKind(t, w.S.Messages.SetReceipts(ctx, w.Member("Ada Moss"), a.ID, messages.Receipt{ReadSeq: 1}), fault.NotFound)
	testkit.RequireKind(t, w.S.Messages.SetReceipts(ctx, b, a.ID, messages.Receipt{ReadSeq: -1}), fault.Invalid)
}

// If a member reads while the other writes, all messages up to the read mark have a time of
// reading.
func TestSetReceipts_AllMessagesUpToMarkHaveReadTime(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 25 {
				w.Send(a, b, "x")
			}
		})
		all.Go(func() {
			for range 25 {
				require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, a.ID, messages.Receipt{ReadSeq: messages.Newest}))
			}
		})
	}
	all.Wait()
	require.Zero(t, w.Count(`SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation_id
		WHERE m.read_at IS NULL AND m.seq <= CASE c.user_a WHEN $1 THEN c.a_read_seq ELSE c.b_read_seq END`, b.ID))
}

func TestMessages_ReturnsPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	for range 7 {
		w.Send(a, b, "x")
	}
	at := func(n int64) *int64 { return &n }
	match := testkit.Select[uuid.UUID](t, w.Pool, `SELECT id FROM matches`)
	c, err := w.S.Conversations.Get(context.Background(), a, match)
	require.NoError(t, err)
	for _, other := range []uuid.UUID{b.ID, match, c.ID} {
		for page, want := range map[*messages.Page][]int64{
			{Limit: 3}:                {5, 6, 7},
			{Limit: 3, After: at(0)}:  {1, 2, 3},
			{Limit: 3, After: at(6)}:  {7},
			{Limit: 3, After: at(7)}:  {},
			{Limit: 3, Before: at(5)}: {2, 3, 4},
			{Limit: 3, Before: at(1)}: {},
			{Limit: 3, Before: at(0)}: {},
		} {
			list, err := w.S.Messages.List(context.Background(), a, other, *page)
			require.NoError(t, err)
			got := []int64{}
			for _, m := range list {
				got = append(got, m.Seq)
			}
			require.Equal(t, want, got)
			require.NotNil(t, list)
		}
		_, err := w.S.Messages.List(context.Background(), w.Member("Ada Moss"), other, messages.Page{Limit: 1})
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err = w.S.Messages.List(context.Background(), a, b.ID, messages.Page{Limit: 1, After: at(1), Before: at(2)})
	testkit.RequireKind(t, err, fault.Invalid)
}
