package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// heldPhoto is a condition: photo m waits for the review of the first photo, or was declined
// in it. Others do not see it.
const heldPhoto = `(m.slot = 'photo' AND m.position = 1 AND NOT m.accepted)`

// shownPhoto is a condition: @viewer sees photo m of a member whom they see. Moderators, for whom
// @viewer is NULL, see all photos.
const shownPhoto = `(@viewer::uuid IS NULL OR m.user_id = @viewer OR NOT ` + heldPhoto + `)`

// holdNewProfile hides a new member until the profile is accepted, if the setting is on.
func holdNewProfile(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	site, err := LockSite(ctx, tx)
	if err != nil || !site.ProfileReview {
		return err
	}
	if err := SetApproved(ctx, tx, id, false); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `SELECT request_profile_review($1)`, id)
	return err
}

// applyPhotoRules ends the verification of a member whose first photo was not compared with the
// selfie, and requests a review of a first photo that needs one. It must be called after a
// change of the photos, with the lock of the member's row.
func applyPhotoRules(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	if err := endVerificationOfNewFace(ctx, tx, id); err != nil {
		return err
	}
	site, err := LockSite(ctx, tx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `SELECT review_first_photo($1, $2)`, id, site.ProfileReview)
	return err
}

// SetApproved sets whether searches find the member, who can like and write only then.
func SetApproved(ctx context.Context, tx pgx.Tx, id uuid.UUID, approved bool) error {
	_, err := tx.Exec(ctx, `UPDATE users SET is_approved = $2, updated_at = now() WHERE id = $1 AND is_approved <> $2`, id, approved)
	return err
}

// AcceptPhotos marks the member's first photo as accepted, and with it the photos that were added
// before a time: a moderator saw those, too. For the zero time it is the first photo alone.
func AcceptPhotos(ctx context.Context, tx pgx.Tx, id uuid.UUID, before time.Time) error {
	_, err := tx.Exec(ctx, `
		UPDATE member_media m
		SET accepted = true
		FROM files f
		WHERE m.user_id = $1
			AND m.slot = 'photo'
			AND f.id = m.file_id
			AND (m.position = 1 OR f.created_at < $2)`, id, before)
	return err
}
