package members

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// SendMail sends a member the letter that write returns for them; SendMail sets its recipient. It does nothing for a
// deleted member, for whom write is not called.
func SendMail(ctx context.Context, db pg.DB, sender mail.Sender, id uuid.UUID, write func(mail.Reader) mail.Letter) error {
	reader, err := ReaderOf(ctx, db, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	letter := write(reader)
	letter.To = reader
	return mail.Send(ctx, sender, letter)
}

// ReaderOf returns a member as the recipient of mails, with the member's settings, or pgx.ErrNoRows for an unknown member.
func ReaderOf(ctx context.Context, db pg.DB, id uuid.UUID) (mail.Reader, error) {
	return selectReader(ctx, db, `u.id = $1`, id)
}

// ReaderAt returns the recipient of mails to an address, which may have an account.
func ReaderAt(ctx context.Context, db pg.DB, address string) (mail.Reader, error) {
	reader, err := selectReader(ctx, db, `u.email = $1`, address)
	if errors.Is(err, pgx.ErrNoRows) {
		return mail.Reader{Address: address}, nil
	}
	return reader, pg.Fault(err)
}

func selectReader(ctx context.Context, db pg.DB, condition string, key any) (r mail.Reader, err error) {
	var zone string
	err = db.QueryRow(ctx, `
		SELECT
			u.email,
			u.first_name,
			coalesce(s.time_zone, 'UTC'),
			coalesce(s.is_private, false),
			coalesce(s.is_discreet, false)
		FROM users u
		LEFT JOIN mail_settings s ON s.user_id = u.id
		WHERE `+condition, key).Scan(&r.Address, &r.Name, &zone, &r.IsPrivate, &r.IsDiscreet)
	r.Zone = ZoneOfMail(zone)
	return r, err
}

// ZoneOfMail returns a time zone, or UTC for a zone that is no longer in the list.
func ZoneOfMail(name string) *time.Location {
	zone, err := web.Zone(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// FirstName returns the first name of a member, or pgx.ErrNoRows for an unknown member.
func FirstName(ctx context.Context, db pg.DB, id uuid.UUID) (firstName string, err error) {
	err = db.QueryRow(ctx, `SELECT first_name FROM users WHERE id = $1`, id).Scan(&firstName)
	return firstName, err
}
