package discovery

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/pg"
)

// PendingChanges returns the number of profiles that the next refresh reads.
func (s *Service) PendingChanges(ctx context.Context) (int, error) { return s.pending(ctx, "users") }

// PendingActivities returns the number of activities that the next refresh reads.
func (s *Service) PendingActivities(ctx context.Context) (int, error) {
	return s.pending(ctx, "search_active_hours")
}

func (s *Service) pending(ctx context.Context, table string) (int, error) {
	return pg.ReadSnapshot(ctx, s.pool, func(tx pgx.Tx, now pg.Position) (n int, err error) {
		args := pgx.NamedArgs{"oldest": fmt.Sprint(s.position.Oldest), "next": fmt.Sprint(now.Next)}
		err = tx.QueryRow(ctx, `SELECT count(*) FROM `+table+` WHERE `+changedRecently, args).Scan(&n)
		return n, err
	})
}

// AcquireAllSlots occupies every search slot until release is called.
func (s *Service) AcquireAllSlots() (release func()) {
	for range cap(s.searches) {
		s.searches <- struct{}{}
	}
	return func() {
		for range cap(s.searches) {
			<-s.searches
		}
	}
}

// ExpireIndex sets the time of the last refresh to the past.
func (s *Service) ExpireIndex() { s.refreshedAt.Store(0) }

// BackdateCreation sets the creation of the service to d ago.
func (s *Service) BackdateCreation(d time.Duration) { s.created = time.Now().Add(-d) }

// FilterPaths returns the paths of the table of filters, in its order.
func FilterPaths() (paths []string) {
	for _, f := range filters {
		paths = append(paths, f.path)
	}
	return paths
}

// FilterField returns the address of the filter's value in set, or nil for an unknown path.
func FilterField(path string, set *FilterSet) any {
	for _, f := range filters {
		if f.path == path {
			return f.field(set)
		}
	}
	return nil
}

// ClearFilter removes the filter from set and reports whether it was set.
func ClearFilter(path string, set *FilterSet) bool {
	for _, f := range filters {
		if f.path == path {
			return f.clear(set)
		}
	}
	return false
}

// ReadExcluded returns the members whom selectViewer excludes for a viewer.
func ReadExcluded(ctx context.Context, pool *pgxpool.Pool, id uuid.UUID) ([]uuid.UUID, error) {
	me, err := selectViewer(ctx, pool, id)
	return me.excluded, err
}

// EntrySQL exports entrySQL for tests.
const EntrySQL = entrySQL
