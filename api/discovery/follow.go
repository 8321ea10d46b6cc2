package discovery

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/discovery/index"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

const (
	// A change is found by the next look at the latest.
	lookEvery = 500 * time.Millisecond
	// An index that has not looked for so long is not asked: PostgreSQL is.
	goodFor = 3 * time.Second
	// Members are put into the index so many at a time.
	batch = 1000
	// Whoever has not looked for so long reads everybody anew: who was deleted
	// is remembered for a day only.
	tooLong = 12 * time.Hour
)

// Follow loads the index and keeps it up to date until ctx ends. Until it is
// loaded, and whenever it has fallen behind, searches read PostgreSQL instead
// and answer the same. Call it once; it returns when ctx has ended.
func (s *Service) Follow(ctx context.Context) {
	var at snapshot
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		began := time.Now()
		if began.Sub(s.looked()) > tooLong {
			at = snapshot{}
		}
		var next snapshot
		err := s.adopt(ctx, at)
		if err == nil {
			next, err = s.look(ctx, at)
		}
		if err == nil {
			if at.floor == "" {
				stats := s.Index()
				slog.InfoContext(ctx, "search index loaded", "members", stats.Members, "bytes", stats.Bytes, "took", time.Since(began).Round(time.Millisecond))
			}
			at = next
			s.lookedAt.Store(began.UnixNano())
		} else if ctx.Err() == nil {
			slog.WarnContext(ctx, "the search index could not look for changes", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// adopt gives what was restored from another cluster a transaction of this one
// before the first look: an id from there may lie far ahead, and what lies
// ahead is read again at every look.
func (s *Service) adopt(ctx context.Context, at snapshot) error {
	if at.floor != "" {
		return nil
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `DELETE FROM search_removals WHERE search_xid > pg_current_xact_id()`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE users SET search_xid = pg_current_xact_id() WHERE search_xid > pg_current_xact_id()`)
		return err
	})
}

// current reports that the index knows of all changes but the very last.
func (s *Service) current() bool { return s.IndexAge() < goodFor }

// IndexAge is how long ago the index looked for changes; very long before it is loaded.
func (s *Service) IndexAge() time.Duration { return time.Since(s.looked()) }

func (s *Service) looked() time.Time { return time.Unix(0, s.lookedAt.Load()) }

// look brings the index up to date, in one snapshot, so that what it reads and
// where it goes on next time belong together. The first time it makes a new
// one: what a look that failed had put into the old one may be gone by now.
func (s *Service) look(ctx context.Context, at snapshot) (next snapshot, err error) {
	in := s.index.Load()
	if at.floor == "" {
		in = index.New()
	}
	err = pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
		waiting := make([]index.Member, 0, batch)
		put := func(m index.Member) {
			if waiting = append(waiting, m); len(waiting) == batch {
				in.Put(waiting...)
				waiting = waiting[:0]
			}
		}
		next, err = at.follow(ctx, tx, put, func(id uuid.UUID) { in.Remove(id) })
		in.Put(waiting...)
		return err
	})
	if err == nil && at.floor == "" {
		in.Settle()
		s.index.Store(in)
	}
	return next, pg.Fault(err)
}

// snapshot is where a read stands in the order of transactions.
type snapshot struct {
	floor string // the oldest transaction that was still running, as xid8
}

// follow reads the members changed since, or all when it is the first time, and
// those removed. A transaction that began before the last look and committed
// after it is at or after the floor: what it changed is read now.
func (s snapshot) follow(ctx context.Context, tx pgx.Tx, put func(index.Member), remove func(uuid.UUID)) (snapshot, error) {
	var next snapshot
	if err := tx.QueryRow(ctx, `SELECT pg_snapshot_xmin(pg_current_snapshot())::text`).Scan(&next.floor); err != nil {
		return s, err
	}
	rest, args := ``, pgx.NamedArgs{}
	if s.floor == "" {
		// Everybody is read at once, which may take longer than a call may.
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return s, err
		}
		rest = `WHERE ` + members.Searched
	} else {
		rest, args["floor"] = `WHERE u.search_xid >= @floor::text::xid8`, s.floor
	}
	if s.floor != "" { // before the changes, so that whoever came back with the same id stays
		rows, _ := tx.Query(ctx, `SELECT user_id FROM search_removals WHERE search_xid >= @floor::text::xid8`, args)
		var id uuid.UUID
		if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { remove(id); return nil }); err != nil {
			return s, fmt.Errorf("search removals: %w", err)
		}
	}
	return next, eachEntry(ctx, tx, rest, args, func(searched bool, m index.Member) {
		if searched {
			put(m)
		} else {
			remove(m.ID)
		}
	})
}
