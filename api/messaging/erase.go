package messaging

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/pg"
)

// Erase deletes what a leaving member wrote, in transactions of at most limit messages. The
// files of the messages must be deleted before.
//
// In a conversation that the other member keeps, each message of the leaving member becomes
// a deleted one with its seq, and reactions of the member are removed. Other conversations
// are deleted: requests, closed and empty ones, and those whose other member has no
// account. A repeated call continues an interrupted one.
func Erase(ctx context.Context, pool *pgxpool.Pool, member uuid.UUID, limit int) error {
	rows, _ := pool.Query(ctx, `
		SELECT
			c.id,
			c.requested_by IS NULL
				AND c.closed_at IS NULL
				AND c.last_seq > 0
				AND EXISTS (
					SELECT FROM profiles o
					WHERE o.id = CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END
				)
		FROM conversations c
		WHERE $1 IN (c.user_a, c.user_b)`, member)
	type conversation struct {
		ID     uuid.UUID
		IsKept bool
	}
	conversations, err := pgx.CollectRows(rows, pgx.RowToStructByPos[conversation])
	if err != nil {
		return err
	}
	for _, c := range conversations {
		if c.IsKept {
			err = eraseMessages(ctx, pool, c.ID, member, limit)
		} else {
			err = deleteConversation(ctx, pool, c.ID, limit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseMessages removes the content of the member's messages and the member's reactions. Each
// changed message gets a rev of its own, because devices read changes in pages by rev.
func eraseMessages(ctx context.Context, pool *pgxpool.Pool, conversation, member uuid.UUID, limit int) error {
	return repeat(limit, func() (int64, error) {
		return pg.Tx(ctx, pool, func(tx pgx.Tx) (int64, error) {
			// The lock orders the revs of concurrent changes.
			var rev int64
			err := tx.QueryRow(ctx, `SELECT last_rev FROM conversations WHERE id = $1 FOR NO KEY UPDATE`, conversation).Scan(&rev)
			if err != nil {
				return 0, err
			}
			tag, err := tx.Exec(ctx, `
				UPDATE messages m
				SET
					content = CASE WHEN m.sender_id = $2 THEN '' ELSE m.content END,
					deleted_at = CASE WHEN m.sender_id = $2 THEN clock_timestamp() END,
					sender_reaction = CASE WHEN m.sender_id <> $2 THEN m.sender_reaction END,
					receiver_reaction = NULL,
					date_id = CASE WHEN m.sender_id <> $2 THEN m.date_id END,
					rev = $3 + e.position
				FROM (
					SELECT
						seq,
						row_number() OVER (ORDER BY seq) AS position
					FROM messages
					WHERE conversation_id = $1
						AND deleted_at IS NULL
						AND (sender_id = $2 OR receiver_reaction IS NOT NULL)
					ORDER BY seq
					LIMIT $4
				) e
				WHERE m.conversation_id = $1
					AND m.seq = e.seq`, conversation, member, rev, limit)
			if err != nil || tag.RowsAffected() == 0 {
				return 0, err
			}
			_, err = tx.Exec(ctx, `UPDATE conversations SET last_rev = $2 WHERE id = $1`, conversation, rev+tag.RowsAffected())
			return tag.RowsAffected(), err
		})
	})
}

// deleteConversation deletes the messages of a conversation, and then its row.
func deleteConversation(ctx context.Context, pool *pgxpool.Pool, conversation uuid.UUID, limit int) error {
	err := repeat(limit, func() (int64, error) {
		tag, err := pool.Exec(ctx, `
			DELETE FROM messages
			WHERE conversation_id = $1
				AND seq IN (
					SELECT seq
					FROM messages
					WHERE conversation_id = $1
					ORDER BY seq
					LIMIT $2)`, conversation, limit)
		return tag.RowsAffected(), err
	})
	if err == nil {
		_, err = pool.Exec(ctx, `DELETE FROM conversations WHERE id = $1`, conversation)
	}
	return err
}

// repeat calls batch, which changes at most limit rows and returns their number, until it changes fewer.
func repeat(limit int, batch func() (int64, error)) error {
	for {
		changed, err := batch()
		if err != nil || changed < int64(limit) {
			return err
		}
	}
}
