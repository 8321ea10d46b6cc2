package limits

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// Daily allows each member Count different items a day, such as 600 profiles in lists. A day
// begins at midnight UTC. An item that was allowed is free for the rest of the day.
//
// AllowFrom also limits the members of a network together: each has Share items of their own, and
// further ones are taken from the Pool of the network. Many people share a network, so an ordinary
// day must fit into Share, which no other member can use up.
type Daily struct {
	Name  string // distinguishes rules
	Count int    // items of a member
	Share int    // of these, items that do not count for the pool
	Pool  int    // items of all members of a network beyond their shares
}

// Scaled returns the rule with Pool multiplied by factor, and at least 1.
func (d Daily) Scaled(factor float64) Daily {
	d.Pool = int(min(max(1, float64(d.Pool)*factor), math.MaxInt32)) // an integer of PostgreSQL
	return d
}

// Allow returns those of items, which must be distinct, that the member may have today: the
// ones that were allowed before, and then new ones in their order up to the limit. It counts the
// new ones. The limit is exact, because concurrent calls for a member wait for each other.
func (d Daily) Allow(ctx context.Context, db pg.DB, member uuid.UUID, items []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	return d.AllowFrom(ctx, db, "", member, items)
}

// AllowFrom is Allow for a member in a network, such as web.NetworkOf returns. An empty network has no
// limit of its own.
func (d Daily) AllowFrom(ctx context.Context, db pg.DB, network string, member uuid.UUID, items []uuid.UUID) (map[uuid.UUID]struct{}, error) {
	var key *string
	if network != "" {
		key = new(hashOf(network))
	}
	var allowed []uuid.UUID
	err := db.QueryRow(ctx, `SELECT allow_daily_items($1, $2, $3, $4, $5, $6, $7)`,
		member, d.Name, d.Count, items, key, d.Share, d.Pool).Scan(&allowed)
	if err != nil {
		return nil, pg.Fault(err)
	}
	set := make(map[uuid.UUID]struct{}, len(allowed))
	for _, id := range allowed {
		set[id] = struct{}{}
	}
	return set, nil
}

// AllowOne is AllowFrom for one item. Beyond the limit it returns RateLimited with the sentence and the time until the next
// day.
func (d Daily) AllowOne(ctx context.Context, db pg.DB, network string, member, item uuid.UUID, refusal string) error {
	now := time.Now() // before the database's, so that a refusal at midnight is not of the next day
	allowed, err := d.AllowFrom(ctx, db, network, member, []uuid.UUID{item})
	if err == nil && len(allowed) == 0 {
		err = fault.Limited(refusal, NextDay(now).Sub(now))
	}
	return err
}

// NextDay returns the beginning of the day after now, when the limits of a Daily begin anew.
func NextDay(now time.Time) time.Time {
	year, month, day := now.UTC().Date()
	return time.Date(year, month, day+1, 0, 0, 0, 0, time.UTC)
}
