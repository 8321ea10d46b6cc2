package export

import (
	"context"
	"errors"
	"io"
	"mime"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"heartward/api/members"
	"heartward/api/platform/archive"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

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
	reader, writer := io.Pipe()
	counted := &countingWriter{out: writer}
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error {
		err := s.write(running, archive.NewWriter(counted, s.pool, member))
		_ = writer.CloseWithError(err) // never returns an error
		return err
	})
	group.Go(func() error {
		err := s.blobs.Put(running, file, blobs.Archive, "application/zip", reader)
		_ = reader.CloseWithError(err) // ends the other goroutine
		return err
	})
	if err := group.Wait(); err != nil {
		return false, err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (bool, error) {
		ready, err := markReady(ctx, tx, id, file, counted.bytes)
		if err != nil || !ready {
			return false, err
		}
		_, err = s.jobs.InsertTx(ctx, tx, ReadyArgs{ExportID: id, MemberID: member}, nil)
		return true, err
	})
}

type countingWriter struct {
	out   io.Writer
	bytes int64
}

func (w *countingWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	w.bytes += int64(n)
	return n, err
}

// write writes the documents and files of a member.
func (s *Service) write(ctx context.Context, w *archive.Writer) error {
	if err := w.WriteText("README.txt", readme); err != nil {
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
	if err := s.writeFiles(ctx, w); err != nil {
		return err
	}
	return w.Close()
}

func (s *Service) writeFiles(ctx context.Context, w *archive.Writer) error {
	const page = 100
	for after := uuid.Nil; ; {
		files, err := members.OwnFiles(ctx, s.pool, w.Member(), after, page)
		if err != nil {
			return err
		}
		for _, f := range files {
			after = f.ID
			if err := s.writeFile(ctx, w, f); err != nil {
				return err
			}
		}
		if len(files) < page {
			return nil
		}
	}
}

// writeFile adds a file, unless it was deleted since its row was read.
func (s *Service) writeFile(ctx context.Context, w *archive.Writer, f members.OwnFile) error {
	content, err := s.blobs.Range(ctx, f.ID, f.Variant, 0, -1)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer content.Close()
	return w.WriteFile("files/"+f.ID.String()+extension(f.ContentType), content)
}

// extensions are the endings of the names of files.
var extensions = map[string]string{
	"image/webp": ".webp", "audio/webm": ".webm", "video/webm": ".webm", "audio/mp4": ".m4a", "video/mp4": ".mp4",
	"audio/ogg": ".ogg", "video/quicktime": ".mov",
}

func extension(contentType string) string {
	kind, _, _ := mime.ParseMediaType(contentType)
	return extensions[kind]
}
