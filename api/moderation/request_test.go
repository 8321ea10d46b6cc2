package moderation_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/messaging/messages"
	"heartward/api/messaging/requests"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func (w *env) request(from, to web.Actor, content string) (requests.Requested, error) {
	return w.chat.Requests.Send(context.Background(), from, messages.Outgoing{
		RecipientID: to.ID, Content: content, ClientID: uuid.Must(uuid.NewV7()),
	})
}

// The evidence of a report contains the text of a request, even if the request was
// declined or its sender has deleted the text.
func TestReport_ContainsTextOfRequest(t *testing.T) {
	t.Parallel()
	for _, declined := range []bool{false, true} {
		w := newEnv(t)
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		result, err := w.request(bob, ann, "send me money")
		require.NoError(t, err)
		if declined {
			require.NoError(t, w.chat.Requests.Decline(context.Background(), ann, result.Conversation.ID))
		}
		receipt := w.report(ann, report(bob))
		e := w.evidence(receipt.ID)
		require.Len(t, e.Messages, 1)
		require.Equal(t, "send me money", e.Messages[0].Content)
		require.Empty(t, w.visibleOn(bob, ann), "both sides of the conversation are closed")
		_, err = w.chat.Messages.Delete(context.Background(), bob, result.Conversation.ID, 1)
		testkit.RequireKind(t, err, fault.NotFound)
		_, err = w.request(bob, ann, "once more")
		testkit.RequireKind(t, err, fault.NotFound)
		_, err = w.request(ann, bob, "once more")
		testkit.RequireKind(t, err, fault.NotFound)
	}
	// A message deleted after the report is still in the evidence.
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	require.NoError(t, w.send(bob, ann, "reported text"))
	receipt := w.report(ann, report(bob))
	w.Exec(`UPDATE messages SET content = '', deleted_at = now()`)
	require.Equal(t, "reported text", w.evidence(receipt.ID).Messages[0].Content)
}

// A request, its acceptance and a match at the same time lead to one open conversation. A
// block at the same time leads to none.
func TestBlock_ConcurrentWithRequestsAndLikes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for round := range 16 {
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		w.like(bob, ann)
		result, err := w.request(bob, ann, "hello")
		require.NoError(t, err)
		id := result.Conversation.ID
		tolerate := func(err error) {
			if err != nil && !fault.Is(err, fault.NotFound) && !fault.Is(err, fault.Conflict) {
				t.Errorf("%v", err)
			}
		}
		calls := []func(){
			func() {
				_, err := w.matching.Like(context.Background(), ann, matching.LikeInput{To: bob.ID, Kind: matching.Like})
				tolerate(err)
			},
			func() { tolerate(w.chat.Requests.Decline(context.Background(), ann, id)) },
			func() { _, err := w.chat.Requests.Accept(context.Background(), ann, id); tolerate(err) },
			func() { _, err := w.request(ann, bob, "me too"); tolerate(err) },
		}
		if round%2 == 1 {
			calls = append(calls, func() { tolerate(w.s.Block(context.Background(), ann, bob.ID)) })
		}
		concurrently(calls...)
		open := w.Count(`SELECT count(*) FROM conversations WHERE id = $1 AND closed_at IS NULL AND requested_by IS NULL AND declined_at IS NULL`, id)
		blocked := round%2 == 1
		require.Equal(t, map[bool]int{true: 0, false: 1}[blocked], open)
		require.Equal(t, open, w.Count(`SELECT count(*) FROM matches WHERE user_a = least($1::uuid, $2::uuid) AND user_b = greatest($1::uuid, $2::uuid) AND unmatched_at IS NULL`, ann.ID, bob.ID))
		if !blocked {
			require.NoError(t, w.send(bob, ann, "at last"))
		}
	}
}
