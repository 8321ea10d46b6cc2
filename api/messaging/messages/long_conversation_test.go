package messages

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/plantest"
	"heartward/api/messaging/unread"
)

// Statements that read a few messages of a conversation do not read all of them, although they are planned for conversations
// with few messages, because most are short. Those that look up a client id must not either with a plan that was made while
// the table was small, which a connection keeps until the next ANALYZE.
func TestStatements_ReadFewMessagesOfLongConversation(t *testing.T) {
	t.Parallel()
	l := longConversation{plantest.New(t)}
	l.checkClientIDs("while the table is small")
	l.Lengthen()
	l.checkClientIDs("planned before ANALYZE")
	l.Exec(`ANALYZE`)
	l.checkClientIDs("planned after ANALYZE")
	l.checkReceipts("planned after ANALYZE")
}

type longConversation struct{ *plantest.Conversation }

func (l longConversation) message(recipient uuid.UUID) *Outgoing {
	return &Outgoing{RecipientID: recipient, ClientID: uuid.New(), Content: "x", MessageType: "text", id: uuid.New(), senderID: l.Sender}
}

// insert returns a function that inserts a message to each recipient.
func (l longConversation) insert(group int, recipients ...uuid.UUID) func(context.Context, pgx.Tx) error {
	return func(ctx context.Context, tx pgx.Tx) error {
		var messages []*Outgoing
		for _, recipient := range recipients {
			messages = append(messages, l.message(recipient))
		}
		inserted, err := (&Service{}).insertBatch(ctx, tx, messages, group)
		require.NotContains(l, inserted, (*Stored)(nil))
		return err
	}
}

// checkClientIDs checks the statements that look up a client id.
func (l longConversation) checkClientIDs(when string) {
	l.Helper()
	l.Check(when+", one", l.insert(withJobs, l.Recipient))
	l.Check(when+", one without push", l.insert(withoutJobs, l.Recipient))
	l.Check(when+", many", l.insert(withJobs, l.Recipient, l.Friend))
	l.Check(when+", many without push", l.insert(withoutJobs, l.Recipient, l.Friend))
	l.Check(when+", waiting", func(ctx context.Context, tx pgx.Tx) error {
		m := l.message(l.Recipient)
		inserted, err := queryInserted(ctx, tx, insertOneSQL, append(insertOneArgs(m), false), []*Outgoing{m})
		require.NotContains(l, inserted, (*Stored)(nil))
		return err
	})
	l.Check(when+", client id", func(ctx context.Context, tx pgx.Tx) error {
		var clientID uuid.UUID
		err := tx.QueryRow(ctx, `SELECT client_id FROM messages WHERE conversation_id = $1 AND seq = 1`, l.ID).Scan(&clientID)
		require.NoError(l, err)
		_, err = ByClientID(ctx, tx, l.Sender, l.Recipient, clientID)
		return err
	})
}

// checkReceipts checks the statements that read or write the unread messages.
func (l longConversation) checkReceipts(when string) {
	l.Helper()
	l.Check(when+", receipts", func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(l, l.insert(withJobs, l.Recipient)(ctx, tx))
		changes, err := advanceReceipts(ctx, tx, []*receiptUpdate{{member: l.Recipient, other: l.Sender, Receipt: Receipt{ReadSeq: Newest}}})
		require.NotContains(l, changes, (*receiptChange)(nil))
		return err
	})
	l.Check(when+", unread", func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(l, l.insert(withJobs, l.Recipient)(ctx, tx))
		_, err := unread.LockNewest(ctx, tx, l.ID, l.Recipient, unread.MediaTypes{Voices: true, Videos: true})
		return err
	})
}
