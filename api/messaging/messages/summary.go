package messages

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Summary is what admins see of all messages: no content, sender or recipient.
type Summary struct {
	TotalMessages  int             `json:"totalMessages" doc:"Deleted messages count"`
	RecentMessages []RecentMessage `json:"recentMessages" doc:"The newest five"`
}

// RecentMessage is a message in a Summary.
type RecentMessage struct {
	ID     uuid.UUID `json:"id"`
	SentAt time.Time `json:"sentAt"`
}

// Summarize returns the number of messages and the newest ones. The numbers of a
// conversation's messages have no gaps, so the count reads conversations only.
func Summarize(ctx context.Context, db pg.DB) (s Summary, err error) {
	if err := db.QueryRow(ctx, `SELECT coalesce(sum(last_seq), 0)::bigint FROM conversations`).Scan(&s.TotalMessages); err != nil {
		return s, pg.Fault(err)
	}
	// The ids begin with the time.
	rows, _ := db.Query(ctx, `
		SELECT id, sent_at
		FROM messages
		ORDER BY id DESC
		LIMIT 5`)
	s.RecentMessages, err = pgx.CollectRows(rows, pgx.RowToStructByPos[RecentMessage])
	for i := range s.RecentMessages {
		s.RecentMessages[i].SentAt = web.Time(s.RecentMessages[i].SentAt)
	}
	return s, pg.Fault(err)
}
