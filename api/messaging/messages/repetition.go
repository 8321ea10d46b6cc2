package messages

import (
	"context"
	"errors"
	"log/slog"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/conversations"
	"heartward/api/platform/pg"
)

// PublishAgain publishes the message of another feature, which PostTx has inserted, to its recipient and its sender
// (docs/decisions/0106). The caller limits how often a member causes this.
func (s *Service) PublishAgain(ctx context.Context, recipient, conversation uuid.UUID, seq int64) {
	s.publishStored(ctx, recipient, conversation, seq, "")
}

// publishStored publishes a message as it is stored, with the sparks that it caused. The call that stored it may have
// published nothing, because its connection was lost at COMMIT or its process ended. For devices that have the message, the
// events change nothing: they apply messages by their seq.
//
// A message is not published if its recipient must not see it, such as one of a conversation that was closed meanwhile, and
// if it has changed since: the event of the change makes devices fetch what they lack. An error is only logged, because
// events are best effort and the call itself has its result.
func (s *Service) publishStored(ctx context.Context, recipient, conversation uuid.UUID, seq int64, socket string) {
	stored, err := selectStored(ctx, s.pool, recipient, conversation, seq)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
	case err != nil:
		slog.Warn("a stored message was not published again", "error", err)
	default:
		stored.socket = socket
		s.Publish(stored)
	}
}

// selectStored returns a message that is shown to its recipient and has not changed since it was inserted, or pgx.ErrNoRows. The time of a
// spark is that of the message that caused it.
func selectStored(ctx context.Context, db pg.DB, recipient, conversation uuid.UUID, seq int64) (Stored, error) {
	type storedRow struct {
		Row
		CausedMessageSpark    bool
		CausedVoiceConnection bool
	}
	rows, _ := db.Query(ctx, `
		SELECT `+ColumnsSQL+`,
			coalesce(c.message_spark_at = m.sent_at, false) AS caused_message_spark,
			coalesce(c.voice_connection_at = m.sent_at, false) AS caused_voice_connection
		FROM messages m
		JOIN conversations c ON c.id = m.conversation_id
		WHERE m.conversation_id = $2
			AND m.seq = $3
			AND m.sender_id <> $1
			AND m.rev = 0
			AND `+conversations.ShownSQL, recipient, conversation, seq)
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[storedRow])
	if err != nil {
		return Stored{}, err
	}
	return Stored{
		Message: row.ToMessage(), recipientID: recipient, sparks: sparksOf(row.CausedMessageSpark, row.CausedVoiceConnection),
	}, nil
}
