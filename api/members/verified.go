package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// SetVerified marks the member as verified from now on, and the photos as compared with
// the selfie. The caller must hold the lock of the member's row.
func SetVerified(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE member_media SET compared = true WHERE user_id = $1 AND slot = 'photo'`, id)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE users SET verified_at = now() WHERE id = $1`, id)
	return err
}

// showsNewFace is a condition: the first photo of member u was not compared with a selfie.
const showsNewFace = `EXISTS (
	SELECT FROM member_media m
	WHERE m.user_id = u.id
		AND m.slot = 'photo'
		AND m.position = 1
		AND NOT m.compared)`

// endVerificationOfNewFace ends the verification if the first photo was not compared with
// the selfie. It must be called after a change of the photos.
func endVerificationOfNewFace(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE users u
		SET verified_at = NULL
		WHERE u.id = $1
			AND u.verified_at IS NOT NULL
			AND `+showsNewFace, id)
	return err
}

// endVerificationOfNewIdentity ends the verification if the name or the birth date has
// changed from the given ones.
func endVerificationOfNewIdentity(ctx context.Context, tx pgx.Tx, id uuid.UUID, name string, birth time.Time) error {
	_, err := tx.Exec(ctx, `
		UPDATE users
		SET verified_at = NULL
		WHERE id = $1
			AND verified_at IS NOT NULL
			AND (full_name <> $2 OR birth_date <> $3)`, id, name, birth)
	return err
}
