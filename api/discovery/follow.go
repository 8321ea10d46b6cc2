package discovery

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/discovery/index"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

const (
	// The interval of refreshes.
	refreshEvery = 500 * time.Millisecond
	// The number of members that are added to the index at a time.
	indexBatch = 1000
	// After this time without a refresh all members are read again, because removals are
	// stored for only a day.
	reloadAfter = 12 * time.Hour
	// A process that cannot load the index in this time becomes ready without it.
	readyAfter = 2 * time.Minute
)

// Follow loads the index and refreshes it until ctx ends. It must be called once.
func (s *Service) Follow(ctx context.Context) {
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if err := s.Refresh(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "the search index could not be refreshed", "loaded", s.CheckLoaded() == nil, "error", err)
		}
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// CheckLoaded returns Unavailable with the reason until the index is loaded, and then nil.
// A loaded index is used at any age.
func (s *Service) CheckLoaded() error {
	if s.index.Load() != nil {
		return nil
	}
	if failed := s.loadError.Load(); failed != nil {
		return fault.Wrap(fault.Unavailable, "The search index cannot be loaded.", *failed)
	}
	return fault.New(fault.Unavailable, "The search index is being loaded.")
}

// Ready returns the error of CheckLoaded, but nil after two minutes, so that the other
// features are available even if the index cannot be loaded.
func (s *Service) Ready() error {
	if time.Since(s.created) > readyAfter {
		return nil
	}
	return s.CheckLoaded()
}

// IndexAge returns the time since the start of the last successful refresh. Before the
// first one it is very large.
func (s *Service) IndexAge() time.Duration { return time.Since(time.Unix(0, s.refreshedAt.Load())) }

// Refresh applies changes since the last refresh to the index. It reads all members the
// first time, after a restore of the database, if removals may have been missed, and if
// most towns or sets of tags in the index have no member any more. Follow calls it.
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

// refresh reads in one snapshot, whose position is the start of the next refresh. A reload
// fills a new index, so that a failed reload leaves no outdated members.
func (s *Service) refresh(ctx context.Context) (in *index.Index, reload bool, err error) {
	type refreshed struct {
		index    *index.Index
		reload   bool
		position pg.Position
	}
	read, err := pg.ReadSnapshot(ctx, s.pool, func(tx pgx.Tx, now pg.Position) (refreshed, error) {
		// Reading all changes may take longer than the timeout of a statement.
		if _, err := tx.Exec(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return refreshed{}, err
		}
		in := s.index.Load()
		if in == nil || !s.position.Precedes(now) || in.NeedsReload() {
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
	err := eachEntry(ctx, tx, searchedEntriesSQL, nil, writer.write)
	writer.flush()
	return err
}

func readChanges(ctx context.Context, tx pgx.Tx, in *index.Index, last, now pg.Position) error {
	args := pgx.NamedArgs{"oldest": fmt.Sprint(last.Oldest), "next": fmt.Sprint(now.Next), "since": last.Time}
	// Removals are before changes, so that a member who was added again with the same id is
	// not removed.
	rows, _ := tx.Query(ctx, removedSQL, args)
	var id uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { in.Remove(id); return nil }); err != nil {
		return fmt.Errorf("search removals: %w", err)
	}
	writer := indexWriter{index: in}
	for _, statement := range changedEntriesSQL {
		if err := eachEntry(ctx, tx, statement, args, writer.write); err != nil {
			return err
		}
	}
	writer.flush()
	return readActivities(ctx, tx, in, args)
}

// indexWriter adds members to the index in batches.
type indexWriter struct {
	index   *index.Index
	pending []index.Member
}

func (w *indexWriter) write(searched bool, m index.Member) {
	if !searched {
		w.index.Remove(m.ID)
		return
	}
	if w.pending = append(w.pending, m); len(w.pending) == indexBatch {
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
	return nil, fault.Wrap(fault.Unavailable, "The search is starting. Please try again in a moment.", s.CheckLoaded())
}
