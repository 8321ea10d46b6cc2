package moderation_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestBlock_ConcurrentWithLike(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 20 {
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		w.like(bob, ann)
		concurrently(
			func() {
				_, err := w.matching.Like(context.Background(), ann, matching.LikeInput{To: bob.ID, Kind: matching.Like})
				assert.True(t, err == nil || fault.Is(err, fault.NotFound), "%v", err)
			},
			func() { assert.NoError(t, w.s.Block(context.Background(), bob, ann.ID)) },
			func() { assert.NoError(t, w.s.Block(context.Background(), ann, bob.ID)) },
		)
		require.Empty(t, w.visibleOn(ann, bob))
		require.Empty(t, w.visibleOn(bob, ann))
		require.Zero(t, w.Count(`SELECT count(*) FROM matches WHERE $1 IN (user_a, user_b) AND unmatched_at IS NULL`, ann.ID))
		require.Zero(t, w.Count(`SELECT count(*) FROM conversations WHERE $1 IN (user_a, user_b) AND closed_at IS NULL`, ann.ID))
	}
}

// A message is either stored before the end of the match and included in the evidence, or
// refused.
func TestReport_ConcurrentWithSendAndUnmatch(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for round := range 20 {
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		match := w.match(ann, bob)
		var reportID uuid.UUID
		calls := []func(){
			func() { assert.NoError(t, w.matching.Unmatch(context.Background(), bob, *match.MatchID)) },
			func() {
				receipt, err := w.s.Report(context.Background(), ann, report(bob))
				assert.NoError(t, err)
				reportID = receipt.ID
			},
		}
		sent := make([]bool, 10)
		for i := range sent {
			calls = append(calls, func() {
				err := w.send(bob, ann, fmt.Sprint(i))
				sent[i] = err == nil
				assert.True(t, sent[i] || fault.Is(err, fault.NotFound), "%v", err)
			})
		}
		concurrently(calls...)
		testkit.RequireKind(t, w.send(bob, ann, "too late"), fault.NotFound)
		stored := 0
		for _, ok := range sent {
			if ok {
				stored++
			}
		}
		require.Equal(t, stored, w.Count(`SELECT count(*) FROM messages WHERE conversation_id = $1`, match.ConversationID), "round %d", round)
		require.Len(t, w.evidence(reportID).Messages, stored)
		require.Len(t, w.published(ann, "unmatched"), 1, "the end is published once")
	}
}

func TestReport_ConcurrentRepetitionsStoreOne(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	ids := make([]uuid.UUID, 10)
	var calls []func()
	for i := range ids {
		calls = append(calls, func() {
			receipt, err := w.s.Report(context.Background(), ann, report(bob))
			assert.NoError(t, err)
			ids[i] = receipt.ID
		})
	}
	concurrently(calls...)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports`))
	for _, id := range ids {
		require.Equal(t, ids[0], id)
	}
}
