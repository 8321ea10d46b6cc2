package auth

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// codeDue reports whether the address may be sent a code now and whether it has
// an account. It holds the address until the end of the transaction, so that
// two calls at once cannot both be the first.
func codeDue(ctx context.Context, tx pgx.Tx, email string) (due, known bool, err error) {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('login_codes:' || $1, 0))`, email); err != nil {
		return false, false, err
	}
	err = tx.QueryRow(ctx, `
		SELECT count(*) < 10 AND count(*) FILTER (WHERE created_at > now() - interval '60 seconds') = 0,
			EXISTS (SELECT FROM users WHERE email = $1)
		FROM login_codes WHERE email = $1 AND created_at > now() - interval '1 day'`, email).Scan(&due, &known)
	return due, known, err
}

func insertCode(ctx context.Context, tx pgx.Tx, id uuid.UUID, email string, mac, browser []byte) error {
	_, err := tx.Exec(ctx, `INSERT INTO login_codes (id, email, code_mac, browser_hash, expires_at)
		VALUES ($1, $2, $3, $4, now() + interval '10 minutes')`, id, email, mac, browser)
	return err
}

func deleteCode(ctx context.Context, db pg.DB, id uuid.UUID) error {
	_, err := db.Exec(ctx, `DELETE FROM login_codes WHERE id = $1`, id)
	return pg.Fault(err)
}

type liveCode struct {
	id  uuid.UUID
	mac []byte
}

// tryCodes counts a try and returns the codes it was counted on. The rows are
// locked in one order, and the conditions hold after the lock was had.
func tryCodes(ctx context.Context, db pg.DB, email string, browser []byte) ([]liveCode, error) {
	rows, _ := db.Query(ctx, `
		UPDATE login_codes SET tries = tries + 1 WHERE id IN (
			SELECT id FROM login_codes
			WHERE email = $1 AND browser_hash = $2 AND used_at IS NULL AND expires_at > now() AND tries < 5
			ORDER BY id FOR UPDATE)
		RETURNING id, code_mac`, email, browser)
	live, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (c liveCode, err error) {
		err = row.Scan(&c.id, &c.mac)
		return c, err
	})
	return live, pg.Fault(err)
}

func useCodes(ctx context.Context, tx pgx.Tx, email string, browser []byte) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `
		UPDATE login_codes SET used_at = now() WHERE id IN (
			SELECT id FROM login_codes
			WHERE email = $1 AND browser_hash = $2 AND used_at IS NULL AND expires_at > now()
			ORDER BY id FOR UPDATE)
		RETURNING id`, email, browser)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// account is what signing in needs to know of a member.
type account struct {
	id     uuid.UUID
	hash   *string
	admin  bool
	status string
}

// selectAccount returns pgx.ErrNoRows for an unknown address.
func selectAccount(ctx context.Context, db pg.DB, email string) (a account, err error) {
	err = db.QueryRow(ctx, `SELECT id, password_hash, is_admin, profile_status FROM users WHERE email = $1`, email).
		Scan(&a.id, &a.hash, &a.admin, &a.status)
	return a, err
}

func updateHash(ctx context.Context, db pg.DB, member uuid.UUID, hash string) error {
	_, err := db.Exec(ctx, `UPDATE users SET password_hash = $2, updated_at = now() WHERE id = $1`, member, hash)
	return pg.Fault(err)
}

// alive is the condition under which session s of user u is worth something:
// 14 days idle and 90 in all, for admins 15 minutes and 8 hours.
const alive = `s.expires_at > now() AND u.profile_status <> 'suspended'
	AND s.last_seen_at > now() - CASE WHEN u.is_admin THEN interval '15 minutes' ELSE interval '14 days' END
	AND (NOT u.is_admin OR s.created_at > now() - interval '8 hours')`

// insertSession also ends the sessions beyond the ten seen last, and returns
// them. The member's row is locked, so that parallel sign-ins count each other.
func insertSession(ctx context.Context, tx pgx.Tx, id, member uuid.UUID, token []byte, agent string, life time.Duration) (ended []uuid.UUID, err error) {
	if _, err := tx.Exec(ctx, `SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE`, member); err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `INSERT INTO sessions (id, token_hash, user_id, user_agent, expires_at, proved_at, last_seen_at, created_at)
		SELECT $1, $2, $3, $4, at + $5::interval, at, at, at FROM clock_timestamp() AS at`, id, token, member, agent, life)
	if err != nil {
		return nil, err
	}
	rows, _ := tx.Query(ctx, `
		DELETE FROM sessions WHERE id IN (
			SELECT id FROM sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC OFFSET 10)
		RETURNING id`, member)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

func deleteSessionByToken(ctx context.Context, tx pgx.Tx, token []byte) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `DELETE FROM sessions WHERE token_hash = $1 RETURNING id`, token)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

func deleteOtherSessions(ctx context.Context, tx pgx.Tx, member, kept uuid.UUID) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `DELETE FROM sessions WHERE user_id = $1 AND id <> $2 RETURNING id`, member, kept)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// selectProved returns the actor's address and whether the session was proven
// within the last 10 minutes.
func selectProved(ctx context.Context, db pg.DB, actor web.Actor) (email string, recent bool, err error) {
	err = db.QueryRow(ctx, `SELECT u.email, s.proved_at > now() - interval '10 minutes'
		FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1 AND u.id = $2`,
		actor.SessionID, actor.ID).Scan(&email, &recent)
	return email, recent, pg.Fault(err)
}

// noteProof starts the ten minutes in which no further proof is asked for.
func noteProof(ctx context.Context, tx pgx.Tx, session uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE sessions SET proved_at = now() WHERE id = $1`, session)
	return err
}

// rotate gives the session a new token, which makes the old one worthless.
func rotate(ctx context.Context, tx pgx.Tx, session uuid.UUID, token []byte) (expires time.Time, err error) {
	err = tx.QueryRow(ctx, `UPDATE sessions SET token_hash = $2 WHERE id = $1 RETURNING expires_at`,
		session, token).Scan(&expires)
	return expires, err
}

// setHash sets the password and, when there was another, ends the member's
// other sessions and returns them.
func setHash(ctx context.Context, tx pgx.Tx, actor web.Actor, hash string) ([]uuid.UUID, error) {
	var changed bool
	err := tx.QueryRow(ctx, `SELECT password_hash IS NOT NULL FROM users WHERE id = $1 FOR NO KEY UPDATE`, actor.ID).Scan(&changed)
	if err == nil {
		err = updateHash(ctx, tx, actor.ID, hash)
	}
	if err != nil || !changed {
		return nil, err
	}
	return deleteOtherSessions(ctx, tx, actor.ID, actor.SessionID)
}
