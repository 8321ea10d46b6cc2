package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
	"heartward/api/platform/recordings"
)

// Normalise makes an MP4 copy of a recording, unless it has one or its format plays
// in every browser. If ffmpeg refuses the recording, there is no copy and no error.
// Normalise is idempotent, also under concurrent calls: one copy is counted, and an
// interrupted call leaves at most a blob that the next call overwrites.
func (s *Service) Normalise(ctx context.Context, id uuid.UUID) error {
	var contentType string
	var hasCopy bool
	err := s.pool.QueryRow(ctx, `SELECT content_type, has_copy FROM stored_files WHERE id = $1`, id).Scan(&contentType, &hasCopy)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return s.removeOrphanedCopy(ctx, id)
	case err != nil:
		return pg.Fault(err)
	case hasCopy || s.ffmpeg == nil:
		return nil
	}
	folder, err := os.MkdirTemp("", "heartward-media-")
	if err != nil {
		return files.DiskFault(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	found, err := s.fetch(ctx, id, contentType, filepath.Join(folder, "in"))
	if err != nil || found.PlaysEverywhere() {
		return err
	}
	// A recording with a single frame has no frame rate. If the rate is capped, ffmpeg then writes a copy without a video track
	// and reports no error; storeCopy finds the copy invalid.
	for _, capRate := range []bool{true, false} {
		out := filepath.Join(folder, "out")
		_ = os.Remove(out) // of the first attempt
		err := s.ffmpeg.Normalise(ctx, folder, "in", "out", found.ContentType, capRate)
		if isRefused(err) {
			slog.WarnContext(ctx, "recording not normalised", "file", id, "error", err)
			return nil
		}
		if err != nil {
			return err
		}
		if stored, err := s.storeCopy(ctx, id, contentType, out); stored || err != nil {
			return err
		}
	}
	return nil
}

// kindOf returns the kind and maximum duration with which a stored recording is
// inspected.
func kindOf(contentType string) (recordings.Kind, time.Duration) {
	if strings.HasPrefix(contentType, "audio/") {
		return recordings.Audio, MaxVoice
	}
	return recordings.Video, MaxVideo
}

// fetch copies the stored recording to path and inspects it.
func (s *Service) fetch(ctx context.Context, id uuid.UUID, contentType, path string) (recordings.Info, error) {
	stored, err := s.blobs.Range(ctx, id, blobs.Original, 0, -1)
	if err != nil {
		return recordings.Info{}, err
	}
	defer stored.Close()
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return recordings.Info{}, files.DiskFault(err)
	}
	defer file.Close()
	size, err := io.Copy(file, stored)
	if err != nil {
		return recordings.Info{}, files.DiskFault(err)
	}
	kind, maxDuration := kindOf(contentType)
	return recordings.Inspect(file, size, kind, maxDuration)
}

// storeCopy inspects the copy like an upload, and stores it. It reports whether the copy is valid.
func (s *Service) storeCopy(ctx context.Context, id uuid.UUID, contentType, path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	kind, maxDuration := kindOf(contentType)
	found, err := recordings.Inspect(file, info.Size(), kind, maxDuration)
	if err != nil || !found.PlaysEverywhere() {
		slog.WarnContext(ctx, "the copy of a recording is invalid", "file", id, "error", err, "codecs", fmt.Sprint(found.Codecs))
		return false, nil
	}
	if err := s.blobs.Put(ctx, id, blobs.NormalisedCopy, found.ContentType, found.Clean(file)); err != nil {
		return false, err
	}
	added, err := members.AddCopy(ctx, s.pool, id, info.Size())
	if err != nil || added {
		return true, pg.Fault(err)
	}
	return true, s.removeOrphanedCopy(ctx, id)
}

// removeOrphanedCopy marks the copy for removal when the file was deleted while it was made.
func (s *Service) removeOrphanedCopy(ctx context.Context, id uuid.UUID) error {
	var exists bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM stored_files WHERE id = $1)`, id).Scan(&exists)
	if err == nil && !exists {
		err = blobs.MarkDeleted(ctx, s.pool, id)
	}
	return pg.Fault(err)
}
