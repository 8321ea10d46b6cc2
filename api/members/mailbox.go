package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// Mailbox returns the mailbox that mails to an address in the stored form arrive in: without
// what follows a plus sign, and for Gmail without dots. Different addresses of a person have the
// same mailbox; a provider with other rules may give two persons the same one, which is rare.
func Mailbox(ctx context.Context, db pg.DB, address string) (mailbox string, err error) {
	err = db.QueryRow(ctx, `SELECT mailbox_of($1)`, address).Scan(&mailbox)
	return mailbox, err
}

// MailboxOf returns the mailbox of a member, or pgx.ErrNoRows.
func MailboxOf(ctx context.Context, db pg.DB, member uuid.UUID) (mailbox string, err error) {
	err = db.QueryRow(ctx, `SELECT mailbox_of(email) FROM users WHERE id = $1`, member).Scan(&mailbox)
	return mailbox, err
}

// AtMailbox returns the members whose addresses have the mailbox, in the order of their ids.
func AtMailbox(ctx context.Context, tx pgx.Tx, mailbox string) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `SELECT id FROM users WHERE mailbox_of(email) = $1 ORDER BY id`, mailbox)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
