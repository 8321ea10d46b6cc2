package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// Role says whether a member works for the site.
type Role string

// The roles of members.
const (
	RoleNone      Role = ""
	RoleAdmin     Role = "admin"
	RoleModerator Role = "moderator"
)

// RoleChange is a member with a new role.
type RoleChange struct {
	ID     uuid.UUID
	Before Role
	IsDemo bool
}

// SetRole gives a role to the member who has an address, by its identity key. It returns pgx.ErrNoRows for an unknown
// address.
func SetRole(ctx context.Context, tx pgx.Tx, identity string, role Role) (change RoleChange, err error) {
	err = tx.QueryRow(ctx, `
		WITH before AS (
			SELECT
				id,
				CASE
					WHEN is_admin THEN 'admin'
					WHEN is_moderator THEN 'moderator'
					ELSE ''
				END AS role
			FROM users
			WHERE identity_key = $1
			FOR NO KEY UPDATE
		)
		UPDATE users u
		SET
			is_admin = $2 = 'admin',
			is_moderator = $2 = 'moderator',
			updated_at = now()
		FROM before b
		WHERE u.id = b.id
		RETURNING
			u.id,
			b.role,
			u.is_demo`, identity, role).Scan(&change.ID, &change.Before, &change.IsDemo)
	return change, err
}
