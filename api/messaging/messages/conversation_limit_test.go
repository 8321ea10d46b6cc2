package messages_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/messagingtest"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestSend_AllowsTwentyNewConversationsADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nodes := []*messaging.Service{
		messagingtest.NewService(w.Pool, w.Events, w.Jobs, messages.Unguarded), messagingtest.NewService(w.Pool, w.Events, w.Jobs, messages.Unguarded),
	}
	ann := w.Member("Ada Moss")
	send := func(node int, in messages.Outgoing) error {
		_, err := nodes[node%2].Messages.Send(t.Context(), ann, in)
		return err
	}
	first := w.Member("Ada Moss")
	w.Match(ann, first)
	hello := messagingtest.Input(first, "hello")
	for node := range 3 { // retries of the same message
		require.NoError(t, send(node, hello))
	}
	for i := range 19 {
		match := w.Member("Ada Moss")
		w.Match(ann, match)
		require.NoError(t, send(i, messagingtest.Input(match, "hello")))
	}
	late := w.Member("Ada Moss")
	w.Match(ann, late)
	for node := range 2 {
		err := send(node, messagingtest.Input(late, "hello"))
		testkit.RequireKind(t, err, fault.RateLimited)
		require.Contains(t, fault.From(err).Message, "twenty conversations")
		require.NoError(t, send(node, messagingtest.Input(first, "and again")), "the conversation has begun")
	}
	w.Send(late, ann, "I begin")
	require.NoError(t, send(0, messagingtest.Input(late, "an answer")), "the other member began the conversation")
	w.Exec(`DELETE FROM conversations WHERE last_seq = 0`)
	next := w.Member("Ada Moss")
	w.Match(ann, next)
	w.Exec(`UPDATE rate_limits SET tat = tat - interval '1 day'`)
	require.NoError(t, send(0, messagingtest.Input(next, "hello")), "the next day")
}
