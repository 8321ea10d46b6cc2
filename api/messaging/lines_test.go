package messaging

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// A receipt that names the conversation by its id stands in the line of the
// pair once that is known, unless its member is not one of them: a stranger
// that guesses an id holds up no other.
func TestLineOf_ReceiptsByConversation(t *testing.T) {
	t.Parallel()
	l := newLines(nil)
	a, b, stranger, conversation := uuid.New(), uuid.New(), uuid.New(), uuid.New()
	byA := &receiptDraft{member: a, other: conversation}
	require.Equal(t, pairOf(a, conversation), l.lineOf(byA))

	byA.result.Peer = b
	l.rememberPair(&sending{queued: byA})
	require.Empty(t, l.pairs, "it was not stored")
	byA.stored = true
	l.rememberPair(&sending{queued: byA})
	require.Equal(t, pairOf(b, a), l.lineOf(byA))
	require.Equal(t, pairOf(b, a), l.lineOf(&receiptDraft{member: b, other: conversation}))
	require.Equal(t, pairOf(stranger, conversation), l.lineOf(&receiptDraft{member: stranger, other: conversation}))
	require.Equal(t, pairOf(a, b), l.lineOf(&draft{recipient: b, message: Message{SenderID: a}}))

	l.rememberPair(&sending{queued: &receiptDraft{member: a, other: b, stored: true, result: raised{Peer: b}}})
	require.Len(t, l.pairs, 1, "a peer's id names the pair itself")
}
