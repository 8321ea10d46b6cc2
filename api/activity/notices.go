package activity

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// mostNotices is how many notifications one decision adds at most.
const mostNotices = 10

// DecisionTexts returns the texts of the notifications about decisions that a member has since a time in the view of tx, the newest
// first. Package moderation previews with it what a decision adds.
func DecisionTexts(ctx context.Context, tx pgx.Tx, member uuid.UUID, since time.Time) (texts []string, err error) {
	p := position{member: member, after: web.StartCursor, limit: mostNotices, floor: since}
	rows, _ := tx.Query(ctx, notificationsSQL, p.args())
	found, err := pgx.CollectRows(rows, scanRow)
	if err != nil {
		return nil, pg.Fault(err)
	}
	for _, r := range found {
		if kinds[r.kind].path == toDecisions {
			texts = append(texts, r.item(nil).Text)
		}
	}
	return texts, nil
}
