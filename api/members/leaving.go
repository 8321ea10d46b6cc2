package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// A member who asked for the deletion of the account is leaving: hidden like a suspended
// member, signed out, and restricted after signing in again, until the account is kept or deleted. A member who was suspended or
// under review before stays so meanwhile.

// FormerMember returns the card of a deleted account.
func FormerMember(id uuid.UUID) UserCard {
	return UserCard{ID: id, FirstName: "Former member", FullName: "Former member"}
}

// Leave hides the member and sets the time of the deletion, which it returns. It returns
// pgx.ErrNoRows for a member who has asked for the deletion already.
func Leave(ctx context.Context, tx pgx.Tx, id uuid.UUID, grace time.Duration) (due time.Time, err error) {
	err = tx.QueryRow(ctx, `
		UPDATE users
		SET
			profile_status = CASE profile_status WHEN 'active' THEN 'leaving' ELSE profile_status END,
			deletion_due_at = date_trunc('second', clock_timestamp()) + $2::interval,
			updated_at = now()
		WHERE id = $1
			AND deletion_due_at IS NULL
		RETURNING deletion_due_at`, id, grace).Scan(&due)
	return due, err
}

// Keep ends the leaving of a member whose deletion is not due yet, and reports whether it
// did. A member whom a pending report hides is under review afterwards, and one who was
// suspended or under review stays so. The time is that of the update and not of the transaction, because a deletion
// begins with the lock of the row.
func Keep(ctx context.Context, tx pgx.Tx, id uuid.UUID) (kept bool, err error) {
	tag, err := tx.Exec(ctx, `
		UPDATE users
		SET
			profile_status = CASE
				WHEN profile_status <> 'leaving' THEN profile_status
				WHEN id IN (SELECT user_id FROM members_under_report) THEN 'under_review'
				ELSE 'active'
			END,
			deletion_due_at = NULL,
			updated_at = now()
		WHERE id = $1
			AND deletion_due_at > clock_timestamp()`, id)
	return tag.RowsAffected() == 1, err
}

// IsDeletionDue reports whether the account is to be deleted now. It waits for a concurrent
// Keep; after it returned true the account cannot be kept.
func IsDeletionDue(ctx context.Context, db pg.DB, id uuid.UUID) (due bool, err error) {
	tag, err := db.Exec(ctx, `
		SELECT
		FROM users
		WHERE id = $1
			AND deletion_due_at <= clock_timestamp()
		FOR NO KEY UPDATE`, id)
	return tag.RowsAffected() == 1, err
}

// DeleteFilesOf deletes at most limit files of the member, marks their blobs for removal, and
// returns the number of files.
func DeleteFilesOf(ctx context.Context, db pg.DB, member uuid.UUID, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		DELETE FROM files
		WHERE id IN (
			SELECT id
			FROM files
			WHERE owner_id = $1
			LIMIT $2)`, member, limit)
	return int(tag.RowsAffected()), err
}

// Delete deletes the account with everything that refers to it, and returns its address and
// first name for a last mail. It returns pgx.ErrNoRows unless the deletion is due.
func Delete(ctx context.Context, tx pgx.Tx, id uuid.UUID) (email, firstName string, err error) {
	err = tx.QueryRow(ctx, `
		DELETE FROM users
		WHERE id = $1
			AND deletion_due_at <= clock_timestamp()
		RETURNING email, first_name`, id).Scan(&email, &firstName)
	return email, firstName, err
}
