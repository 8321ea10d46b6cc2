package messages_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// newMessages returns the new messages among events by recipient, without the ids of sockets.
func newMessages(events []string, members ...web.Actor) (found [][]string) {
	for _, member := range members {
		var own []string
		for _, event := range messagingtest.EventsOfType(events, member, "new_message") {
			_, body, _ := strings.Cut(event, "{")
			own = append(own, body)
		}
		found = append(found, own)
	}
	return found
}

// The message is stored, but the connection was lost at COMMIT, so nothing was published: the retry publishes what the first
// call would have.
func TestSend_RetryAfterLostCommitPublishes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	w.PushDevice(b) // so that the message is stored in a transaction with its job
	pool, commits := pgtest.NewLossyPool(t, w.Pool)
	s := messagingtest.NewService(pool, w.Events, w.Jobs, func(string) string { return "money" }).Unlimited()
	in := messagingtest.Input(b, "hello")
	in.Socket = "the sender's"
	commits.LoseNext()
	_, err := s.Messages.Send(ctx, a, in)
	testkit.RequireKind(t, err, fault.Unavailable)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages`))
	require.Empty(t, w.Events.Take())

	again, err := s.Messages.Send(ctx, a, in)
	require.NoError(t, err)
	require.True(t, again.Repeated)
	published := w.Events.Take()
	found := newMessages(published, a, b)
	require.Len(t, found[0], 1)
	require.Len(t, found[1], 1)
	require.NotContains(t, found[0][0], `"money"`, "the sender's event")
	require.Contains(t, found[1][0], `"flag":"money"`, "the recipient's event")
	for _, event := range messagingtest.EventsOfType(published, a, "new_message") {
		require.Contains(t, event, "the sender's", "the socket of the sender gets the acknowledgement only")
	}
}

// What a repeated call publishes is what the first one published.
func TestSend_RepetitionPublishesTheSameEvents(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b, _ := w.Pair()
	for i := range 9 { // the last ones are by both in turns, which causes the message spark
		from, to := a, b
		if i%2 == 1 {
			from, to = b, a
		}
		in := messagingtest.Input(to, "turn")
		_, err := w.S.Messages.Send(ctx, from, in)
		require.NoError(t, err)
		first := w.Events.Take()
		again, err := w.S.Messages.Send(ctx, from, in)
		require.NoError(t, err)
		require.True(t, again.Repeated)
		require.Equal(t, first, w.Events.Take())
		if i == 8 {
			require.Len(t, messagingtest.EventsOfType(first, a, "spark"), 1)
		}
	}
}

// A repeated call reveals nothing that the recipient must not see, and repeats no message that has changed since.
func TestSend_RepetitionPublishesOnlyWhatIsShown(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]func(w *env, a, b web.Actor, m messages.Message){
		"closed": func(w *env, _, _ web.Actor, m messages.Message) {
			w.Exec(`UPDATE conversations SET closed_at = now() WHERE id = $1`, m.ConversationID)
		},
		"suspended sender": func(w *env, a, _ web.Actor, _ messages.Message) {
			w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, a.ID)
		},
		"deleted":  func(w *env, a, _ web.Actor, m messages.Message) { w.Delete(a, m) },
		"reaction": func(w *env, _, b web.Actor, m messages.Message) { w.React(b, m, "👍") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newEnv(t)
			a, b, _ := w.Pair()
			in := messagingtest.Input(b, "hello")
			sent, err := w.S.Messages.Send(context.Background(), a, in)
			require.NoError(t, err)
			meanwhile(w, a, b, sent.Message)
			w.Events.Take()
			again, err := w.S.Messages.Send(context.Background(), a, in)
			require.NoError(t, err)
			require.True(t, again.Repeated)
			require.Empty(t, w.Events.Take())
		})
	}
}

func TestSend_RepetitionOfDeclinedRequestIsNotPublished(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	a, b := w.Member("Ada Moss"), w.Member("Ben Moss")
	in := messages.Outgoing{RecipientID: b.ID, Content: "hello", ClientID: uuid.Must(uuid.NewV7())}
	requested, err := w.S.Requests.Send(ctx, a, in)
	require.NoError(t, err)
	first := newMessages(w.Events.Take(), a, b)
	_, err = w.S.Requests.Send(ctx, a, in)
	require.NoError(t, err)
	repeated := w.Events.Take()
	require.Equal(t, first, newMessages(repeated, a, b))
	require.Len(t, repeated, len(slices.Concat(first...)), "no sync")
	require.NoError(t, w.S.Requests.Decline(ctx, b, requested.Conversation.ID))
	w.Events.Take()
	_, err = w.S.Requests.Send(ctx, a, in)
	require.NoError(t, err)
	require.Empty(t, w.Events.Take(), "no event of any type")
	w.Exec(`UPDATE conversations SET requested_by = NULL, declined_at = NULL, closed_at = now()`)
	_, err = w.S.Requests.Send(ctx, a, in)
	testkit.RequireKind(t, err, fault.NotFound, "the conversation has ended")
	require.Empty(t, w.Events.Take())
}

// A repeated reaction or deletion publishes the message again, to each member what that member may see.
func TestChange_RepetitionPublishesTheSameEvents(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	a, b, _ := w.Pair()
	w.S = messagingtest.NewService(w.Pool, w.Events, w.Jobs, func(string) string { return "money" }).Unlimited()
	m := w.Send(a, b, "hello")
	w.Events.Take()
	w.React(b, m, "")
	require.Empty(t, w.Events.Take(), "there was no reaction to remove")
	for name, change := range map[string]func(){
		"reaction of the recipient": func() { w.React(b, m, "👍") },
		"reaction of the sender":    func() { w.React(a, m, "👍") },
	} {
		w.Events.Take()
		change()
		first := w.Events.Take()
		require.Len(t, first, 2, name)
		change()
		require.Equal(t, first, w.Events.Take(), name)
	}
	w.Delete(a, m)
	first := w.Events.Take()
	require.Len(t, first, 2)
	w.Delete(a, m)
	require.Equal(t, first, w.Events.Take())
}
