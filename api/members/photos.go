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

// AddPhoto adds an uploaded picture of size bytes as the member's last photo. It returns
// Invalid unless it is a supported picture; TooLarge above 10 MiB; Conflict if the member
// has six photos or 500 MB of files; RateLimited after 30 uploads a day; and Unavailable, in
// which case the photo may have been added. After other errors nothing is stored.
func (s *Service) AddPhoto(ctx context.Context, member uuid.UUID, file io.ReadSeeker, size int64) (Photo, error) {
	return s.addPicture(ctx, member, photoSlot, file, size)
}

// SetHeaderBanner sets the banner of the profile, replacing the previous one. It returns the
// errors of AddPhoto.
func (s *Service) SetHeaderBanner(ctx context.Context, member uuid.UUID, file io.ReadSeeker, size int64) (Photo, error) {
	return s.addPicture(ctx, member, bannerSlot, file, size)
}

// AddGalleryImage adds a picture to the end of the gallery, which has at most twelve. It
// returns the errors of AddPhoto.
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
	id, err := s.storeInSlot(ctx, member, in, upload)
	if err != nil {
		return Photo{}, err
	}
	photo := Photo{ID: id, Placeholder: upload.Placeholder, Width: upload.Width, Height: upload.Height}
	address(&photo)
	return photo, nil
}

// PictureUpload converts a file to an Upload with a picture in two sizes.
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

// storeInSlot stores the upload and adds it to a slot of the member's profile.
func (s *Service) storeInSlot(ctx context.Context, member uuid.UUID, in slot, u Upload) (uuid.UUID, error) {
	return s.StoreFile(ctx, member, u, func(tx pgx.Tx, file uuid.UUID) ([]uuid.UUID, error) {
		replaced, err := addToSlot(ctx, tx, member, file, in)
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

// OrderPhotos sets the order of the member's photos. It returns Invalid unless ids contains
// each of them once.
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
