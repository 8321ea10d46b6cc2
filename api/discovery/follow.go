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
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

const (
	// How often the index reads what has changed.
	refreshEvery = 500 * time.Millisecond
	// Members are put into the index so many at a time.
	batch = 1000
	// After so long without a refresh all members are read again: removals are
	// stored for a day only.
	reloadAfter = 12 * time.Hour
	// A process that cannot load the index for so long serves everything else.
	readyAfter = 2 * time.Minute
)

// Follow loads the index and refreshes it until ctx ends. Call it once; it
// returns when ctx has ended.
func (s *Service) Follow(ctx context.Context) {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := s.Refresh(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "the search index could not be refreshed", "loaded", s.Loaded() == nil, "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// Loaded is nil once the index has been loaded: from then on it is served,
// however old it is. Before, it is an Unavailable that says what is missing.
func (s *Service) Loaded() error {
	if s.index.Load() != nil {
		return nil
	}
	if failed := s.loadError.Load(); failed != nil {
		return fault.Wrap(fault.Unavailable, "The search index cannot be loaded.", *failed)
	}
	return fault.New(fault.Unavailable, "The search index is being loaded.")
}

// Ready is what Loaded says, but nil once two minutes have passed: a search that
// does not start must not keep a whole site from chatting.
func (s *Service) Ready() error {
	if time.Since(s.created) > readyAfter {
		return nil
	}
	return s.Loaded()
}

// IndexAge is how long ago the last refresh of the index began; very long
// before the first one.
func (s *Service) IndexAge() time.Duration { return time.Since(time.Unix(0, s.refreshedAt.Load())) }

// Refresh brings the index up to date once. It loads all members the first
// time, after a restore of the database, when removals may have been missed, and
// when most of what the index keeps of towns has no member any more. Follow
// calls it.
func (s *Service) Refresh(ctx context.Context) error {
	s.refreshing.Lock()
	defer s.refreshing.Unlock()
	began := time.Now()
	if s.IndexAge() > reloadAfter {
		s.position = pg.Position{}
	}
	in, reloaded, err := s.refresh(ctx)
	if err != nil {
		s.loadError.Store(&err)
		return err
	}
	s.refreshedAt.Store(began.UnixNano())
	if reloaded {
		in.Compact()
		s.index.Store(in)
		stats := in.Stats()
		slog.InfoContext(ctx, "search index loaded", "members", stats.Members, "bytes", stats.Bytes, "took", time.Since(began).Round(time.Millisecond))
	}
	return nil
}

// refresh reads in one snapshot, so that what it reads and the position at
// which the next one continues belong together. A reload fills an index of its
// own: what a failed one has read may be gone by the next.
func (s *Service) refresh(ctx context.Context) (in *index.Index, reload bool, err error) {
	type refreshed struct {
		index    *index.Index
		reload   bool
		position pg.Position
	}
	read, err := pg.ReadSnapshot(ctx, s.pool, func(tx pgx.Tx, now pg.Position) (refreshed, error) {
		// What changed may be more than can be read within a call's time.
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return refreshed{}, err
		}
		in := s.index.Load()
		if in == nil || !s.position.Precedes(now) || in.Crowded() {
			in = index.New()
			return refreshed{in, true, now}, readAll(ctx, tx, in)
		}
		return refreshed{in, false, now}, readChanges(ctx, tx, in, s.position, now)
	})
	if err != nil {
		return nil, false, pg.Fault(err)
	}
	s.position = read.position
	return read.index, read.reload, nil
}

func readAll(ctx context.Context, tx pgx.Tx, in *index.Index) error {
	writer := indexWriter{index: in}
	err := eachEntry(ctx, tx, `WHERE `+members.Searched, nil, writer.write)
	writer.flush()
	return err
}

// changed bounds what a refresh reads. A transaction that began before the last
// refresh and committed after it is at or after the oldest that was running
// then: what it changed is read now. A row that names a transaction which has
// not begun was restored from another cluster, and has not changed since.
const changed = `search_xid >= @oldest::text::xid8 AND search_xid < @next::text::xid8`

func readChanges(ctx context.Context, tx pgx.Tx, in *index.Index, last, now pg.Position) error {
	args := pgx.NamedArgs{"oldest": fmt.Sprint(last.Oldest), "next": fmt.Sprint(now.Next)}
	// Before the changes, so that a member who came back with the same id stays.
	rows, _ := tx.Query(ctx, `SELECT user_id FROM search_removals WHERE `+changed, args)
	var id uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { in.Remove(id); return nil }); err != nil {
		return fmt.Errorf("search removals: %w", err)
	}
	writer := indexWriter{index: in}
	err := eachEntry(ctx, tx, `WHERE `+changed, args, writer.write)
	writer.flush()
	if err != nil {
		return err
	}
	return readActivities(ctx, tx, in, args)
}

// indexWriter puts members into the index in batches.
type indexWriter struct {
	index   *index.Index
	pending []index.Member
}

func (w *indexWriter) write(searched bool, m index.Member) {
	if !searched {
		w.index.Remove(m.ID)
		return
	}
	if w.pending = append(w.pending, m); len(w.pending) == batch {
		w.flush()
	}
}

func (w *indexWriter) flush() {
	w.index.Put(w.pending...)
	w.pending = w.pending[:0]
}

// loadedIndex returns the index, or Unavailable before it is loaded.
func (s *Service) loadedIndex() (*index.Index, error) {
	if in := s.index.Load(); in != nil {
		return in, nil
	}
	return nil, fault.Wrap(fault.Unavailable, "The search is starting. Please try again in a moment.", s.Loaded())
}
