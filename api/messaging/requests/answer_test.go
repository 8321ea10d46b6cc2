package requests_test

import (
	"context"
	"sync"
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

// A request to a member who has sent a request to the actor accepts that request.
func TestRequest_MutualRequestsOpenConversation(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for round := range 8 {
		a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
		var wait sync.WaitGroup
		for _, pair := range [][2]web.Actor{{a, b}, {b, a}} {
			wait.Go(func() {
				if _, err := w.Request(pair[0], pair[1], "hello"); err != nil {
					t.Errorf("%v", err)
				}
			})
		}
		wait.Wait()
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM conversations WHERE requested_by IS NULL AND last_seq = 2
			AND user_a = least($1::uuid, $2::uuid) AND user_b = greatest($1::uuid, $2::uuid)`, a.ID, b.ID), "round %d", round)
	}
	// The same holds for a declined request.
	a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
	requested := w.MustRequest(a, b, "hello")
	require.NoError(t, w.S.Requests.Decline(context.Background(), b, requested.Conversation.ID))
	back := w.MustRequest(b, a, "I thought about it")
	require.Equal(t, requested.Conversation.ID, back.Conversation.ID)
	require.Equal(t, "none", back.Conversation.Request)
	require.EqualValues(t, 2, back.Message.Seq)
}

// The request is accepted, but the connection was lost at COMMIT, so nothing was published: the retry makes both sync. So does
// the retry of a text that accepts the request.
func TestAccept_RetryAfterLostCommitPublishes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	pool, commits := pgtest.NewLossyPool(t, w.Pool)
	s := messagingtest.NewService(pool, w.Events, w.Jobs, messages.Unguarded).Unlimited()
	for name, accept := range map[string]func(a, b web.Actor, id uuid.UUID) func() error{
		"accept": func(_, b web.Actor, id uuid.UUID) func() error {
			return func() error { _, err := s.Requests.Accept(ctx, b, id); return err }
		},
		"own request": func(a, b web.Actor, _ uuid.UUID) func() error {
			in := messagingtest.Input(a, "me too")
			return func() error { _, err := s.Requests.Send(ctx, b, in); return err }
		},
	} {
		a, b := w.Member("Ada Moss"), w.Member("Ben Moss")
		call := accept(a, b, w.MustRequest(a, b, "hello").Conversation.ID)
		w.Events.Take()
		commits.LoseNext()
		testkit.RequireKind(t, call(), fault.Unavailable, name)
		require.Empty(t, w.Events.Take(), name)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM conversations WHERE requested_by IS NULL AND $1 IN (user_a, user_b)`, a.ID), name)
		require.NoError(t, call(), name)
		published := w.Events.Take()
		for _, member := range []web.Actor{a, b} {
			require.Len(t, messagingtest.EventsOfType(published, member, "sync"), 1, name)
		}
	}
}

// Concurrent calls of Accept, Decline, Request, Leave, React and Delete lead to a valid
// state and no internal error.
func TestRequest_ConcurrentAnswersLeaveValidState(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 12 {
		a, b := w.Member("Ada Moss"), w.Member("Ada Moss")
		id := w.MustRequest(a, b, "hello").Conversation.ID
		var wait sync.WaitGroup
		for _, act := range []func() error{
			func() error { _, err := w.S.Requests.Accept(context.Background(), b, id); return err },
			func() error { return w.S.Requests.Decline(context.Background(), b, id) },
			func() error { _, err := w.Request(b, a, "me too"); return err },
			func() error { return w.S.Conversations.Leave(context.Background(), a, id) },
			func() error { _, err := w.S.Messages.React(context.Background(), b, id, 1, "👍"); return err },
			func() error { _, err := w.S.Messages.Delete(context.Background(), a, id, 1); return err },
		} {
			wait.Go(func() {
				err := act()
				if err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Conflict) {
					t.Errorf("%v", err)
				}
			})
		}
		wait.Wait()
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM conversations WHERE id = $1 AND closed_at IS NOT NULL`, id))
		require.Empty(t, w.Sync(a, "").Conversations)
		require.Empty(t, w.Sync(b, "").Conversations)
		_, err := w.Request(a, b, "once more")
		testkit.RequireKind(t, err, fault.NotFound)
	}
}
