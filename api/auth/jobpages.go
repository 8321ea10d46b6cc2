package auth

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Lifetimes of a link to the job pages and of the cookie that its use makes.
const (
	JobLinkLifetime   = time.Minute
	JobCookieLifetime = time.Hour
)

var errNoJobPages = fault.New(fault.Forbidden, "Please open the job pages with the link in the admins' settings.")

// NewJobLink stores a link of the actor's session to the job pages, and returns its token. The actor must be an admin.
func NewJobLink(ctx context.Context, db pg.DB, actor web.Actor) (token string, err error) {
	token = newSecret()
	return token, insertJobLink(ctx, db, token, actor.SessionID, false, JobLinkLifetime)
}

// OpenJobPages uses a link up and returns the token for the cookie. It returns Forbidden for a link that was used, has
// expired, or whose session has ended.
func OpenJobPages(ctx context.Context, pool *pgxpool.Pool, token string) (cookie string, err error) {
	cookie = newSecret()
	return cookie, pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
		var session uuid.UUID
		err := tx.QueryRow(ctx, `
			DELETE FROM job_page_links
			WHERE token_hash = $1
				AND NOT is_cookie
				AND expires_at > now()
			RETURNING session_id`, hashOf(token)).Scan(&session)
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoJobPages
		}
		if err != nil {
			return err
		}
		return insertJobLink(ctx, tx, cookie, session, true, JobCookieLifetime)
	})
}

// JobPagesAdmin returns the admin of a cookie of OpenJobPages. It returns Forbidden after an hour, when the session in
// the dashboard was ended, and when the member is no admin any more. An idle session ends with the next clean-up, which
// deletes its row: the use of the job pages is no use of the dashboard.
func JobPagesAdmin(ctx context.Context, db pg.DB, cookie string) (admin uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT u.user_id
		FROM job_page_links l
		JOIN sessions s ON s.id = l.session_id
		JOIN credentials u ON u.user_id = s.user_id
		WHERE l.token_hash = $1
			AND l.is_cookie
			AND l.expires_at > now()
			AND u.is_admin`, hashOf(cookie)).Scan(&admin)
	if errors.Is(err, pgx.ErrNoRows) {
		return admin, errNoJobPages
	}
	return admin, pg.Fault(err)
}

func insertJobLink(ctx context.Context, db pg.DB, token string, session uuid.UUID, isCookie bool, life time.Duration) error {
	_, err := db.Exec(ctx, `
		INSERT INTO job_page_links (token_hash, session_id, is_cookie, expires_at)
		VALUES ($1, $2, $3, now() + $4::interval)`, hashOf(token), session, isCookie, life)
	return pg.Fault(err)
}
