package activity

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// maxDecisionTexts is the maximum number of notifications that DecisionTexts reads. One decision adds fewer.
const maxDecisionTexts = 10

// DecisionTexts returns the texts of the member's notifications about decisions since a time, as tx sees them, the newest
// first. Package moderation calls it to preview the notifications of a decision.
func DecisionTexts(ctx context.Context, tx pgx.Tx, member uuid.UUID, since time.Time) (texts []string, err error) {
	p := position{member: member, after: web.StartCursor, limit: maxDecisionTexts, floor: since}
	rows, _ := tx.Query(ctx, notificationsSQL, p.args())
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	if err != nil {
		return nil, pg.Fault(err)
	}
	for _, r := range found {
		if kinds[r.Kind].path == toDecisions {
			texts = append(texts, r.item(nil).Text)
		}
	}
	return texts, nil
}
