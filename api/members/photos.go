package members

import (
	"bytes"
	"context"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/pg"
)

// AddPhoto makes an uploaded file of size bytes the member's last photo. Invalid when
// it is no picture that we read, TooLarge above 10 MiB, Conflict when the
// member has six or keeps 500 MB, RateLimited after 30 uploads a day. What fails
// leaves nothing behind; Unavailable may mean that the photo was added and only
// the answer was lost.
func (s *Service) AddPhoto(ctx context.Context, member uuid.UUID, file io.ReadSeeker, size int64) (Photo, error) {
	return s.addPicture(ctx, member, photoSlot, file, size)
}

// SetHeaderBanner makes a file the wide picture above the profile, instead of the
// one that was there. It fails as AddPhoto does.
func (s *Service) SetHeaderBanner(ctx context.Context, member uuid.UUID, file io.ReadSeeker, size int64) (Photo, error) {
	return s.addPicture(ctx, member, bannerSlot, file, size)
}

// AddGalleryImage makes a file the last of the gallery's at most twelve pictures.
// It fails as AddPhoto does.
func (s *Service) AddGalleryImage(ctx context.Context, member uuid.UUID, file io.ReadSeeker, size int64) (Photo, error) {
	return s.addPicture(ctx, member, galleryImageSlot, file, size)
}

func (s *Service) addPicture(ctx context.Context, member uuid.UUID, in slot, file io.ReadSeeker, size int64) (Photo, error) {
	if err := s.AllowUpload(ctx, member); err != nil {
		return Photo{}, err
	}
	upload, err := PictureUpload(ctx, file, size)
	if err != nil {
		return Photo{}, err
	}
	id, err := s.keepIn(ctx, member, in, upload)
	if err != nil {
		return Photo{}, err
	}
	photo := Photo{ID: id, Placeholder: upload.Placeholder, Width: upload.Width, Height: upload.Height}
	address(&photo)
	return photo, nil
}

// PictureUpload converts a file into a picture to Keep, in two sizes.
func PictureUpload(ctx context.Context, file io.ReadSeeker, size int64) (Upload, error) {
	p, err := images.Convert(ctx, file, size)
	if err != nil {
		return Upload{}, err
	}
	return Upload{
		ContentType: images.ContentType, Width: p.Width, Height: p.Height, Placeholder: p.Placeholder,
		blobs: []blob{
			{blobs.Full, images.ContentType, bytes.NewReader(p.Full), int64(len(p.Full))},
			{blobs.Thumb, images.ContentType, bytes.NewReader(p.Thumb), int64(len(p.Thumb))},
		},
	}, nil
}

// keepIn keeps the upload in a slot of the member's profile.
func (s *Service) keepIn(ctx context.Context, member uuid.UUID, in slot, u Upload) (uuid.UUID, error) {
	return s.Keep(ctx, member, u, func(tx pgx.Tx, file uuid.UUID) ([]uuid.UUID, error) {
		replaced, err := place(ctx, tx, member, file, in)
		if err != nil {
			return nil, err
		}
		if u.DurationMs > 0 && s.recordingAdded != nil {
			if err := s.recordingAdded(ctx, tx, file); err != nil {
				return nil, err
			}
		}
		return replaced, s.notifyWatcher(ctx, tx, member)
	})
}

// OrderPhotos gives the member's photos the order of ids. Invalid unless ids
// names each of them once.
func (s *Service) OrderPhotos(ctx context.Context, member uuid.UUID, ids []uuid.UUID) (Me, error) {
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := Lock(ctx, tx, member); err != nil {
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
