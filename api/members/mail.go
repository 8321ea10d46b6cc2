package members

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// SendMail sends a member the mail that write returns for their first name; SendMail sets its
// recipient. It does nothing for a deleted member, for whom write is not called.
func SendMail(ctx context.Context, db pg.DB, sender mail.Sender, id uuid.UUID, write func(firstName string) mail.Message) error {
	var email, firstName string
	err := db.QueryRow(ctx, `SELECT email, first_name FROM users WHERE id = $1`, id).Scan(&email, &firstName)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	message := write(firstName)
	message.To = email
	return sender.Send(ctx, message)
}

// FirstName returns the first name of a member, or pgx.ErrNoRows for an unknown member.
func FirstName(ctx context.Context, db pg.DB, id uuid.UUID) (firstName string, err error) {
	err = db.QueryRow(ctx, `SELECT first_name FROM users WHERE id = $1`, id).Scan(&firstName)
	return firstName, err
}
