package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// Delete takes back the actor's own message at seq of the conversation that
// other names: its words, files and reactions are gone for both, and its place
// says so. A report keeps what it has kept. Doing it again changes nothing.
//
// Fails with NotFound, also for what the other has written, and Conflict for a
// date, which is called off instead.
func (s *Service) Delete(ctx context.Context, actor web.Actor, other uuid.UUID, seq int64) (Message, error) {
	return s.change(ctx, actor, other, seq, func(tx pgx.Tx, h held, m heldMessage) (audience, error) {
		switch {
		case !m.Mine:
			return nobody, noMessage()
		case m.Type == "date":
			return nobody, fault.New(fault.Conflict, "A date cannot be taken back. You can cancel it.")
		case m.Deleted:
			return nobody, nil
		}
		return both, empty(ctx, tx, h.ID, seq)
	})
}

// empty leaves nothing of a message but its place. The files' rows take those
// of message_files with them, and name their blobs for removal.
func empty(ctx context.Context, tx pgx.Tx, conversation uuid.UUID, seq int64) error {
	_, err := tx.Exec(ctx, `DELETE FROM files WHERE id IN (
		SELECT file_id FROM message_files WHERE conversation_id = $1 AND seq = $2)`, conversation, seq)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE messages SET content = '', deleted_at = clock_timestamp(), sender_reaction = NULL, receiver_reaction = NULL
		WHERE conversation_id = $1 AND seq = $2`, conversation, seq)
	return err
}
