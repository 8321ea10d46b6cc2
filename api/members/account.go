package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// The functions of this file change or read columns of members for other features.

// SetPasswordHash stores the hash of the member's password and reports whether there
// was one before. It locks the member's row, and returns pgx.ErrNoRows for an unknown
// member.
func SetPasswordHash(ctx context.Context, db pg.DB, id uuid.UUID, hash string) (replaced bool, err error) {
	err = db.QueryRow(ctx, `
		UPDATE users u
		SET
			password_hash = $2,
			updated_at = now()
		FROM (
			SELECT id, password_hash
			FROM users
			WHERE id = $1
			FOR NO KEY UPDATE
		) old
		WHERE u.id = old.id
		RETURNING old.password_hash IS NOT NULL`, id, hash).Scan(&replaced)
	return replaced, err
}

// RemovePassword removes the member's password, so that only codes sign them in.
func RemovePassword(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE users SET password_hash = NULL, updated_at = now() WHERE id = $1`, id)
	return err
}

// ExtendPremium extends the members' Premium by an interval of PostgreSQL, from its
// end or from now.
func ExtendPremium(ctx context.Context, tx pgx.Tx, interval string, ids ...uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE users
		SET premium_until = greatest(now(), premium_until) + $2::text::interval
		WHERE id = ANY($1)`, ids, interval)
	return err
}

// Suspend suspends the member until a time, or without an end if it is nil, and reports
// whether it did. It does not suspend admins, and does not shorten a suspension.
func Suspend(ctx context.Context, tx pgx.Tx, id uuid.UUID, until *time.Time) (suspended bool, err error) {
	tag, err := tx.Exec(ctx, `
		UPDATE users
		SET
			profile_status = 'suspended',
			suspended_until = CASE
				WHEN $2::timestamptz IS NULL THEN NULL
				WHEN profile_status = 'suspended' AND suspended_until IS NULL THEN NULL
				ELSE greatest($2, suspended_until)
			END
		WHERE id = $1
			AND NOT is_admin`, id, until)
	return tag.RowsAffected() == 1, err
}

// EndSuspensions ends at most limit suspensions whose time is over, and returns their
// number. A member who asked for the deletion of the account is leaving afterwards, one whom
// a pending report hides is under review, and others are active.
func EndSuspensions(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE users
		SET
			profile_status = CASE
				WHEN deletion_due_at IS NOT NULL THEN 'leaving'
				WHEN id IN (SELECT user_id FROM members_under_report) THEN 'under_review'
				ELSE 'active'
			END,
			suspended_until = NULL
		WHERE id = ANY (ARRAY(
			SELECT id
			FROM users
			WHERE suspended_until <= now()
			LIMIT $1
			FOR NO KEY UPDATE SKIP LOCKED))`, limit)
	return int(tag.RowsAffected()), pg.Fault(err)
}

// PutUnderReview hides the profile of an active member until EndReview.
func PutUnderReview(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE users SET profile_status = 'under_review' WHERE id = $1 AND profile_status = 'active'`, id)
	return err
}

// EndReview shows the profile of a member under review again, unless a pending report hides
// it, and reports whether it did.
func EndReview(ctx context.Context, tx pgx.Tx, id uuid.UUID) (ended bool, err error) {
	tag, err := tx.Exec(ctx, `
		UPDATE users
		SET profile_status = 'active'
		WHERE id = $1
			AND profile_status = 'under_review'
			AND id NOT IN (SELECT user_id FROM members_under_report)`, id)
	return tag.RowsAffected() == 1, err
}

// Admins returns the ids of all admins.
func Admins(ctx context.Context, db pg.DB) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `SELECT id FROM users WHERE is_admin`)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// Contact returns the mail address and the first name of a member, or pgx.ErrNoRows for an
// unknown member. The address must not be shown to other members.
func Contact(ctx context.Context, db pg.DB, id uuid.UUID) (email, firstName string, err error) {
	err = db.QueryRow(ctx, `SELECT email, first_name FROM users WHERE id = $1`, id).Scan(&email, &firstName)
	return email, firstName, err
}
