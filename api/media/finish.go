package media

import (
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
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
	"heartward/api/platform/recordings"
)

// What says of an upload that came whole what its file is to be. What a
// recorder says of its recording is checked against what is in it.
type What struct {
	Kind       string // image, audio or video
	DurationMs int    // zero when the recorder did not say
	Waveform   []int
	Poster     uuid.UUID // an upload with a picture of the video, uuid.Nil without
}

// finishTime is how long making a file may take. Afterwards another call may
// try; whoever was overtaken then changes nothing.
const finishTime = time.Minute

const freeing = 8 // blobs at once, of an upload that is over

// MakeFile makes the file of an upload that came whole, with the upload's id.
// A repeated call is answered with the file that is there, sent or not, and of
// any number of calls at once one makes it.
//
// NotFound for what is not the owner's. Invalid, with nothing stored, when the
// upload is not whole (path.id), is not what kind says or is too long (path.id
// as well), or its poster is no picture (posterUploadId). TooLarge for a picture
// above 10 MiB; Conflict when the member keeps 500 MB; Unavailable when another
// server is at it just now.
func (s *Service) MakeFile(ctx context.Context, owner, id uuid.UUID, what What) (Attachment, error) {
	made, err, _ := s.finishing.Do(owner.String()+id.String(), func() (any, error) {
		return s.makeFile(ctx, owner, id, what)
	})
	if err != nil {
		return Attachment{}, err
	}
	a := made.(Attachment)
	a.Waveform = slices.Clone(a.Waveform)
	return a, nil
}

func (s *Service) makeFile(ctx context.Context, owner, id uuid.UUID, what What) (Attachment, error) {
	if row, err := findFile(ctx, s.pool, owner, id); err == nil {
		return row.attachment(), nil
	} else if !errors.Is(err, pgx.ErrNoRows) {
		return Attachment{}, pg.Fault(err)
	}
	u, err := s.Find(ctx, owner, id)
	if err != nil {
		return Attachment{}, err
	}
	if u.Received < u.Length {
		return Attachment{}, fault.InvalidField("path.id", "This upload is not whole yet. Please send the rest of it first.")
	}
	claim := uuid.New()
	if err := s.claim(ctx, owner, id, claim); err != nil {
		return Attachment{}, err
	}
	defer s.letGo(ctx, id, claim)
	upload, t, err := s.look(ctx, owner, u, what)
	if err != nil {
		return Attachment{}, err
	}
	defer t.close()
	err = s.members.KeepAs(ctx, owner, id, upload, func(tx pgx.Tx) error { return s.finish(ctx, tx, owner, id, claim, what) })
	if err != nil {
		return Attachment{}, err
	}
	s.freeParts(ctx, t.parts)
	row, err := findFile(ctx, s.pool, owner, id)
	return row.attachment(), pg.Fault(err)
}

// claim makes the caller the one who makes the file, and names its blobs for
// removal should it not come to that. Unavailable when another is at it.
func (s *Service) claim(ctx context.Context, owner, id, claim uuid.UUID) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE uploads SET finishing = $3, finishing_until = now() + $4::interval
			WHERE id = $1 AND owner_id = $2 AND (finishing IS NULL OR finishing_until < now())`, id, owner, claim, finishTime)
		if err != nil {
			return err
		}
		// Asked anew, now that the row is ours: whoever made the file held it.
		var made bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM files WHERE id = $1)`, id).Scan(&made); err != nil {
			return err
		}
		if made || tag.RowsAffected() == 0 {
			return errBusy
		}
		return s.members.NameBlobs(ctx, tx, id)
	})
}

// letGo lets others try at once what did not work out.
func (s *Service) letGo(ctx context.Context, id, claim uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	// What fails here ends by itself when the claim does.
	_, _ = s.pool.Exec(ctx, `UPDATE uploads SET finishing = NULL, finishing_until = NULL WHERE id = $1 AND finishing = $2`, id, claim)
}

// finish is what goes with the file into one transaction: the parts are freed,
// the poster's upload is over, and a recording is to be normalised.
func (s *Service) finish(ctx context.Context, tx pgx.Tx, owner, id, claim uuid.UUID, what What) error {
	tag, err := tx.Exec(ctx, `UPDATE uploads SET expires_at = now() + $3::interval WHERE id = $1 AND finishing = $2`, id, claim, Lifetime)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 { // removed meanwhile, or overtaken
		return errBusy
	}
	if _, err := tx.Exec(ctx, `DELETE FROM upload_parts WHERE upload_id = $1`, id); err != nil {
		return err
	}
	if what.Poster != uuid.Nil {
		if _, err := tx.Exec(ctx, `DELETE FROM uploads u WHERE u.id = $1 AND u.owner_id = $2
			AND NOT EXISTS (SELECT FROM files f WHERE f.id = u.id)`, what.Poster, owner); err != nil {
			return err
		}
	}
	if what.Kind == "image" {
		return nil
	}
	return s.normaliseLater(ctx, tx, id)
}

// freeParts deletes blobs of parts whose rows are gone. They are named for
// removal, so what fails is left to the sweep.
func (s *Service) freeParts(ctx context.Context, parts []uuid.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var group errgroup.Group
	group.SetLimit(freeing)
	for _, id := range parts {
		group.Go(func() error {
			err := s.files.Delete(ctx, members.BlobKey(id, members.PartOfUpload))
			if err != nil && !fault.Is(err, fault.NotFound) {
				slog.WarnContext(ctx, "a part stays for now", "part", id, "error", err)
			}
			return nil
		})
	}
	_ = group.Wait()
}

// look puts the parts together on the disk and looks into what they are.
func (s *Service) look(ctx context.Context, owner uuid.UUID, u Upload, what What) (members.Upload, *together, error) {
	uploads := []Upload{u}
	if what.Kind == "video" && what.Poster != uuid.Nil {
		p, err := s.poster(ctx, owner, u.ID, what.Poster)
		if err != nil {
			return members.Upload{}, nil, err
		}
		uploads = append(uploads, p)
	}
	t, err := s.assemble(ctx, uploads...)
	if err != nil {
		return members.Upload{}, nil, err
	}
	found, err := inspect(ctx, t, u.Length, what)
	if err != nil {
		t.close()
		return members.Upload{}, nil, inField("path.id", err)
	}
	return found, t, nil
}

// inspect looks into the first file, of so many bytes, and the poster behind it.
func inspect(ctx context.Context, t *together, size int64, what What) (members.Upload, error) {
	if what.Kind == "image" {
		return members.PictureUpload(ctx, t.files[0], size)
	}
	rec := members.Recorded{Content: t.files[0], Bytes: size, DurationMs: what.DurationMs, Waveform: what.Waveform}
	if what.Kind == "audio" {
		return members.RecordingUpload(ctx, recordings.Audio, members.MaxVoice, rec)
	}
	if len(t.files) > 1 {
		rec.Poster, rec.PosterSize = t.files[1], t.bytes-size
	}
	return members.RecordingUpload(ctx, recordings.Video, members.MaxVideo, rec)
}

// poster finds the upload of the picture of a video.
func (s *Service) poster(ctx context.Context, owner, video, id uuid.UUID) (Upload, error) {
	p, err := s.Find(ctx, owner, id)
	if fault.Is(err, fault.NotFound) || err == nil && (p.Received < p.Length || id == video) {
		return p, fault.InvalidField("posterUploadId", "The picture of this video did not come whole. Please send it first.")
	}
	return p, err
}

// inField names the field that err is about, as this call's caller knows it.
func inField(field string, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) || f.Field == "" {
		return err
	}
	if f.Field == "poster" {
		field = "posterUploadId"
	}
	named := *f
	named.Field = field
	return &named
}

// together are uploads put together, each as a file on the disk that has no
// name any more: nothing is left of them when the process ends.
type together struct {
	files []*os.File
	parts []uuid.UUID // that they were
	bytes int64
	room  *semaphore.Weighted
}

func (t *together) close() {
	for _, f := range t.files {
		_ = f.Close()
	}
	t.room.Release(t.bytes)
}

// assemble copies the parts of each upload into one file. It waits for the room
// of all at once: who held some and waited for more would wait for others that
// do the same.
func (s *Service) assemble(ctx context.Context, uploads ...Upload) (*together, error) {
	t := &together{room: s.room}
	for _, u := range uploads {
		t.bytes += u.Length
	}
	if err := s.room.Acquire(ctx, t.bytes); err != nil {
		return nil, errBusy
	}
	for _, u := range uploads {
		if err := s.add(ctx, t, u); err != nil {
			t.close()
			return nil, err
		}
	}
	return t, nil
}

// add copies the upload's parts into one more file.
func (s *Service) add(ctx context.Context, t *together, u Upload) error {
	parts, err := partsOf(ctx, s.pool, u.ID)
	if err != nil {
		return pg.Fault(err)
	}
	file, err := unnamed()
	if err != nil {
		return files.NoRoom(err)
	}
	t.files = append(t.files, file)
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
		t.parts = append(t.parts, part.ID)
	}
	if size != u.Length { // made into a file or removed meanwhile
		return errBusy
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

func (s *Service) copyPart(ctx context.Context, to io.Writer, part part) (int64, error) {
	content, err := s.files.Range(ctx, members.BlobKey(part.ID, members.PartOfUpload), 0, -1)
	if err != nil {
		return 0, err
	}
	defer content.Close()
	n, err := io.Copy(to, content)
	if err == nil && n != part.Bytes {
		err = fmt.Errorf("part %s has %d bytes instead of %d", part.ID, n, part.Bytes)
	}
	return n, files.NoRoom(err)
}

// unnamed is a temporary file that nobody else can open.
func unnamed() (*os.File, error) {
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
