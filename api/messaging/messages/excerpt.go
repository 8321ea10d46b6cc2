package messages

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Excerpt is the copy of a stored message for moderation. A deleted message has no content.
type Excerpt struct {
	ID       uuid.UUID
	Seq      int64
	SenderID uuid.UUID
	Type     string
	Content  string
	SentAt   time.Time
	Files    int // their number
}

// excerptColumns are the columns of Excerpt, of a message m.
const excerptColumns = `
	m.id,
	m.seq,
	m.sender_id,
	m.message_type AS type,
	m.content,
	m.sent_at,
	(SELECT count(*) FROM attachments f WHERE f.conversation_id = m.conversation_id AND f.seq = m.seq) AS files`

// NewestExcerpts returns at most limit messages of two members, the newest, ordered by
// seq. It does not check whether their conversation is open.
func NewestExcerpts(ctx context.Context, db pg.DB, x, y uuid.UUID, limit int) ([]Excerpt, error) {
	rows, _ := db.Query(ctx, `
		SELECT *
		FROM (
			SELECT `+excerptColumns+`
			FROM conversations c
			JOIN messages m ON m.conversation_id = c.id
			WHERE c.user_a = least($1::uuid, $2::uuid)
				AND c.user_b = greatest($1::uuid, $2::uuid)
			ORDER BY m.seq DESC
			LIMIT $3
		) newest
		ORDER BY seq`, x, y, limit)
	newest, err := pgx.CollectRows(rows, pgx.RowToStructByName[Excerpt])
	for i := range newest {
		newest[i].SentAt = web.Time(newest[i].SentAt)
	}
	return newest, err
}

// Position identifies a message by its conversation and seq.
type Position struct {
	ConversationID uuid.UUID
	Seq            int64
}

// ExcerptsAround returns for each position the message and up to n messages before and after
// it, ordered by seq.
func ExcerptsAround(ctx context.Context, db pg.DB, positions []Position, n int) ([][]Excerpt, error) {
	conversations, seqs := make([]uuid.UUID, len(positions)), make([]int64, len(positions))
	for i, p := range positions {
		conversations[i], seqs[i] = p.ConversationID, p.Seq
	}
	rows, _ := db.Query(ctx, `
		SELECT
			p.n - 1 AS position,
			`+excerptColumns+`
		FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS p (conversation_id, seq, n)
		JOIN messages m
			ON m.conversation_id = p.conversation_id
			AND m.seq BETWEEN p.seq - $3 AND p.seq + $3
		ORDER BY p.n, m.seq`, conversations, seqs, n)
	type row struct {
		Position int // in positions
		Excerpt
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	lists := make([][]Excerpt, len(positions))
	for _, r := range found {
		r.SentAt = web.Time(r.SentAt)
		lists[r.Position] = append(lists[r.Position], r.Excerpt)
	}
	return lists, err
}
