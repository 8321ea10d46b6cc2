package messages

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/media"
	"heartward/api/messaging/conversations"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// Delete deletes the content, files and reactions of one of the actor's messages in the
// conversation that other identifies, for both members. The message remains as a deleted
// message with its seq. Evidence of reports is not deleted. A repeated call changes
// nothing.
//
// It returns NotFound, also for a message of the other member, and Conflict for a date,
// which must be cancelled instead.
func (s *Service) Delete(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64) (Message, error) {
	return s.Change(ctx, actor, other, seq, func(tx pgx.Tx, c conversations.Locked, m State) (Audience, error) {
		switch {
		case !m.IsSender:
			return NoAudience, ErrNoMessage()
		case m.Type == "date":
			return NoAudience, fault.New(fault.Conflict, "A date cannot be taken back. You can cancel it.")
		case m.Deleted:
			return BothMembersAgain, nil
		}
		return BothMembers, deleteContent(ctx, tx, c.ID, seq)
	})
}

// deleteContent deletes the text, files and reactions of a message.
func deleteContent(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, seq int64) error {
	if err := media.DeleteTx(ctx, tx, conversation, seq); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `
		UPDATE messages SET
			content = '',
			deleted_at = clock_timestamp(),
			sender_reaction = NULL,
			receiver_reaction = NULL
		WHERE conversation_id = $1
			AND seq = $2`, conversation, seq)
	return err
}
