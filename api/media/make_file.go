package media

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/images"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/recordings"
)

// FileSpec describes the file to be made from an upload. The duration is checked
// against the recording.
type FileSpec struct {
	Kind        string // image, audio or video
	DurationMs  int    // zero if the recorder gave none
	Waveform    []int
	Poster      uuid.UUID     // an upload with a picture of the video, or Nil
	MaxDuration time.Duration // of a voice; zero for MaxVoice
	Crop        *images.Crop  // the part of a picture; nil for all of it
	Chosen      bool          // a video file that the member chose on the device, not a recording of the app; ffmpeg converts it
}

// Leases of a claim to an upload. When the lease has expired, another call may claim the upload, and the first one stores
// nothing. The lease for a chosen file is longer, because ffmpeg may encode for as long as the request may take.
const (
	claimLease       = time.Minute
	claimLeaseChosen = FileTimeout
)

const concurrentDeletes = 8 // concurrent deletions of parts

// MakeFile makes a file from a complete upload, with the id of the upload. Repeated
// and concurrent calls return the same file, also after it was sent.
//
// Errors: NotFound for an upload that is not the owner's; Invalid with the field
// path.id when the upload is incomplete, too long, for a profile or not of the kind,
// or with posterUploadId when the poster is not a picture; TooLarge for a picture above
// 10 MiB; Conflict when the owner's 500 MB are used up; Unavailable while another
// node makes the file.
func (s *Service) MakeFile(ctx context.Context, owner, id uuid.UUID, spec FileSpec) (Attachment, error) {
	result, err, _ := s.finishing.Do(owner.String()+id.String(), func() (any, error) {
		return s.makeFile(ctx, owner, id, spec)
	})
	if err != nil {
		return Attachment{}, err
	}
	a := result.(Attachment)
	a.Waveform = slices.Clone(a.Waveform)
	return a, nil
}

func (s *Service) makeFile(ctx context.Context, owner, id uuid.UUID, spec FileSpec) (Attachment, error) {
	if row, err := findFile(ctx, s.pool, owner, id); err == nil {
		return row.attachment(), nil
	} else if !errors.Is(err, pgx.ErrNoRows) {
		return Attachment{}, pg.Fault(err)
	}
	u, err := s.Find(ctx, owner, id)
	if err != nil {
		return Attachment{}, err
	}
	if u.Purpose != ForMessage {
		return Attachment{}, fault.InvalidField(ForMessage.field(), "This upload is not for a message.")
	}
	if err := s.storeFile(ctx, owner, u, spec, nil); err != nil {
		return Attachment{}, err
	}
	row, err := findFile(ctx, s.pool, owner, id)
	return row.attachment(), pg.Fault(err)
}

// storeFile makes the file of a complete upload. use, if it is not nil, is called in the
// transaction that inserts the file; it returns the files that it deleted, such as a replaced one.
func (s *Service) storeFile(ctx context.Context, owner uuid.UUID, u Upload, spec FileSpec, use func(tx pgx.Tx) (deleted []uuid.UUID, err error)) error {
	if u.Received < u.Length {
		return fault.InvalidField(u.Purpose.field(), "This upload isn't complete yet. Please send the rest of it first.")
	}
	claimID, lease := uuid.New(), claimLease
	if spec.Chosen {
		lease = claimLeaseChosen
	}
	if err := s.claim(ctx, owner, u.ID, claimID, lease); err != nil {
		return err
	}
	defer s.releaseClaim(ctx, u.ID, claimID)
	if u.Purpose == ForProfile {
		site, err := members.Site(ctx, s.pool)
		if err != nil {
			return err
		}
		if err := limits.Allow(ctx, s.pool, profileFiles(site.FilesPerDay), owner.String()); err != nil {
			return err
		}
	}
	c, assembled, err := s.assembleAndInspect(ctx, owner, u, spec)
	if err != nil {
		return err
	}
	defer assembled.close()
	deleted, err := s.storeContent(ctx, owner, u.ID, c, func(tx pgx.Tx) ([]uuid.UUID, error) {
		if err := s.finish(ctx, tx, owner, u, claimID, spec); err != nil || use == nil {
			return nil, err
		}
		return use(tx)
	})
	switch {
	case errors.Is(err, errBusy):
		return err // the blobs are left to the removal, because another call stores them
	case err != nil:
		s.blobs.RemoveNow(ctx, u.ID) // no effect if the transaction committed after all
		return err
	}
	s.deleteParts(ctx, assembled.parts)
	s.blobs.RemoveNow(ctx, deleted...)
	return nil
}

// storeContent stores the blobs of a file, whose id is marked for removal, and inserts
// the file in a transaction that also calls use. It returns the result of use.
func (s *Service) storeContent(ctx context.Context, owner, id uuid.UUID, c content, use func(tx pgx.Tx) ([]uuid.UUID, error)) ([]uuid.UUID, error) {
	for _, b := range c.blobs {
		if err := s.blobs.Put(ctx, id, b.variant, b.contentType, b.content); err != nil {
			return nil, err
		}
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]uuid.UUID, error) {
		if err := members.InsertFile(ctx, tx, owner, c.file(id)); err != nil {
			return nil, err
		}
		return use(tx)
	})
}

// claim leases the upload to the caller, who makes its file, and marks the file's blobs for removal in case that fails. It
// returns Unavailable while another call has the lease or has made the file. A lease that ends later than any lease can was
// taken while a clock was ahead; it is ignored.
func (s *Service) claim(ctx context.Context, owner, id, claimID uuid.UUID, lease time.Duration) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			UPDATE uploads
			SET
				finishing = $3,
				finishing_until = now() + $4::interval
			WHERE id = $1
				AND owner_id = $2
				AND (finishing IS NULL OR finishing_until < now() OR finishing_until > clock_timestamp() + $5::interval)`,
			id, owner, claimID, lease, claimLeaseChosen)
		if err != nil {
			return err
		}
		// Read after the row is locked, because the call that makes the file holds the lock.
		var exists bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM stored_files WHERE id = $1)`, id).Scan(&exists); err != nil {
			return err
		}
		if exists || tag.RowsAffected() == 0 {
			return errBusy
		}
		return blobs.MarkForRemoval(ctx, tx, id)
	})
}

// releaseClaim ends the lease, so that a retry need not wait for it.
func (s *Service) releaseClaim(ctx context.Context, id, claimID uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	// The error is ignored because the claim expires.
	_, _ = s.pool.Exec(ctx, `
		UPDATE uploads
		SET
			finishing = NULL,
			finishing_until = NULL
		WHERE id = $1
			AND finishing = $2`, id, claimID)
}

// finish runs in the transaction that stores the file. It deletes the rows of the
// parts and the poster's upload, and enqueues the normalisation of a recording. The
// row of the upload stays until a message has the file; it is deleted for a profile.
// It returns Unavailable when the claim is lost.
func (s *Service) finish(ctx context.Context, tx pgx.Tx, owner uuid.UUID, u Upload, claimID uuid.UUID, spec FileSpec) error {
	if err := finishUpload(ctx, tx, u, claimID); err != nil {
		return err
	}
	if spec.Poster != uuid.Nil {
		if _, err := tx.Exec(ctx, `
			DELETE FROM uploads u
			WHERE u.id = $1
				AND u.owner_id = $2
				AND NOT EXISTS (SELECT FROM stored_files f WHERE f.id = u.id)`, spec.Poster, owner); err != nil {
			return err
		}
	}
	if spec.Kind == "image" {
		return nil
	}
	return s.enqueueNormalise(ctx, tx, u.ID)
}

// deleteParts deletes the blobs of parts whose rows are deleted. The blobs are marked
// for removal, so the removal job deletes those that fail here.
func (s *Service) deleteParts(ctx context.Context, parts []uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var group errgroup.Group
	group.SetLimit(concurrentDeletes)
	for _, id := range parts {
		group.Go(func() error {
			err := s.blobs.Delete(ctx, id, blobs.PartOfUpload)
			if err != nil && !fault.Is(err, fault.NotFound) {
				slog.WarnContext(ctx, "part not deleted, left to the removal job", "part", id, "error", err)
			}
			return nil
		})
	}
	_ = group.Wait()
}

// assembleAndInspect assembles the upload and its poster in temporary files and inspects them.
// The caller must close the result.
func (s *Service) assembleAndInspect(ctx context.Context, owner uuid.UUID, u Upload, spec FileSpec) (content, *assembly, error) {
	uploads := []Upload{u}
	if spec.Kind == "video" && spec.Poster != uuid.Nil {
		p, err := s.poster(ctx, owner, u, spec.Poster)
		if err != nil {
			return content{}, nil, err
		}
		uploads = append(uploads, p)
	}
	assembled, err := s.assemble(ctx, uploads...)
	if err != nil {
		return content{}, nil, err
	}
	found, err := s.inspect(ctx, assembled, u.Length, spec)
	if err != nil {
		assembled.close()
		return content{}, nil, withField(u.Purpose.field(), err)
	}
	return found, assembled, nil
}

// inspect validates the first file, of size bytes, and the poster.
func (s *Service) inspect(ctx context.Context, assembled *assembly, size int64, spec FileSpec) (content, error) {
	if spec.Kind == "image" {
		return convertPicture(ctx, assembled.files[0], size, spec.Crop)
	}
	rec := receivedRecording{
		content: assembled.files[0], bytes: size, durationMs: spec.DurationMs, waveform: spec.Waveform,
		poster: assembled.poster, posterSize: assembled.posterSize,
	}
	switch {
	case spec.Kind == "audio":
		return inspectRecording(ctx, recordings.Audio, cmp.Or(spec.MaxDuration, MaxVoice), rec)
	case spec.Chosen:
		return s.convertChosen(ctx, assembled, rec)
	}
	return inspectRecording(ctx, recordings.Video, MaxVideo, rec)
}

// poster returns the upload with the picture of a video, or Invalid when it is
// unknown, incomplete or for another purpose.
func (s *Service) poster(ctx context.Context, owner uuid.UUID, video Upload, id uuid.UUID) (Upload, error) {
	p, err := s.Find(ctx, owner, id)
	if fault.Is(err, fault.NotFound) || err == nil && (p.Received < p.Length || p.Purpose != video.Purpose || id == video.ID) {
		return p, fault.InvalidField("posterUploadId", "The picture for this video didn't arrive completely. Please send it first.")
	}
	return p, err
}

// withField replaces the field of err by the one of this operation.
func withField(field string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Field == "" {
		return err
	}
	if f.Field == "poster" {
		field = "posterUploadId"
	}
	return f.WithField(field)
}

// assembly holds assembled uploads, each in a temporary file that is already
// unlinked, so that nothing is left when the process ends.
type assembly struct {
	files      []*os.File
	poster     io.ReadSeeker // the second file, or nil without one
	posterSize int64
	parts      []uuid.UUID // ids of the blobs that were copied
	bytes      int64       // of the disk space that it has acquired
	space      *semaphore.Weighted
}

func (a *assembly) close() {
	for _, f := range a.files {
		_ = f.Close()
	}
	a.space.Release(a.bytes)
}

// assemble copies the parts of each upload into a file. It acquires the disk space
// of all uploads at once, so that two calls cannot wait for each other.
func (s *Service) assemble(ctx context.Context, uploads ...Upload) (*assembly, error) {
	assembled := &assembly{space: s.space}
	for _, u := range uploads {
		assembled.bytes += u.Length
	}
	if err := s.space.Acquire(ctx, assembled.bytes); err != nil {
		return nil, errBusy
	}
	for _, u := range uploads {
		if err := s.assembleOne(ctx, assembled, u); err != nil {
			assembled.close()
			return nil, err
		}
	}
	if len(uploads) > 1 {
		assembled.poster, assembled.posterSize = assembled.files[1], uploads[1].Length
	}
	return assembled, nil
}

// assembleOne copies the upload's parts into another file.
func (s *Service) assembleOne(ctx context.Context, assembled *assembly, u Upload) error {
	parts, err := partsOf(ctx, s.pool, u.ID)
	if err != nil {
		return pg.Fault(err)
	}
	file, err := unlinkedFile()
	if err != nil {
		return files.DiskFault(err)
	}
	assembled.files = append(assembled.files, file)
	var size int64
	for _, part := range parts {
		if part.StartsAt != size {
			break
		}
		n, err := s.copyPart(ctx, file, part)
		if err != nil {
			return err
		}
		size += n
		assembled.parts = append(assembled.parts, part.ID)
	}
	if size != u.Length { // finished or removed by another call
		return errBusy
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

func (s *Service) copyPart(ctx context.Context, to io.Writer, part part) (int64, error) {
	content, err := s.blobs.Range(ctx, part.ID, blobs.PartOfUpload, 0, -1)
	if err != nil {
		return 0, err
	}
	defer content.Close()
	n, err := io.Copy(to, content)
	if err == nil && n != part.Bytes {
		err = fmt.Errorf("part %s has %d bytes instead of %d", part.ID, n, part.Bytes)
	}
	return n, files.DiskFault(err)
}

// unlinkedFile returns a temporary file that is already unlinked.
func unlinkedFile() (*os.File, error) {
	f, err := os.CreateTemp("", "heartward-upload-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
