package messaging_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestSend_AllowsTwentyNewConversationsADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	nodes := []*messaging.Service{
		newService(w.Pool, w.events, w.jobs, messaging.Unguarded), newService(w.Pool, w.events, w.jobs, messaging.Unguarded),
	}
	ann := w.Member("Ada Moss")
	send := func(node int, in messaging.Outgoing) error {
		_, err := nodes[node%2].Send(t.Context(), ann, in)
		return err
	}
	first := w.Member("Ada Moss")
	w.Match(ann, first)
	hello := input(first, "hello")
	for node := range 3 { // retries of the same message
		require.NoError(t, send(node, hello))
	}
	for i := range 19 {
		match := w.Member("Ada Moss")
		w.Match(ann, match)
		require.NoError(t, send(i, input(match, "hello")))
	}
	late := w.Member("Ada Moss")
	w.Match(ann, late)
	for node := range 2 {
		err := send(node, input(late, "hello"))
		testkit.RequireKind(t, err, fault.RateLimited)
		require.Contains(t, fault.From(err).Message, "twenty conversations")
		require.NoError(t, send(node, input(first, "and again")), "the conversation has begun")
	}
	w.send(late, ann, "I begin")
	require.NoError(t, send(0, input(late, "an answer")), "the other member began the conversation")
	w.Exec(`DELETE FROM conversations WHERE last_seq = 0`)
	next := w.Member("Ada Moss")
	w.Match(ann, next)
	w.Exec(`UPDATE rate_limits SET tat = tat - interval '1 day'`)
	require.NoError(t, send(0, input(next, "hello")), "the next day")
}
