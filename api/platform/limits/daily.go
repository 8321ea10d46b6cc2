package limits

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
)

// Daily allows each member Count different items a day, such as 600 profiles in lists. A day
// begins at midnight UTC. An item that was allowed is free for the rest of the day. Name
// distinguishes rules.
type Daily struct {
	Name  string
	Count int
}

// Allow returns those of items, which must be distinct, that the member may have today: the
// ones that were allowed before, and new ones in their order up to the limit, which it
// counts. The limit is exact, because concurrent calls for a member wait for each other.
func (d Daily) Allow(ctx context.Context, db pg.DB, member uuid.UUID, items []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	var allowed []uuid.UUID
	err := db.QueryRow(ctx, `SELECT allow_daily_items($1, $2, $3, $4)`, member, d.Name, d.Count, items).Scan(&allowed)
	if err != nil {
		return nil, pg.Fault(err)
	}
	set := make(map[uuid.UUID]struct{}, len(allowed))
	for _, id := range allowed {
		set[id] = struct{}{}
	}
	return set, nil
}

// NextDay returns the beginning of the day after now, when the limits of a Daily begin anew.
func NextDay(now time.Time) time.Time {
	year, month, day := now.UTC().Date()
	return time.Date(year, month, day+1, 0, 0, 0, 0, time.UTC)
}
