package auth

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/limits"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// The kinds of notices.
const (
	noticeSignIn   = "sign_in"  // a sign-in in a browser that the member had not used before
	noticePassword = "password" // a password was set
	noticePasskey  = "passkey"  // a passkey was added

	noticeRecoveryCodes = "recovery_codes" // an admin's or a moderator's recovery codes were replaced
	noticeRecoveryUsed  = "recovery_used"  // one of them replaced the second factor

	noticeEmailChange = "email_change" // another address was asked for
	noticeEmailWait   = "email_wait"   // the same, on each day of the wait
)

// noticeLifetime is the time for which the link in the mail of a notice is valid.
const noticeLifetime = 7 * 24 * time.Hour

// noticePath is the path of the app's page to which a notice leads. The token follows as a
// fragment, which browsers do not send, so that no log contains it.
const noticePath = "/not-me#"

// disownsPerNetwork limits the tokens that one network may try.
var disownsPerNetwork = limits.Rule{Name: "disown-network", Count: 60, Per: time.Hour}

var errNoticeEnded = fault.Declare("notice_ended", fault.NotFound, "This link was used already, or it has expired.")

// addNotice stores a notice about a session in tx and enqueues its mail.
func (s *Service) addNotice(ctx context.Context, tx pgx.Tx, kind string, member, session uuid.UUID) error {
	return s.addNoticeOf(ctx, tx, kind, member, session, nil)
}

// addPasskeyNotice is addNotice for a passkey that was added.
func (s *Service) addPasskeyNotice(ctx context.Context, tx pgx.Tx, actor web.Actor, passkey uuid.UUID) error {
	return s.addNoticeOf(ctx, tx, noticePasskey, actor.ID, actor.SessionID, &passkey)
}

func (s *Service) addNoticeOf(ctx context.Context, tx pgx.Tx, kind string, member, session uuid.UUID, passkey *uuid.UUID) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	if err := insertNotice(ctx, tx, id, kind, member, session, passkey, hashOf(s.noticeToken(id))); err != nil {
		return err
	}
	return s.enqueueNotice(ctx, tx, id)
}

func (s *Service) enqueueNotice(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := s.jobs.InsertTx(ctx, tx, NoticeArgs{NoticeID: id}, nil)
	return err
}

// noticeToken returns the token of the link in a notice. It is derived from the id and the
// server's key, so that a repeated mail has the same link although only the hash is stored.
func (s *Service) noticeToken(id uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString(s.mac("notice:" + id.String()))
}

// SendNotice sends the mail of a notice. It does nothing for a notice that was used, has
// expired, or whose member was deleted.
//
// Delivery is at least once: after a crash between the mail server's confirmation and the
// completion of the job, the same mail is sent again with the same Message-ID.
func (s *Service) SendNotice(ctx context.Context, args NoticeArgs) error {
	n, err := selectNotice(ctx, s.pool, args.NoticeID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.onNotice != nil {
		s.onNotice(n.UserID)
	}
	link := s.config.Site + noticePath + s.noticeToken(n.ID)
	write := func(to mail.Reader) mail.Letter { return noticeLetter(to, n, link) }
	if n.Kind == noticeEmailChange || n.Kind == noticeEmailWait {
		change, err := selectEmailChange(ctx, s.pool, n.UserID)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		code := s.emailCode(change.ID, currentAddress)
		write = func(to mail.Reader) mail.Letter { return emailNoticeLetter(to, n, change, code, link) }
	}
	return members.SendMail(ctx, s.pool, s.mail, n.UserID, write)
}

// Disowned is the effect of the link in a notice.
type Disowned struct {
	PasswordRemoved  bool `json:"passwordRemoved" doc:"The password was removed; a sign-in needs a mailed code or a passkey until the member sets another"`
	PasskeyRemoved   bool `json:"passkeyRemoved" doc:"The passkey that the notice was about was removed"`
	EmailRestored    bool `json:"emailRestored" doc:"The account has the address again to which the link was mailed"`
	EmailKept        bool `json:"emailKept" doc:"The change of the address that the notice was about was stopped"`
	AllSessionsEnded bool `json:"allSessionsEnded" doc:"All sessions were ended, not only those of the notice's browser"`
}

// disowned is the result of the transaction of Disown.
type disowned struct {
	Disowned
	ended   []uuid.UUID // sessions, to be published after the commit
	publish func()      // of the AddressWatcher; nil unless an address was restored
}

// Disown forgets the browser of a notice and ends its sessions, with the token of the notice's
// link. It removes the password, which a stranger may know, unless it was set later in another browser.
// If the notice is about the current password, a passkey, recovery codes or a change of the address, it also removes
// the passkey or the codes or stops the change, and ends all sessions. The token is valid once, for noticeLifetime.
// The token of the mail about a changed address undoes the change, see undoEmailChange.
//
// Errors: NotFound for an unknown, used or expired token; Conflict if the address cannot be restored; RateLimited for too many calls
// from one network.
func (s *Service) Disown(ctx context.Context, browser Browser, token string) (Disowned, error) {
	if err := limits.Allow(ctx, s.pool, s.scaled(disownsPerNetwork), browser.Client); err != nil {
		return Disowned{}, err
	}
	done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (disowned, error) {
		n, err := useNotice(ctx, tx, hashOf(token))
		if err == nil {
			return disownTx(ctx, tx, n)
		}
		var done disowned
		if errors.Is(err, pgx.ErrNoRows) {
			done, err = s.undoEmailChange(ctx, tx, hashOf(token))
		}
		if errors.Is(err, pgx.ErrNoRows) {
			err = errNoticeEnded
		}
		return done, err
	})
	if err != nil {
		return Disowned{}, err
	}
	s.publishEnded(done.ended...)
	if done.publish != nil {
		done.publish()
	}
	return done.Disowned, nil
}

// disownTx is Disown of a valid notice. The caller holds the member's lock.
func disownTx(ctx context.Context, tx pgx.Tx, n usedNotice) (done disowned, err error) {
	if err := forgetBrowser(ctx, tx, n.UserID, n.BrowserHash); err != nil {
		return done, err
	}
	if !n.IsSuperseded {
		if done.PasswordRemoved, err = members.RemovePassword(ctx, tx, n.UserID); err != nil {
			return done, err
		}
	}
	switch n.Kind {
	case noticePassword:
		done.AllSessionsEnded = !n.IsSuperseded
	case noticeEmailChange, noticeEmailWait:
		done.EmailKept, done.AllSessionsEnded = true, true
		err = deleteEmailChange(ctx, tx, n.UserID)
	case noticeRecoveryCodes, noticeRecoveryUsed:
		done.AllSessionsEnded = true
		err = DeleteRecoveryCodes(ctx, tx, n.UserID)
	case noticePasskey:
		done.AllSessionsEnded = true
		if n.PasskeyID != nil {
			done.PasskeyRemoved, err = deletePasskey(ctx, tx, n.UserID, *n.PasskeyID)
		}
	}
	if err != nil {
		return done, err
	}
	if done.AllSessionsEnded {
		done.ended, err = RevokeAllTx(ctx, tx, n.UserID)
	} else {
		done.ended, err = revokeBrowser(ctx, tx, n.UserID, n.SessionID, n.BrowserHash)
	}
	return done, err
}

// notice is a notice to be mailed.
type notice struct {
	ID        uuid.UUID
	UserID    uuid.UUID
	Kind      string
	UserAgent string
	Place     string
	CreatedAt time.Time
}

// usedNotice is a notice whose link was opened.
type usedNotice struct {
	ID           uuid.UUID
	UserID       uuid.UUID
	SessionID    uuid.UUID
	BrowserHash  []byte // of the browser's id; nil if it had none
	Kind         string
	PasskeyID    *uuid.UUID // the one that was added; nil for other kinds, and after it was removed
	IsSuperseded bool       // a password was set later in another browser
}

// insertNotice copies the browser, the device and its place from the session.
func insertNotice(ctx context.Context, tx pgx.Tx, id uuid.UUID, kind string, member, session uuid.UUID, passkey *uuid.UUID, token []byte) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO security_notices (id, user_id, kind, session_id, browser_hash, user_agent, place, passkey_id, token_hash, created_at)
		SELECT $1, user_id, $2, id, browser_hash, user_agent, place, $5, $6, clock_timestamp()
		FROM sessions
		WHERE id = $4
			AND user_id = $3`, id, kind, member, session, passkey, token)
	return err
}

// selectNotice returns pgx.ErrNoRows for a notice that was used or has expired.
func selectNotice(ctx context.Context, db pg.DB, id uuid.UUID) (notice, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			id,
			user_id,
			kind,
			user_agent,
			place,
			created_at
		FROM security_notices
		WHERE id = $1
			AND used_at IS NULL
			AND created_at > now() - $2::interval`, id, noticeLifetime)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[notice])
}

// useNotice marks the valid notice with this token as used and locks its member's row. It
// returns pgx.ErrNoRows if there is none. The member is locked first, as in other changes
// of sessions.
func useNotice(ctx context.Context, tx pgx.Tx, token []byte) (usedNotice, error) {
	var member uuid.UUID
	err := tx.QueryRow(ctx, `SELECT user_id FROM security_notices WHERE token_hash = $1`, token).Scan(&member)
	if err != nil {
		return usedNotice{}, err
	}
	if err := members.Lock(ctx, tx, member); err != nil {
		return usedNotice{}, err
	}
	rows, _ := tx.Query(ctx, `
		UPDATE security_notices n
		SET used_at = now()
		WHERE token_hash = $1
			AND used_at IS NULL
			AND created_at > now() - $3::interval
		RETURNING
			id,
			user_id,
			session_id,
			browser_hash,
			kind,
			passkey_id,
			EXISTS (
				SELECT
				FROM security_notices newer
				WHERE newer.user_id = n.user_id
					AND newer.kind = $2
					AND newer.browser_hash IS DISTINCT FROM n.browser_hash
					AND newer.created_at > n.created_at
			) AS is_superseded`, token, noticePassword, noticeLifetime)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[usedNotice])
}
