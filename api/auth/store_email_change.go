package auth

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// emailChangeRow is a row of email_changes. EmailChange is its part for the member.
type emailChangeRow struct {
	ID               uuid.UUID
	UserID           uuid.UUID
	SessionID        uuid.UUID // the one that asked for the change; it may have ended
	NewEmail         string
	NewConfirmed     bool
	CurrentConfirmed bool
	WaitsUntil       *time.Time
	ExpiresAt        time.Time
}

const emailChangeColumns = `
	id,
	user_id,
	session_id,
	new_email,
	new_confirmed_at IS NOT NULL AS new_confirmed,
	current_confirmed_at IS NOT NULL AS current_confirmed,
	waits_until,
	expires_at`

// queryEmailChange returns the change that a statement with emailChangeColumns returns, or pgx.ErrNoRows.
func queryEmailChange(ctx context.Context, db pg.DB, sql string, args ...any) (emailChangeRow, error) {
	rows, _ := db.Query(ctx, sql, args...)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[emailChangeRow])
}

func (c emailChangeRow) state() *EmailChange {
	state := &EmailChange{NewEmail: c.NewEmail, NewConfirmed: c.NewConfirmed, CurrentConfirmed: c.CurrentConfirmed, ExpiresAt: web.Time(c.ExpiresAt)}
	if c.WaitsUntil != nil {
		until := web.Time(*c.WaitsUntil)
		state.WaitsUntil = &until
	}
	return state
}

// insertEmailChange replaces the member's change.
func insertEmailChange(ctx context.Context, tx pgx.Tx, actor web.Actor, email string) (emailChangeRow, error) {
	if err := deleteEmailChange(ctx, tx, actor.ID); err != nil {
		return emailChangeRow{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return emailChangeRow{}, err
	}
	return queryEmailChange(ctx, tx, `
		INSERT INTO email_changes (id, user_id, new_email, session_id, browser_hash, user_agent, place, expires_at)
		SELECT $1, user_id, $2, id, browser_hash, user_agent, place, clock_timestamp() + $5::interval
		FROM sessions
		WHERE id = $3
			AND user_id = $4
		RETURNING `+emailChangeColumns, id, email, actor.SessionID, actor.ID, emailCodesLifetime)
}

// selectEmailChange returns the member's change, or pgx.ErrNoRows.
func selectEmailChange(ctx context.Context, db pg.DB, member uuid.UUID) (emailChangeRow, error) {
	return queryEmailChange(ctx, db, `
		SELECT `+emailChangeColumns+`
		FROM email_changes
		WHERE user_id = $1
			AND expires_at > clock_timestamp()`, member)
}

func memberOfEmailChange(ctx context.Context, db pg.DB, change uuid.UUID) (member uuid.UUID, err error) {
	err = db.QueryRow(ctx, `SELECT user_id FROM email_changes WHERE id = $1`, change).Scan(&member)
	return member, err
}

func deleteEmailChange(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM email_changes WHERE user_id = $1`, member)
	return err
}

// tryEmailCode counts a try of the code of an address, committed before the comparison, and
// returns the id of the change. It returns pgx.ErrNoRows without a change, after five
// tries, and when the address is confirmed.
func tryEmailCode(ctx context.Context, db pg.DB, member uuid.UUID, address string) (id uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		UPDATE email_changes
		SET
			new_tries = new_tries + CASE WHEN $2 = 'new' THEN 1 ELSE 0 END,
			current_tries = current_tries + CASE WHEN $2 = 'new' THEN 0 ELSE 1 END
		WHERE user_id = $1
			AND created_at > clock_timestamp() - $3::interval
			AND CASE WHEN $2 = 'new' THEN new_confirmed_at IS NULL AND new_tries < 5
				ELSE current_confirmed_at IS NULL AND current_tries < 5 END
		RETURNING id`, member, address, emailCodesLifetime).Scan(&id)
	return id, err
}

// confirmEmailChange records that the code of an address was entered, and returns the change.
func confirmEmailChange(ctx context.Context, tx pgx.Tx, id uuid.UUID, address string) (emailChangeRow, error) {
	return queryEmailChange(ctx, tx, `
		UPDATE email_changes
		SET
			new_confirmed_at = CASE WHEN $2 = 'new' THEN now() ELSE new_confirmed_at END,
			current_confirmed_at = CASE WHEN $2 = 'new' THEN current_confirmed_at ELSE now() END
		WHERE id = $1
		RETURNING `+emailChangeColumns, id, address)
}

func startEmailWait(ctx context.Context, tx pgx.Tx, id uuid.UUID) (emailChangeRow, error) {
	return queryEmailChange(ctx, tx, `
		UPDATE email_changes
		SET
			waits_until = clock_timestamp() + $2::interval,
			expires_at = clock_timestamp() + $3::interval
		WHERE id = $1
		RETURNING `+emailChangeColumns, id, emailWaitDays*24*time.Hour, emailWaitLifetime)
}

// countEmailWaitDay returns the change, or pgx.ErrNoRows unless the day is the next one.
func countEmailWaitDay(ctx context.Context, tx pgx.Tx, args EmailWaitArgs) (emailChangeRow, error) {
	return queryEmailChange(ctx, tx, `
		UPDATE email_changes
		SET days_waited = $2
		WHERE id = $1
			AND waits_until IS NOT NULL
			AND expires_at > clock_timestamp()
			AND days_waited = $2 - 1
		RETURNING `+emailChangeColumns, args.ChangeID, args.Day)
}

// insertEmailNotice copies the browser, the device's name and its place from the member's change.
func insertEmailNotice(ctx context.Context, tx pgx.Tx, id uuid.UUID, kind string, member uuid.UUID, token []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO security_notices (id, user_id, kind, session_id, browser_hash, user_agent, place, token_hash, created_at)
		SELECT $1, user_id, $2, session_id, browser_hash, user_agent, place, $4, clock_timestamp()
		FROM email_changes
		WHERE user_id = $3`, id, kind, member, token)
	return err
}

// endNotices makes the links in the mails that the member got invalid.
func endNotices(ctx context.Context, tx pgx.Tx, member uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE security_notices SET used_at = now() WHERE user_id = $1 AND used_at IS NULL`, member)
	return err
}
