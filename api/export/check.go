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
// The directory is at its end, so that an archive which the store has only in part is found too.
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

// storedArchive reads parts of an archive in the file store.
type storedArchive struct {
	ctx   context.Context // of the check, which is over before it ends
	blobs *blobs.Service
	file  uuid.UUID
}

func (a storedArchive) ReadAt(p []byte, offset int64) (int, error) {
	content, err := a.blobs.Range(a.ctx, a.file, blobs.Archive, offset, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer content.Close()
	// Not io.EOF for fewer bytes, which package zip ignores: it reads only what the archive must have.
	return io.ReadFull(content, p)
}
