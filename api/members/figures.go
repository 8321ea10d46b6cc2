package members

import (
	"context"
	"time"

	"heartward/api/platform/pg"
)

// FirstSignUp returns when the first of the present members signed up, and the zero time
// without members.
func FirstSignUp(ctx context.Context, db pg.DB) (time.Time, error) {
	var first *time.Time
	err := db.QueryRow(ctx, `SELECT min(created_at) FROM users`).Scan(&first)
	if err != nil || first == nil {
		return time.Time{}, pg.Fault(err)
	}
	return *first, nil
}

// CountPresent returns the number of members who can be met or have graduated: without demo members, and without
// suspended members and those who are under review or leaving.
func (s *Service) CountPresent(ctx context.Context) (n int, err error) {
	err = s.pool.QueryRow(ctx, `
		SELECT count(*)
		FROM users
		WHERE profile_status = 'active'
			AND is_approved
			AND NOT is_demo`).Scan(&n)
	return n, pg.Fault(err)
}

// CountSignUps returns how many of the present members signed up from a time until before
// another.
func CountSignUps(ctx context.Context, db pg.DB, from, until time.Time) (n int, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*)
		FROM users
		WHERE created_at >= $1
			AND created_at < $2`, from, until).Scan(&n)
	return n, pg.Fault(err)
}

// CountActive returns how many of the present members signed up or were active from the
// beginning of a UTC day until before that of another. The days must be later than those that
// DeleteActiveDays deleted.
func CountActive(ctx context.Context, db pg.DB, from, until time.Time) (n int, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*)
		FROM (
			SELECT user_id
			FROM active_days
			WHERE day >= ($1::timestamptz AT TIME ZONE 'UTC')::date
				AND day < ($2::timestamptz AT TIME ZONE 'UTC')::date
			UNION
			SELECT id
			FROM users
			WHERE created_at >= $1::timestamptz
				AND created_at < $2::timestamptz
		) active`, from, until).Scan(&n)
	return n, pg.Fault(err)
}

// DeleteActiveDays deletes up to limit rows about activity before a UTC day, and returns
// their number.
func DeleteActiveDays(ctx context.Context, db pg.DB, before time.Time, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		DELETE FROM active_days
		WHERE ctid = ANY (ARRAY(
			SELECT ctid
			FROM active_days
			WHERE day < $1::date
			LIMIT $2
			FOR UPDATE SKIP LOCKED))`, before, limit)
	return int(tag.RowsAffected()), pg.Fault(err)
}
