package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Changes answers with the messages of the conversation that other names whose
// last change is newer than the rev after, in the order of their changes. One
// that changed again comes once, at its last. More says that there are newer
// ones. NotFound as for Messages.
func (s *Service) Changes(ctx context.Context, actor web.Actor, other uuid.UUID, after int64, limit int) (list []Message, more bool, err error) {
	conversation, err := conversationID(ctx, s.pool, actor.ID, other)
	if err != nil {
		return nil, false, pg.Fault(err)
	}
	if list, err = messagesByRev(ctx, s.pool, actor.ID, conversation, after, limit+1); err != nil {
		return nil, false, pg.Fault(err)
	}
	if more = len(list) > limit; more {
		list = list[:limit]
	}
	return list, more, nil
}

// messagesByRev reads by messages_rev, which holds only what ever changed.
func messagesByRev(ctx context.Context, db pg.DB, viewer, conversation uuid.UUID, after int64, limit int) ([]Message, error) {
	rows, err := db.Query(ctx, `SELECT `+messageColumns+` FROM messages m
		WHERE m.conversation_id = $2 AND m.rev > 0 AND m.rev > $3 ORDER BY m.rev LIMIT $4`, viewer, conversation, after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanMessage)
}

func messageAt(ctx context.Context, db pg.DB, viewer, conversation uuid.UUID, seq int64) (m Message, err error) {
	err = scanWith(db.QueryRow(ctx, `SELECT `+messageColumns+` FROM messages m
		WHERE m.conversation_id = $2 AND m.seq = $3`, viewer, conversation, seq), &m)
	return m, err
}

func noMessage() error { return fault.New(fault.NotFound, "We could not find that message.") }
