package members

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
)

// The variants of a stored picture, as they stand in its addresses.
const (
	full  = "full.webp"
	thumb = "thumb.webp"
)

var uploads = limits.Rule{Name: "uploads", Count: 30, Per: 24 * time.Hour}

func blobKey(id uuid.UUID, variant string) string { return id.String() + "/" + variant }

// AddPhoto makes raw, an uploaded file, the member's last photo. Invalid when
// it is no picture that we read, TooLarge above 10 MiB, Conflict when the
// member has six, RateLimited after 30 a day. What fails leaves nothing behind;
// Unavailable may mean that the photo was added and only the answer was lost.
func (s *Service) AddPhoto(ctx context.Context, member uuid.UUID, raw []byte) (Photo, error) {
	if err := limits.Allow(ctx, s.pool, uploads, member.String()); err != nil {
		return Photo{}, err
	}
	picture, err := images.Convert(ctx, raw)
	if err != nil {
		return Photo{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Photo{}, err
	}
	err = s.putBlobs(ctx, id, picture)
	if err == nil {
		err = pg.Tx(ctx, s.pool, func(tx pgx.Tx) error { return insertPhoto(ctx, tx, member, id, picture) })
	}
	if err != nil {
		if err := s.discard(context.WithoutCancel(ctx), id); err != nil {
			slog.ErrorContext(ctx, "deleting a picture that was not kept", "file", id, "error", err)
		}
		return Photo{}, err
	}
	photo := Photo{ID: id, Placeholder: picture.Placeholder, Width: picture.Width, Height: picture.Height}
	address(&photo)
	return photo, nil
}

// insertPhoto puts the photo in the next place; that there are six places is
// the table's own rule.
func insertPhoto(ctx context.Context, tx pgx.Tx, member, id uuid.UUID, p images.Picture) error {
	if err := lockMember(ctx, tx, member); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO files (id, owner_id, content_type, bytes, width, height, placeholder)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		id, member, images.ContentType, len(p.Full)+len(p.Thumb), p.Width, p.Height, p.Placeholder)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO member_media (file_id, user_id, slot, position)
		SELECT $1, $2, 'photo', count(*) + 1 FROM member_media WHERE user_id = $2 AND slot = 'photo'`, id, member)
	if pg.Broke(err, "member_media_photos") {
		return fault.Wrap(fault.Conflict, "You have six photos already. Please delete one first.", err)
	}
	return err
}

func (s *Service) putBlobs(ctx context.Context, id uuid.UUID, p images.Picture) error {
	return errors.Join(
		s.files.Put(ctx, blobKey(id, full), images.ContentType, bytes.NewReader(p.Full)),
		s.files.Put(ctx, blobKey(id, thumb), images.ContentType, bytes.NewReader(p.Thumb)),
	)
}

// discard deletes the pictures of a photo that was not kept. The commit may
// have been done although its answer was lost, so the database is asked; while
// it cannot tell they stay: better a picture too many than a photo without one.
func (s *Service) discard(ctx context.Context, id uuid.UUID) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var kept bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM files WHERE id = $1)`, id).Scan(&kept)
	if err != nil || kept {
		return err
	}
	return s.deleteBlobs(ctx, id)
}

// deleteBlobs is no error when they are gone already.
func (s *Service) deleteBlobs(ctx context.Context, id uuid.UUID) error {
	for _, variant := range []string{full, thumb} {
		if err := s.files.Delete(ctx, blobKey(id, variant)); err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	return nil
}

// DeletePhoto deletes the member's photo, its stored pictures included, and
// moves the later ones up. NotFound when the member has no such photo.
func (s *Service) DeletePhoto(ctx context.Context, member, id uuid.UUID) error {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockMember(ctx, tx, member); err != nil {
			return err
		}
		var position int
		err := tx.QueryRow(ctx, `DELETE FROM member_media WHERE file_id = $1 AND user_id = $2 AND slot = 'photo'
			RETURNING position`, id, member).Scan(&position)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM files WHERE id = $1`, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE member_media SET position = position - 1
			WHERE user_id = $1 AND slot = 'photo' AND position > $2`, member, position)
		if err != nil {
			return err
		}
		// Last and within the transaction: while the pictures cannot be deleted
		// the photo stays and can be deleted again. Doing it twice does no harm.
		return s.deleteBlobs(ctx, id)
	})
}

// OrderPhotos gives the member's photos the order of ids. Invalid unless ids
// names each of them once.
func (s *Service) OrderPhotos(ctx context.Context, member uuid.UUID, ids []uuid.UUID) (Me, error) {
	err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lockMember(ctx, tx, member); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			UPDATE member_media m SET position = wanted.position
			FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (id, position)
			WHERE m.file_id = wanted.id AND m.user_id = $1 AND m.slot = 'photo'
			AND cardinality($2::uuid[]) = (SELECT count(*) FROM member_media WHERE user_id = $1 AND slot = 'photo')`, member, ids)
		if err == nil && (len(ids) == 0 || int(tag.RowsAffected()) != len(ids)) {
			return fault.InvalidField("ids", "Please name each of your photos once.")
		}
		return err
	})
	if err != nil {
		return Me{}, err
	}
	return s.Me(ctx, member)
}

// OpenFile returns a stored picture that viewer may see. NotFound otherwise,
// whether it exists or not. The caller closes it.
func (s *Service) OpenFile(ctx context.Context, viewer, id uuid.UUID, variant string) (io.ReadCloser, error) {
	notFound := fault.New(fault.NotFound, "We could not find that.")
	if variant != full && variant != thumb {
		return nil, notFound
	}
	var found bool
	err := s.pool.QueryRow(ctx, `SELECT EXISTS (
		SELECT FROM member_media m JOIN users u ON u.id = m.user_id WHERE m.file_id = @id AND `+Visible+`)`,
		pgx.NamedArgs{"id": id, "viewer": viewer}).Scan(&found)
	if err != nil {
		return nil, pg.Fault(err)
	}
	if !found {
		return nil, notFound
	}
	return s.files.Range(ctx, blobKey(id, variant), 0, -1)
}
