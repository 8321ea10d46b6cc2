package auth

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// codeLifetime is the time for which a code is valid.
const codeLifetime = 10 * time.Minute

// lastCode is the newest valid code of an address and browser. Without one, id is zero and
// sentAgo is an hour.
type lastCode struct {
	id      uuid.UUID
	mac     []byte
	valid   time.Duration
	sentAgo time.Duration
}

// lockCodes locks the address, which is given by its identity key, until the end of the transaction and returns its
// newest valid code of the browser, and whether the address has an account. It ignores a code of a
// time when the clock was ahead, which would prevent another mail until then.
func lockCodes(ctx context.Context, tx pgx.Tx, identity string, browser []byte) (last lastCode, hasAccount bool, err error) {
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('login_codes:' || $1, 0))`, identity); err != nil {
		return last, false, err
	}
	err = tx.QueryRow(ctx, `
		SELECT
			coalesce(c.id, '00000000-0000-0000-0000-000000000000'),
			c.code_mac,
			coalesce(c.expires_at - clock_timestamp(), '0'),
			CASE WHEN c.sent_at <= clock_timestamp() THEN clock_timestamp() - c.sent_at ELSE '1 hour' END,
			EXISTS (SELECT FROM credentials WHERE identity_key = $1)
		FROM (VALUES (1)) AS one
		LEFT JOIN LATERAL (
			SELECT id, code_mac, expires_at, sent_at
			FROM login_codes
			WHERE email = $1
				AND browser_hash = $2
				AND used_at IS NULL
				AND expires_at > clock_timestamp()
				AND expires_at <= clock_timestamp() + $3::interval
				AND tries < 5
			ORDER BY created_at DESC, id DESC
			LIMIT 1) AS c ON true`, identity, browser, codeLifetime).
		Scan(&last.id, &last.mac, &last.valid, &last.sentAgo, &hasAccount)
	return last, hasAccount, err
}

func insertCode(ctx context.Context, tx pgx.Tx, id uuid.UUID, identity string, mac, browser []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO login_codes (id, email, code_mac, browser_hash, expires_at)
		VALUES ($1, $2, $3, $4, now() + $5::interval)`, id, identity, mac, browser, codeLifetime)
	return err
}

func markSent(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE login_codes SET sent_at = now() WHERE id = $1`, id)
	return err
}

// undoSend undoes insertCode, or markSent for a code that was mailed before.
func undoSend(ctx context.Context, tx pgx.Tx, id uuid.UUID, mailedBefore bool) error {
	sql := `DELETE FROM login_codes WHERE id = $1`
	if mailedBefore {
		sql = `UPDATE login_codes SET sent_at = created_at WHERE id = $1`
	}
	_, err := tx.Exec(ctx, sql, id)
	return err
}

type validCode struct {
	ID      uuid.UUID
	CodeMAC []byte
}

// tryCodes counts a try for each valid code and returns these codes. It locks the
// rows in the order of their ids against deadlocks; PostgreSQL checks the
// conditions again on each locked row.
func tryCodes(ctx context.Context, db pg.DB, identity string, browser []byte) ([]validCode, error) {
	rows, _ := db.Query(ctx, `
		UPDATE login_codes
		SET tries = tries + 1
		WHERE id IN (
			SELECT id
			FROM login_codes
			WHERE email = $1
				AND browser_hash = $2
				AND used_at IS NULL
				AND expires_at > now()
				AND tries < 5
			ORDER BY id
			FOR UPDATE)
		RETURNING id, code_mac`, identity, browser)
	valid, err := pgx.CollectRows(rows, pgx.RowToStructByName[validCode])
	return valid, pg.Fault(err)
}

func useCodes(ctx context.Context, tx pgx.Tx, identity string, browser []byte) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `
		UPDATE login_codes
		SET used_at = now()
		WHERE id IN (
			SELECT id
			FROM login_codes
			WHERE email = $1
				AND browser_hash = $2
				AND used_at IS NULL
				AND expires_at > now()
			ORDER BY id
			FOR UPDATE)
		RETURNING id`, identity, browser)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// DeleteCodes deletes the codes that were mailed to the address.
func DeleteCodes(ctx context.Context, tx pgx.Tx, email string) error {
	_, err := tx.Exec(ctx, `DELETE FROM login_codes WHERE email = $1`, mailaddr.Of(email).Identity)
	return err
}

// account has the columns of a member that signing in needs.
type account struct {
	UserID        uuid.UUID
	Email         string
	PasswordHash  *string // nil without a password
	IsAdmin       bool
	IsStaff       bool // an admin or a moderator
	IsDemo        bool // created by the seed; the password may be a published one
	ProfileStatus string
	DeletionDueAt *time.Time // nil unless the member has asked for the deletion
}

const accountColumns = `
		user_id,
		email,
		password_hash,
		is_admin,
		is_staff,
		is_demo,
		profile_status,
		deletion_due_at`

// selectAccount returns pgx.ErrNoRows for an unknown identity key.
func selectAccount(ctx context.Context, db pg.DB, identity string) (account, error) {
	rows, _ := db.Query(ctx, `
	SELECT`+accountColumns+`
	FROM credentials
	WHERE identity_key = $1`, identity)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[account])
}

// selectAccountOf returns pgx.ErrNoRows for an unknown member.
func selectAccountOf(ctx context.Context, db pg.DB, member uuid.UUID) (account, error) {
	rows, _ := db.Query(ctx, `
	SELECT`+accountColumns+`
	FROM credentials
	WHERE user_id = $1`, member)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[account])
}

// sessionsWithActivity is a FROM item with the tables that lastSeen refers to.
const sessionsWithActivity = `sessions s LEFT JOIN session_activity a ON a.session_id = s.id`

// lastSeen is the time of a session's last recorded use, or of its creation.
const lastSeen = `coalesce(a.last_seen_at, s.created_at)`

// validSession is an SQL condition on session s with the credentials u, read from
// sessionsWithActivity: the deletion of the account is not due, and the session
// is at most 14 days idle and 90 days old, for admins and moderators 15 minutes and 8 hours.
const validSession = `s.expires_at > now() AND (u.deletion_due_at IS NULL OR u.deletion_due_at > now())
	AND ` + lastSeen + ` > now() - CASE WHEN u.is_staff THEN interval '15 minutes' ELSE interval '14 days' END
	AND (NOT u.is_staff OR s.created_at > now() - interval '8 hours')`

// insertSession inserts a session, deletes all but the ten most recently used, and returns
// the ids of the deleted ones. It locks the member's row, so that concurrent sign-ins
// respect the limit.
func insertSession(ctx context.Context, tx pgx.Tx, id, member uuid.UUID, token []byte, browser Browser, life time.Duration) (ended []uuid.UUID, err error) {
	if err := members.Lock(ctx, tx, member); err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `
		INSERT INTO sessions (id, token_hash, user_id, user_agent, place, expires_at, browser_hash, is_shared, proved_at, created_at)
		SELECT
			$1,
			$2,
			$3,
			$4,
			$5,
			at + $6::interval,
			$7,
			EXISTS (SELECT FROM known_browsers WHERE browser_hash = $7 AND user_id <> $3),
			at,
			at
		FROM clock_timestamp() AS at`, id, token, member, shortAgent(browser.UserAgent), browser.Place, life, browser.hash())
	if err != nil {
		return nil, err
	}
	rows, _ := tx.Query(ctx, `
		DELETE FROM sessions
		WHERE id IN (
			SELECT s.id
			FROM `+sessionsWithActivity+`
			WHERE s.user_id = $1
			ORDER BY `+lastSeen+` DESC, s.id DESC
			OFFSET 10)
		RETURNING id`, member)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// deleteSessionByToken deletes the session with this token, also if the response with its next
// token was lost.
func deleteSessionByToken(ctx context.Context, tx pgx.Tx, token []byte) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `DELETE FROM sessions WHERE token_hash = $1 OR replaced_token_hash = $1 RETURNING id`, token)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// touchSession sets the last use of a session to now unless it is less than a
// minute old, and reports whether it was set.
func touchSession(ctx context.Context, db pg.DB, session uuid.UUID) (bool, error) {
	tag, err := db.Exec(ctx, `
		UPDATE session_activity
		SET last_seen_at = now()
		WHERE session_id = $1
			AND last_seen_at < now() - interval '1 minute'`, session)
	if err != nil || tag.RowsAffected() > 0 {
		return err == nil, pg.Fault(err)
	}
	// The first use. The lock prevents a concurrent delete of the session, which would
	// violate the foreign key.
	tag, err = db.Exec(ctx, `
		INSERT INTO session_activity (session_id, last_seen_at)
		SELECT s.id, now()
		FROM sessions s
		WHERE s.id = $1
			AND s.created_at < now() - interval '1 minute'
			AND NOT EXISTS (SELECT FROM session_activity a WHERE a.session_id = s.id)
		FOR KEY SHARE OF s
		ON CONFLICT (session_id) DO NOTHING`, session)
	return tag.RowsAffected() > 0, pg.Fault(err)
}

// notIdle is a CTE of the sessions of member $1 that were used within 14 days. Other
// sessions have expired and are not recorded as revoked.
const notIdle = `not_idle AS (
			SELECT s.id
			FROM ` + sessionsWithActivity + `
			WHERE s.user_id = $1
				AND ` + lastSeen + ` > now() - interval '14 days'
		)`

// revokeSession deletes one of the member's sessions and records it as revoked. It
// reports whether there was such a session.
func revokeSession(ctx context.Context, db pg.DB, member, session uuid.UUID) (bool, error) {
	tag, err := db.Exec(ctx, `
		WITH `+notIdle+`, revoked AS (
			DELETE FROM sessions
			WHERE user_id = $1
				AND id = $2
				AND id IN (SELECT id FROM not_idle)
			RETURNING token_hash, expires_at
		)
		INSERT INTO revoked_sessions (token_hash, expires_at)
		SELECT token_hash, expires_at FROM revoked`, member, session)
	return tag.RowsAffected() > 0, pg.Fault(err)
}

// revokeOtherSessions deletes all the member's sessions but one, records them as
// revoked, and returns their ids.
func revokeOtherSessions(ctx context.Context, tx pgx.Tx, member, except uuid.UUID) ([]uuid.UUID, error) {
	return revokeWhere(ctx, tx, `id <> $2`, member, except)
}

// revokeWhere revokes the sessions of the member, who is the first of args, that match where.
func revokeWhere(ctx context.Context, tx pgx.Tx, where string, args ...any) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `
		WITH `+notIdle+`, revoked AS (
			DELETE FROM sessions
			WHERE user_id = $1
				AND (`+where+`)
			RETURNING id, token_hash, expires_at
		), recorded AS (
			INSERT INTO revoked_sessions (token_hash, expires_at)
			SELECT token_hash, expires_at
			FROM revoked
			WHERE id IN (SELECT id FROM not_idle)
		)
		SELECT id FROM revoked`, args...)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// revokeBrowser deletes the member's sessions in the browser with this hash, and the given one, records
// them as revoked, and returns their ids.
func revokeBrowser(ctx context.Context, tx pgx.Tx, member, session uuid.UUID, browser []byte) ([]uuid.UUID, error) {
	return revokeWhere(ctx, tx, `id = $2 OR browser_hash = $3`, member, session, browser)
}

// isRevoked reports whether the token belongs to a revoked session.
func isRevoked(ctx context.Context, db pg.DB, token []byte) (revoked bool, err error) {
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM revoked_sessions WHERE token_hash = $1)`, token).Scan(&revoked)
	return revoked, pg.Fault(err)
}

// rotateToken replaces the token of the session. The replaced one is valid for another minute,
// with restrictions: see Authenticate.
func rotateToken(ctx context.Context, tx pgx.Tx, session uuid.UUID, token []byte) (expires time.Time, err error) {
	err = tx.QueryRow(ctx, `
		UPDATE sessions
		SET
			token_hash = $2,
			replaced_token_hash = token_hash,
			token_replaced_at = now()
		WHERE id = $1
		RETURNING expires_at`, session, token).Scan(&expires)
	return expires, err
}

// setPasswordHash stores the hash and, if there was one before, revokes the
// member's other sessions and returns their ids.
func setPasswordHash(ctx context.Context, tx pgx.Tx, actor web.Actor, hash string) ([]uuid.UUID, error) {
	replaced, err := members.SetPasswordHash(ctx, tx, actor.ID, hash)
	if err != nil || !replaced {
		return nil, err
	}
	return revokeOtherSessions(ctx, tx, actor.ID, actor.SessionID)
}
