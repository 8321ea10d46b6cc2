package members

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
)

// Standing is what decides which sanctions a member can get.
type Standing struct {
	Status         string     // the profile status
	SuspendedUntil *time.Time // nil for a suspension without an end, and if not suspended
	IsStaff        bool       // an admin or a moderator
	UnderReport    bool       // a pending report hides the profile
}

// Is reports whether the status, and the end of a suspension, are those given.
func (s Standing) Is(status string, until *time.Time) bool {
	sameEnd := (s.SuspendedUntil == nil) == (until == nil) && (until == nil || s.SuspendedUntil.Equal(*until))
	return s.Status == status && sameEnd
}

// LockStanding locks the member's row and returns the standing. It returns NotFound for an
// unknown member.
func LockStanding(ctx context.Context, tx pgx.Tx, id uuid.UUID) (s Standing, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			profile_status,
			suspended_until,
			is_admin OR is_moderator,
			id IN (SELECT user_id FROM members_under_report)
		FROM users
		WHERE id = $1
		FOR NO KEY UPDATE OF users`, id).Scan(&s.Status, &s.SuspendedUntil, &s.IsStaff, &s.UnderReport)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, fault.New(fault.NotFound, "We could not find that member.")
	}
	return s, err
}

// SetStatus sets the status of a member to active, suspended or under_review, and the end of
// a suspension, which is nil for one without an end. The status of a member who asked for the
// deletion of the account becomes leaving instead of active.
func SetStatus(ctx context.Context, tx pgx.Tx, id uuid.UUID, status string, until *time.Time) error {
	_, err := tx.Exec(ctx, `
		UPDATE users
		SET
			profile_status = CASE WHEN $2 = 'active' AND deletion_due_at IS NOT NULL THEN 'leaving' ELSE $2 END,
			suspended_until = $3,
			updated_at = now()
		WHERE id = $1`, id, status, until)
	return err
}

// SetFeatured sets whether a member is featured, or toggles it if featured is nil. It reports whether
// that is a change, and returns the new setting if it is.
func SetFeatured(ctx context.Context, tx pgx.Tx, id uuid.UUID, featured *bool) (isFeatured, changed bool, err error) {
	err = tx.QueryRow(ctx, `
		UPDATE users
		SET
			is_featured = coalesce($2, NOT is_featured),
			updated_at = now()
		WHERE id = $1
			AND is_featured IS DISTINCT FROM $2
		RETURNING is_featured`, id, featured).Scan(&isFeatured)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, false, nil
	}
	return isFeatured, err == nil, err
}
