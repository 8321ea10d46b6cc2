package auth

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
)

// undoLifetime is the time for which the mailbox of an earlier address can undo the change.
const undoLifetime = 7 * 24 * time.Hour

func (s *Service) errSuspendedKeepsAddress() error {
	return fault.New(fault.Conflict, "This account is suspended, so its address stays as it is. Please write to "+s.config.Contact+".")
}

// earlierAddress is a row of earlier_addresses.
type earlierAddress struct {
	id, member uuid.UUID
	email      string
	changedAt  time.Time
}

// undoToken returns the token of the link that undoes a change. It is derived like that of a
// notice.
func (s *Service) undoToken(change uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString(s.mac("undo of a change of an address:" + change.String()))
}

// allowUndo lets the mailbox of the earlier address undo the change.
func (s *Service) allowUndo(ctx context.Context, tx pgx.Tx, change emailChangeRow, earlier string) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO earlier_addresses (id, user_id, email, abuse_key, token_hash, changed_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp() + $6::interval)`,
		change.ID, change.UserID, earlier, mailaddr.Of(earlier).Abuse, hashOf(s.undoToken(change.ID)), undoLifetime)
	return err
}

// checkReserved returns Conflict while the mailbox of address can undo a change of another
// member, who would otherwise lose the address to whoever signs up with it first.
func checkReserved(ctx context.Context, db pg.DB, member uuid.UUID, address string) error {
	var reserved bool
	err := db.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM earlier_addresses
			WHERE abuse_key = $2
				AND user_id <> $1
				AND expires_at > clock_timestamp())`, member, mailaddr.Of(address).Abuse).Scan(&reserved)
	if err == nil && reserved {
		return members.ErrAddressTaken
	}
	return err
}

// undoEmailChange gives the member the address back whose mailbox got the token. It ends everything by
// which a stranger could still enter: all sessions, the password, known browsers, an unfinished change,
// and the passkeys, the app and the recovery codes that were added since seven days before the change: the
// member could no longer remove those by the links in the mails about them, which the change ended. Older
// ones stay, and later changes can no longer be undone. It enqueues a mail to the replaced address.
//
// It returns pgx.ErrNoRows for an unknown, used or expired token; Conflict for a suspended
// member, and if another account has the address; the errors of the AddressWatcher.
func (s *Service) undoEmailChange(ctx context.Context, tx pgx.Tx, token []byte) (done disowned, err error) {
	undone, err := consumeEarlierAddress(ctx, tx, token)
	if err != nil {
		return done, err
	}
	account, err := selectAccountOf(ctx, tx, undone.member)
	if err != nil {
		return done, err
	}
	if account.ProfileStatus == "suspended" {
		return done, s.errSuspendedKeepsAddress()
	}
	replaced, err := members.SetEmail(ctx, tx, undone.member, undone.email)
	if err != nil {
		return done, err
	}
	if done.publish, err = s.notifyAddress(ctx, tx, undone.member, undone.email); err != nil {
		return done, err
	}
	if done.PasswordRemoved, err = members.RemovePassword(ctx, tx, undone.member); err != nil {
		return done, err
	}
	if err := deleteSince(ctx, tx, undone); err != nil {
		return done, err
	}
	if err := DeleteCodes(ctx, tx, replaced); err != nil {
		return done, err
	}
	to, err := members.ReaderOf(ctx, tx, undone.member)
	if err != nil {
		return done, err
	}
	args := EmailUndoneArgs{ChangeID: undone.id, Email: replaced, FirstName: to.Name, Manner: to.Manner}
	if _, err := s.jobs.InsertTx(ctx, tx, args, nil); err != nil {
		return done, err
	}
	done.EmailRestored, done.AllSessionsEnded = true, true
	done.ended, err = RevokeAllTx(ctx, tx, undone.member)
	return done, err
}

// consumeEarlierAddress locks the member of the token and deletes its row. The member is locked
// first, as in other changes of sessions.
func consumeEarlierAddress(ctx context.Context, tx pgx.Tx, token []byte) (earlier earlierAddress, err error) {
	err = tx.QueryRow(ctx, `SELECT user_id FROM earlier_addresses WHERE token_hash = $1`, token).Scan(&earlier.member)
	if err != nil {
		return earlier, err
	}
	if err := members.Lock(ctx, tx, earlier.member); err != nil {
		return earlier, err
	}
	err = tx.QueryRow(ctx, `
		DELETE FROM earlier_addresses
		WHERE token_hash = $1
			AND expires_at > clock_timestamp()
		RETURNING id, email, changed_at`, token).Scan(&earlier.id, &earlier.email, &earlier.changedAt)
	return earlier, err
}

// deleteSince deletes what could give access to a stranger who made the change.
func deleteSince(ctx context.Context, tx pgx.Tx, undone earlierAddress) error {
	if err := deleteEmailChange(ctx, tx, undone.member); err != nil {
		return err
	}
	if err := endNotices(ctx, tx, undone.member); err != nil {
		return err
	}
	later := `DELETE FROM earlier_addresses WHERE user_id = $1 AND changed_at > $2`
	if _, err := tx.Exec(ctx, later, undone.member, undone.changedAt); err != nil {
		return err
	}
	since := undone.changedAt.Add(-noticeLifetime)
	for _, sql := range []string{
		`DELETE FROM passkeys WHERE user_id = $1 AND created_at > $2`,
		`DELETE FROM authenticator_apps WHERE user_id = $1 AND created_at > $2`,
		`DELETE FROM recovery_codes WHERE user_id = $1 AND created_at > $2`,
	} {
		if _, err := tx.Exec(ctx, sql, undone.member, since); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `DELETE FROM known_browsers WHERE user_id = $1`, undone.member)
	return err
}

// SendEmailUndone mails the address that an undo replaced.
func (s *Service) SendEmailUndone(ctx context.Context, args EmailUndoneArgs) error {
	return mail.Send(ctx, s.mail, emailUndoneLetter(args))
}
