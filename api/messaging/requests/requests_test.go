package requests_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/messaging/conversations"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestRequest_BecomesConversation(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
	requested := w.MustRequest(a, b, "  I liked your garden. ")
	require.Equal(t, "I liked your garden.", requested.Message.Content)
	require.EqualValues(t, 1, requested.Message.Seq)
	require.Equal(t, "sent", requested.Conversation.Request)
	require.Equal(t, b.ID, requested.Conversation.User.ID)
	events := w.Events.Take()
	require.Len(t, messagingtest.EventsOfType(events, b, "new_message"), 1)
	require.Len(t, messagingtest.EventsOfType(events, a, "new_message"), 1, "the sender's other devices")
	require.Equal(t, "sent", w.OnlyConversation(a).Request)
	require.Equal(t, "received", w.OnlyConversation(b).Request)
	require.Equal(t, 1, w.OnlyConversation(b).UnreadCount)
	require.Zero(t, w.OnlyConversation(a).UnreadCount)

	_, err := w.Request(a, b, "are you there?")
	testkit.RequireKind(t, err, fault.Conflict)
	for _, actor := range []web.Actor{a, b} {
		_, err = w.S.Messages.Send(context.Background(), actor, messagingtest.Input(map[bool]web.Actor{true: b, false: a}[actor == a], "hello?"))
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err = w.S.Requests.Accept(context.Background(), a, requested.Conversation.ID)
	testkit.RequireKind(t, err, fault.NotFound)
	testkit.RequireKind(t, w.S.Requests.Decline(context.Background(), a, requested.Conversation.ID), fault.NotFound)
	stranger := w.Member("Ada Moss")
	_, err = w.S.Requests.Accept(context.Background(), stranger, requested.Conversation.ID)
	testkit.RequireKind(t, err, fault.NotFound)
	testkit.RequireKind(t, w.S.Requests.Decline(context.Background(), stranger, requested.Conversation.ID), fault.NotFound)
	testkit.RequireKind(t, w.S.Conversations.Leave(context.Background(), stranger, requested.Conversation.ID), fault.NotFound)

	cursor := w.Sync(a, "").Cursor
	w.Events.Take()
	open, err := w.S.Requests.Accept(context.Background(), b, requested.Conversation.ID)
	require.NoError(t, err)
	require.Equal(t, "none", open.Request)
	events = w.Events.Take()
	require.Len(t, messagingtest.EventsOfType(events, a, "sync"), 1)
	require.Len(t, messagingtest.EventsOfType(events, b, "sync"), 1)
	require.Equal(t, "none", w.Sync(a, cursor).Conversations[0].Request)
	_, err = w.S.Requests.Accept(context.Background(), b, requested.Conversation.ID)
	require.NoError(t, err, "a repeated Accept succeeds")
	testkit.RequireKind(t, w.S.Requests.Decline(context.Background(), b, requested.Conversation.ID), fault.NotFound)
	require.EqualValues(t, 2, w.Send(b, a, "thank you").Seq)
	require.EqualValues(t, 3, w.Send(a, b, "at last").Seq)
	ordinary := w.MustRequest(a, b, "and now as a request")
	require.EqualValues(t, 4, ordinary.Message.Seq, "in a conversation a request is an ordinary message")
}

// If the recipient has a device for push, the notification job is enqueued in the
// transaction of the request.
func TestRequest_EnqueuesNotification(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, c := w.Member("Ada Moss"), w.Member("Ada Moss"), w.Member("Ada Moss")
	w.Exec(`INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth) VALUES ($1, $2, 'https://push.example/1', 'k', 'a')`,
		uuid.Must(uuid.NewV7()), b.ID)
	w.MustRequest(a, c, "hello")
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job`))
	requested := w.MustRequest(a, b, "hello")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'notify' AND args ->> 'conversationId' = $1 AND args ->> 'recipientId' = $2`,
		requested.Conversation.ID.String(), b.ID.String()))
}

// Only the recipient sees the category that the guard finds in a request.
func TestRequest_IsClassifiedByGuard(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	s := messagingtest.NewService(w.Pool, w.Events, w.Jobs, func(text string) string {
		if strings.Contains(text, "gift card") {
			return "money"
		}
		return ""
	})
	a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
	requested, err := s.Requests.Send(context.Background(), a, messages.Outgoing{RecipientID: b.ID, Content: "a gift card", ClientID: uuid.Must(uuid.NewV7())})
	require.NoError(t, err)
	require.Nil(t, requested.Message.Flag)
	events := w.Events.Take()
	require.NotContains(t, messagingtest.EventsOfType(events, a, "new_message")[0], `"money"`)
	require.Contains(t, messagingtest.EventsOfType(events, b, "new_message")[0], `"flag":"money"`)
	page, err := s.Messages.List(context.Background(), b, requested.Conversation.ID, messages.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, "money", *page[0].Flag)
}

func TestRequest_RepeatedCallReturnsFirstResult(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
	in := messages.Outgoing{RecipientID: b.ID, Content: "hello", ClientID: uuid.Must(uuid.NewV7())}
	var wait sync.WaitGroup
	var mu sync.Mutex
	ids, first := map[uuid.UUID]bool{}, 0
	for range 10 {
		wait.Go(func() {
			requested, err := w.S.Requests.Send(context.Background(), a, in)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Errorf("%v", err)
			}
			ids[requested.Message.ID] = true
			if !requested.Repeated {
				first++
			}
		})
	}
	wait.Wait()
	require.Len(t, ids, 1)
	require.Equal(t, 1, first)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))
	published := messagingtest.EventsOfType(w.Events.Take(), b, "new_message")
	require.Len(t, published, 10, "each call publishes")
	require.Len(t, slices.Compact(published), 1, "the same event")
	in.Content = "other"
	_, err := w.S.Requests.Send(context.Background(), a, in)
	testkit.RequireKind(t, err, fault.Conflict)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))
	in.Content, in.RecipientID = "hello", w.Member("Ada Moss").ID // a client id belongs to its conversation
	requested, err := w.S.Requests.Send(context.Background(), a, in)
	require.NoError(t, err)
	require.False(t, requested.Repeated)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM conversations`))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM messages`))
}

func TestRequest_RefusesHiddenMembers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	set := func(member web.Actor, assignment string) {
		w.Exec(`UPDATE users SET `+assignment+` WHERE id = $1`, member.ID)
	}
	for _, c := range []struct {
		name              string
		sender, recipient string // assignments of an UPDATE of the member
		want              fault.Kind
	}{
		{"under review", "profile_status = 'under_review'", "", fault.Forbidden},
		{"not approved", "is_approved = false", "", fault.Forbidden},
		{"graduated", "is_graduated = true", "", fault.Forbidden},
		{"paused", "paused_at = now()", "", fault.Forbidden},
		{"to one suspended", "", "profile_status = 'suspended'", fault.NotFound},
		{"to one under review", "", "profile_status = 'under_review'", fault.NotFound},
		{"to one not approved", "", "is_approved = false", fault.NotFound},
		{"to one graduated", "", "is_graduated = true", fault.NotFound},
		{"to one paused", "", "paused_at = now()", fault.NotFound},
		{"to one incognito", "", "incognito = true", fault.NotFound},
	} {
		a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
		if c.sender != "" {
			set(a, c.sender)
		}
		if c.recipient != "" {
			set(b, c.recipient)
		}
		_, err := w.Request(a, b, "hello")
		testkit.RequireKind(t, err, c.want, c.name)
	}
	a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
	set(a, "incognito = true")
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, b.ID, a.ID)
	_, err := w.Request(a, b, "hello")
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Request(b, a, "hello")
	testkit.RequireKind(t, err, fault.NotFound)
	former := w.Member("Ada Moss")
	w.Exec(`INSERT INTO matches (id, user_a, user_b, unmatched_at)
		VALUES (gen_random_uuid(), least($1::uuid, $2), greatest($1::uuid, $2), now() - interval '1 year')`, a.ID, former.ID)
	_, err = w.Request(former, a, "hello")
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Request(a, a, "hello")
	testkit.RequireKind(t, err, fault.Invalid)
	_, err = w.Request(a, web.Actor{ID: uuid.New()}, "hello")
	testkit.RequireKind(t, err, fault.NotFound)
	for _, text := range []string{"", " \n ", strings.Repeat("x", 501), "a\x00b"} {
		_, err = w.Request(a, w.Member("Ada Moss"), text)
		testkit.RequireKind(t, err, fault.Invalid)
	}
	_, err = w.S.Requests.Send(context.Background(), a, messages.Outgoing{RecipientID: w.Member("Ada Moss").ID, Content: "x"})
	testkit.RequireKind(t, err, fault.Invalid)
	require.Zero(t, w.Count(`SELECT count(*) FROM conversations`))
	require.Zero(t, w.Count(`SELECT count(*) FROM rate_limits`), "a refused request is not counted")
	w.MustRequest(a, w.Member("Ada Moss"), strings.Repeat("ä", 500))
	set(a, "paused_at = now() - interval '2 days', paused_until = now() - interval '1 day'")
	w.MustRequest(a, w.Member("Ada Moss"), "hello") // the pause has ended
}

func TestRequest_IsLimited(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, c := range []struct {
		age   string
		limit int
	}{{"8 days", 10}, {"6 days", 5}} {
		a := w.Member("Ada Moss")
		w.Exec(`UPDATE users SET created_at = now() - $2::interval WHERE id = $1`, a.ID, c.age)
		var wait sync.WaitGroup
		var mu sync.Mutex
		sent, limited := 0, 0
		for range 20 {
			b := w.Member("Ada Moss")
			wait.Go(func() {
				_, err := w.Request(a, b, "hello")
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					sent++
				case fault.Is(err, fault.RateLimited):
					limited++
				default:
					t.Errorf("%v", err)
				}
			})
		}
		wait.Wait()
		require.Equal(t, []int{c.limit, 20 - c.limit}, []int{sent, limited})
		require.Equal(t, c.limit, w.Count(`SELECT count(*) FROM conversations WHERE requested_by = $1`, a.ID))
	}
}

// The sender of a request does not see actions of the recipient: there is no event, no
// mark, and no sync of the conversation.
func TestRequest_RevealsNothingToSender(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
	requested := w.MustRequest(a, b, "hello")
	id := requested.Conversation.ID
	w.Exec(`INSERT INTO presence (user_id, node) VALUES ($1, $2)`, b.ID, uuid.New())
	require.NoError(t, members.Touch(t.Context(), w.Pool, b.ID))
	cursor := w.SyncUntilStable(a)
	w.Events.Take()
	requireHidden := func(what string) {
		t.Helper()
		for _, event := range w.Events.Take() {
			require.False(t, strings.HasPrefix(event, "member."+a.ID.String()), "%s: %s", what, event)
		}
		require.Empty(t, w.Sync(a, cursor).Conversations, what)
		c := w.OnlyConversation(a)
		require.Equal(t, []any{"sent", (*int64)(nil), int64(0), false, false}, []any{c.Request, c.PeerReadSeq, c.PeerDeliveredSeq, c.IsOnline, c.LastMessage.IsRead}, what)
		require.Nil(t, c.LastSeenAt, what)
		page, err := w.S.Messages.List(context.Background(), a, id, messages.Page{Limit: 50})
		require.NoError(t, err)
		require.Nil(t, page[0].ReadAt, what)
		_, err = w.Request(a, b, "again")
		testkit.RequireKind(t, err, fault.Conflict)
		_, err = w.S.Conversations.FindOpen(context.Background(), a, b.ID)
		testkit.RequireKind(t, err, fault.NotFound)
		changes, _ := w.Changes(a, id, 0, 50)
		require.Empty(t, changes, what)
	}
	requireHidden("there is no change yet")
	cursorOfB := w.SyncUntilStable(b)
	require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, id, messages.Receipt{DeliveredSeq: 1}))
	requireHidden("delivered")
	require.NoError(t, w.S.Messages.SetReceipts(context.Background(), b, id, messages.Receipt{ReadSeq: 1}))
	require.Len(t, w.Sync(b, cursorOfB).Conversations, 1, "the recipient's devices sync")
	requireHidden("read")
	_, err := w.S.Messages.React(context.Background(), b, id, 1, "👍")
	testkit.RequireKind(t, err, fault.Conflict)
	requireHidden("reacted")
	yes := true
	_, err = w.S.Conversations.Set(context.Background(), b, id, conversations.Settings{Pinned: &yes, Mute: "always"})
	require.NoError(t, err)
	requireHidden("muted")
	require.NoError(t, w.S.Requests.Decline(context.Background(), b, id))
	requireHidden("declined")
	require.NoError(t, w.S.Requests.Decline(context.Background(), b, id), "again")
	require.NoError(t, w.S.Conversations.Leave(context.Background(), b, id))
	requireHidden("left")
	require.Empty(t, w.Sync(b, "").Conversations)
	require.Equal(t, []uuid.UUID{id}, w.Sync(b, cursorOfB).Removed)
	_, err = w.S.Requests.Accept(context.Background(), b, id)
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.S.Messages.List(context.Background(), b, id, messages.Page{Limit: 50})
	testkit.RequireKind(t, err, fault.NotFound)
	w.Delete(a, requested.Message)
	require.Empty(t, messagingtest.EventsOfType(w.Events.Take(), b, "message_changed"), "no event for a member who declined")
}
