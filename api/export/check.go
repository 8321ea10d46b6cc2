package export

import (
	"archive/zip"
	"context"
	"fmt"
	"io"

	"github.com/google/uuid"

	"heartward/api/platform/blobs"
)

// check opens the stored archive again, and returns an error unless its directory has as many entries as were written.
// As the directory is at the end of the file, check also detects a truncated archive.
func (s *Service) check(ctx context.Context, file uuid.UUID, bytes int64, entries int) error {
	stored, err := zip.NewReader(storedArchive{ctx, s.blobs, file}, bytes)
	if err != nil {
		return fmt.Errorf("opening the stored archive: %w", err)
	}
	if len(stored.File) != entries {
		return fmt.Errorf("the stored archive has %d entries instead of %d", len(stored.File), entries)
	}
	return nil
}

// storedArchive is an io.ReaderAt on an archive in the file store.
type storedArchive struct {
	ctx   context.Context // of check, which does not outlive the call
	blobs *blobs.Service
	file  uuid.UUID
}

func (a storedArchive) ReadAt(p []byte, offset int64) (int, error) {
	content, err := a.blobs.Range(a.ctx, a.file, blobs.Archive, offset, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer content.Close()
	// ReadFull reports too few bytes as ErrUnexpectedEOF. Package zip ignores io.EOF, but reads only what the archive must have.
	return io.ReadFull(content, p)
}
