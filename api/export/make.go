package export

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"os"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"heartward/api/platform/archive"
	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
)

// Schema is the JSON Schema of the documents of an archive, by their names. A test generates it.
//
//go:embed schema.json
var Schema string

// Make makes the archive of an export, stores it, and enqueues the mail about it. It does
// nothing for an export that was made, replaced or deleted. The archive is streamed into the
// file store.
func (s *Service) Make(ctx context.Context, id uuid.UUID) error {
	member, err := selectRequested(ctx, s.pool, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	// Each run writes a blob of its own, because blobs never change.
	file := uuid.New()
	if err := blobs.MarkForRemoval(ctx, s.pool, file); err != nil {
		return pg.Fault(err)
	}
	stored, err := s.store(ctx, id, member, file)
	if err != nil || !stored {
		s.blobs.RemoveNow(ctx, file)
	}
	return err
}

// Fail records that an export could not be made.
func (s *Service) Fail(ctx context.Context, id uuid.UUID) error { return markFailed(ctx, s.pool, id) }

// store writes the archive as the blob file. It returns false if the export was replaced or
// made by a concurrent run.
func (s *Service) store(ctx context.Context, id, member, file uuid.UUID) (bool, error) {
	bytes, entries, err := s.stream(ctx, member, file)
	if err != nil {
		return false, err
	}
	if err := s.check(ctx, file, bytes, entries); err != nil {
		return false, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (bool, error) {
		ready, err := markReady(ctx, tx, id, file, bytes)
		if err != nil || !ready {
			return false, err
		}
		_, err = s.jobs.InsertTx(ctx, tx, ReadyArgs{ExportID: id, MemberID: member}, nil)
		return true, err
	})
}

// stream writes the archive into the file store, and returns its size and its number of entries.
func (s *Service) stream(ctx context.Context, member, file uuid.UUID) (bytes int64, entries int, err error) {
	spool, err := unlinkedFile()
	if err != nil {
		return 0, 0, err
	}
	defer spool.Close()
	reader, writer := io.Pipe()
	counted := &countingWriter{out: writer}
	w := archive.NewWriter(counted, spool, s.pool, member)
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error {
		err := s.write(running, w)
		_ = writer.CloseWithError(err) // never returns an error
		return err
	})
	group.Go(func() error {
		err := s.blobs.Put(running, file, blobs.Archive, "application/zip", reader)
		_ = reader.CloseWithError(err) // ends the other goroutine
		return err
	})
	err = group.Wait()
	return counted.bytes, w.Entries(), err
}

// unlinkedFile returns a temporary file whose name is removed, so that no other process can open it and the system deletes
// it when this process ends.
func unlinkedFile() (*os.File, error) {
	f, err := os.CreateTemp("", "heartward-export-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// countingWriter counts the bytes that are written to out.
type countingWriter struct {
	out   io.Writer
	bytes int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.bytes += int64(n)
	return n, err
}

// write writes all entries of the archive: README.txt and the schema, the documents of each feature, the member's files,
// the pages, which refer to both, and last the checksums.
func (s *Service) write(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteText("README.txt", readme()); err != nil {
		return err
	}
	if err := w.WriteText(schemaName, Schema); err != nil {
		return err
	}
	for _, part := range s.data {
		if part.Export == nil {
			continue
		}
		if err := part.Export(ctx, w); err != nil {
			return err
		}
	}
	included, err := s.writeFiles(ctx, w)
	if err != nil {
		return err
	}
	if err := writePages(w, included); err != nil {
		return err
	}
	if err := w.WriteSums(sumsName); err != nil {
		return err
	}
	return w.Close()
}
