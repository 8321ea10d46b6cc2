package members

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// AddressOf returns the mail address of a member, or pgx.ErrNoRows for an unknown member.
func AddressOf(ctx context.Context, db pg.DB, id uuid.UUID) (address string, err error) {
	err = db.QueryRow(ctx, `SELECT email FROM users WHERE id = $1`, id).Scan(&address)
	return address, err
}

// OfAddress returns the member who has an address, by its identity key, and nil if there is none.
func OfAddress(ctx context.Context, db pg.DB, identity string) (id *uuid.UUID, err error) {
	err = db.QueryRow(ctx, `SELECT id FROM users WHERE identity_key = $1`, identity).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // no member is no error
	}
	return id, err
}
