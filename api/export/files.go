package export

import (
	"context"
	"fmt"
	"io"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/archive"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
)

// includedFile is a file of the member in the archive.
type includedFile struct {
	Name      string
	Kind      string // "image", "audio" or "video"
	IsMissing bool   // the file store does not have it
}

// writeFiles adds the member's files, and returns them by their ids. A list of the files that are missing in the file
// store is added if there are any: they do not make the export fail.
func (s *Service) writeFiles(ctx context.Context, w *archive.Writer) (map[string]includedFile, error) {
	const page = 100
	included := map[string]includedFile{}
	var missing []string
	for after := uuid.Nil; ; {
		files, err := members.OwnFiles(ctx, s.pool, w.Member(), after, page)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			after = f.ID
			written, err := s.writeFile(ctx, w, f)
			if err != nil {
				return nil, err
			}
			included[f.ID.String()] = written
			if written.IsMissing {
				missing = append(missing, written.Name)
			}
		}
		if len(files) < page {
			return included, writeMissing(w, missing)
		}
	}
}

// writeFile adds a file. One that was deleted since its row was read is missing too.
func (s *Service) writeFile(ctx context.Context, w *archive.Writer, f members.OwnFile) (includedFile, error) {
	file := includedFile{Name: "files/" + f.ID.String() + blobs.Extension(f.ContentType), Kind: kindOf(f.ContentType)}
	content, err := s.blobs.Range(ctx, f.ID, f.Variant, 0, -1)
	if fault.Is(err, fault.NotFound) {
		file.IsMissing = true
		return file, nil
	}
	if err != nil {
		return file, err
	}
	defer content.Close()
	return file, w.WriteFile(file.Name, content)
}

func writeMissing(w *archive.Writer, names []string) error {
	if len(names) == 0 {
		return nil
	}
	return w.WritePage(errorsName, func(out io.Writer) error {
		for _, name := range names {
			if _, err := fmt.Fprintf(out, "%s: missing in our storage when this archive was made\n", name); err != nil {
				return err
			}
		}
		return nil
	})
}
