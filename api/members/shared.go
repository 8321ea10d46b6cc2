package members

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/blobs"
	"heartward/api/platform/pg"
)

// ThumbURL returns the URL of the thumbnail of a picture.
func ThumbURL(photo uuid.UUID) string { return fileURL(photo, blobs.Thumb) }

// PictureURL returns the URL of the full size of a picture.
func PictureURL(id uuid.UUID) string { return fileURL(id, blobs.Full) }

// SetInterestedIn changes the genders in which the member is interested. It returns Invalid
// with the field interestedIn for an unknown gender.
func SetInterestedIn(ctx context.Context, db pg.DB, member uuid.UUID, genders []string) error {
	genders, err := cleanInterests(genders)
	if err != nil {
		return err
	}
	_, err = db.Exec(ctx, `
		UPDATE users
		SET interested_in = $2, updated_at = now()
		WHERE id = $1
			AND interested_in <> $2`, member, genders)
	return pg.Fault(err)
}
