package discovery

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// PendingChanges counts the profiles that the next refresh reads.
func (s *Service) PendingChanges(ctx context.Context) (int, error) { return s.pending(ctx, "users") }

// PendingActivities counts the hours of activity that the next refresh reads.
func (s *Service) PendingActivities(ctx context.Context) (int, error) {
	return s.pending(ctx, "search_active_hours")
}

func (s *Service) pending(ctx context.Context, table string) (int, error) {
	return pg.ReadSnapshot(ctx, s.pool, func(tx pgx.Tx, now pg.Position) (n int, err error) {
		args := pgx.NamedArgs{"oldest": fmt.Sprint(s.position.Oldest), "next": fmt.Sprint(now.Next)}
		err = tx.QueryRow(ctx, `SELECT count(*) FROM `+table+` WHERE `+changed, args).Scan(&n)
		return n, err
	})
}

// TakeAllPlaces holds every place for a search until give is called.
func (s *Service) TakeAllPlaces() (give func()) {
	for range cap(s.searches) {
		s.searches <- struct{}{}
	}
	return func() {
		for range cap(s.searches) {
			<-s.searches
		}
	}
}

// Oversleep makes the index believe that it was not refreshed for days.
func (s *Service) Oversleep() { s.refreshedAt.Store(0) }

// WaitedFor makes the service believe that it was made so long ago.
func (s *Service) WaitedFor(d time.Duration) { s.created = time.Now().Add(-d) }
