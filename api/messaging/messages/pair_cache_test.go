package messages

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// A receipt with the id of the conversation is in the lane of the pair if the pair is
// cached, unless its member is not one of the pair.
func TestPairCache_LaneOfReceiptsByConversation(t *testing.T) {
	t.Parallel()
	pool, events := pgtest.New(t), &bustest.Recorder{}
	jobs := pgtest.Jobs(t, pool)
	s := New(pool, events, jobs, Unguarded)
	s.Start()
	a, b, stranger, conversation := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	byA := receiptUpdate{member: a, other: conversation}
	require.Equal(t, laneOf(a, conversation), s.pairs.lane(byA))

	require.Error(t, s.SetReceipts(t.Context(), web.Actor{ID: a}, conversation, Receipt{ReadSeq: 1}))
	require.Empty(t, s.pairs.pairs, "it was not stored")
	s.publish(write{receipt: &byA}, written{receipt: &receiptChange{Peer: b}})
	require.Equal(t, laneOf(b, a), s.pairs.lane(byA))
	require.Equal(t, laneOf(b, a), s.pairs.lane(receiptUpdate{member: b, other: conversation}))
	require.Equal(t, laneOf(stranger, conversation), s.pairs.lane(receiptUpdate{member: stranger, other: conversation}))
	require.Equal(t, laneOf(a, b), laneOf(b, a))

	s.publish(write{receipt: &receiptUpdate{member: a, other: b}}, written{receipt: &receiptChange{Peer: b}})
	require.Len(t, s.pairs.pairs, 1, "with a peer's id the lane is the pair")
}
