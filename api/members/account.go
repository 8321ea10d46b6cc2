package members

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/feature"
	"heartward/api/platform/mailaddr"
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

// RenewPasswordHash replaces one hash of the member's password by another one, and reports whether
// the member still had it.
func RenewPasswordHash(ctx context.Context, db pg.DB, id uuid.UUID, from, to string) (renewed bool, err error) {
	tag, err := db.Exec(ctx, `
		UPDATE users
		SET
			password_hash = $3,
			updated_at = now()
		WHERE id = $1
			AND password_hash = $2`, id, from, to)
	return tag.RowsAffected() == 1, err
}

// RemovePassword removes the member's password, so that only codes and passkeys sign them in. It
// reports whether there was one.
func RemovePassword(ctx context.Context, tx pgx.Tx, id uuid.UUID) (removed bool, err error) {
	tag, err := tx.Exec(ctx, `
		UPDATE users
		SET
			password_hash = NULL,
			updated_at = now()
		WHERE id = $1
			AND password_hash IS NOT NULL`, id)
	return tag.RowsAffected() > 0, err
}

// SetEmail changes the member's address, which must be verified and checked by mailaddr, and
// returns the earlier one. It returns Conflict if another account has the mailbox of the address; of two
// concurrent calls for a mailbox one succeeds.
func SetEmail(ctx context.Context, tx pgx.Tx, id uuid.UUID, email string) (earlier string, err error) {
	if taken, err := HasMailbox(ctx, tx, email, id); err != nil || taken {
		return "", cmp.Or(err, error(ErrAddressTaken))
	}
	address := mailaddr.Of(email)
	err = tx.QueryRow(ctx, `
		UPDATE users u
		SET
			email = $2,
			identity_key = $3,
			abuse_key = $4,
			mailbox_number = 0,
			updated_at = now()
		FROM (SELECT id, email FROM users WHERE id = $1 FOR UPDATE) old
		WHERE u.id = old.id
		RETURNING old.email`, id, address.Typed, address.Identity, address.Abuse).Scan(&earlier)
	if isTaken(err) {
		return "", ErrAddressTaken
	}
	return earlier, err
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

// SetGraduated takes members out of discovery, or puts them back.
func SetGraduated(ctx context.Context, tx pgx.Tx, graduated bool, ids ...uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE users
		SET
			is_graduated = $1,
			updated_at = now()
		WHERE id = ANY ($2)
			AND is_graduated <> $1`, graduated, ids)
	return err
}

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

// SetProfileLook stores the theme and the frame of the member's profile page, of which nil is the usual
// one, and reports whether it did: only a member with Premium has them. The values must be those of
// PublicMember.
func SetProfileLook(ctx context.Context, tx pgx.Tx, id uuid.UUID, theme, frame *string) (stored bool, err error) {
	tag, err := tx.Exec(ctx, `
		UPDATE users
		SET
			profile_theme = $2,
			profile_frame = $3,
			updated_at = now()
		WHERE id = $1
			AND premium_until > now()`, id, theme, frame)
	return tag.RowsAffected() == 1, err
}

// Suspend suspends the member until a time, or without an end if it is nil, and reports
// whether it did. It does not suspend admins and moderators, and does not shorten a
// suspension.
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
			AND NOT is_admin
			AND NOT is_moderator`, id, until)
	return tag.RowsAffected() == 1, err
}

var suspensionEnd = feature.At("suspended_until", "at the end of the suspension")

// EndSuspensions ends at most limit suspensions whose time is over, and returns their
// number. A member whom a pending report hides is under review afterwards, one who asked for
// the deletion of the account is leaving, and others are active.
func EndSuspensions(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE users
		SET
			profile_status = CASE
				WHEN id IN (SELECT user_id FROM members_under_report) THEN 'under_review'
				WHEN deletion_due_at IS NOT NULL THEN 'leaving'
				ELSE 'active'
			END,
			suspended_until = NULL
		WHERE id = ANY (ARRAY(
			SELECT id
			FROM users
			WHERE `+suspensionEnd.Due()+`
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
		SET profile_status = CASE WHEN deletion_due_at IS NULL THEN 'active' ELSE 'leaving' END
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

// Staff returns the ids of all admins and moderators.
func Staff(ctx context.Context, db pg.DB) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `SELECT id FROM users WHERE is_admin OR is_moderator`)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
