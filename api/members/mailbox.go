package members

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/mailaddr"
	"heartward/api/platform/pg"
)

// The unique indexes of addresses.
const (
	identityIndex = "users_identity"
	mailboxIndex  = "users_one_mailbox"
)

// ErrHasAccount is the error of a sign-up with an address of a mailbox that has an account. The app offers to sign in.
var ErrHasAccount = fault.Declare("has_account", fault.Conflict, "You have an account already. Sign in instead.")

// ErrAddressTaken is the error of a change to an address that another account has, and of a change or sign-up with one that
// another account can get back.
var ErrAddressTaken = fault.New(fault.Conflict, "Another Heartward account uses this address.")

// isTaken reports whether err is that of a second account for a mailbox.
func isTaken(err error) bool {
	return pg.ViolatesConstraint(err, identityIndex) || pg.ViolatesConstraint(err, mailboxIndex)
}

// MailboxOf returns the abuse key of a member's address, or pgx.ErrNoRows.
func MailboxOf(ctx context.Context, db pg.DB, member uuid.UUID) (abuseKey string, err error) {
	err = db.QueryRow(ctx, `SELECT abuse_key FROM users WHERE id = $1`, member).Scan(&abuseKey)
	return abuseKey, err
}

// AtMailbox returns the members with an abuse key, in the order of their ids. There are several only if they joined before
// a mailbox could have but one account.
func AtMailbox(ctx context.Context, tx pgx.Tx, abuseKey string) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, `SELECT id FROM users WHERE abuse_key = $1 ORDER BY id`, abuseKey)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// HasMailbox reports whether a member other than except has the mailbox of an address.
func HasMailbox(ctx context.Context, db pg.DB, address string, except uuid.UUID) (exists bool, err error) {
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM users WHERE abuse_key = $1 AND id <> $2)`, mailaddr.Of(address).Abuse, except).Scan(&exists)
	return exists, err
}

// rekeyPage is the number of members whose keys RekeyAddresses reads at once.
const rekeyPage = 1000

type storedAddress struct {
	ID                           uuid.UUID
	Email, IdentityKey, AbuseKey string
}

// RekeyAddresses computes the keys of all addresses and stores those that differ, after the rules of mailaddr have changed.
// It returns the number of changed members. An account that thereby gets the mailbox of another one keeps working; see Collisions.
func RekeyAddresses(ctx context.Context, db pg.DB) (changed int, err error) {
	for last := uuid.Nil; ; {
		rows, _ := db.Query(ctx, `
			SELECT id, email, identity_key, abuse_key
			FROM users
			WHERE id > $1
			ORDER BY id
			LIMIT $2`, last, rekeyPage)
		page, err := pgx.CollectRows(rows, pgx.RowToStructByPos[storedAddress])
		if err != nil {
			return changed, err
		}
		for _, stored := range page {
			if keys := mailaddr.Of(stored.Email); keys.Identity != stored.IdentityKey || keys.Abuse != stored.AbuseKey {
				if err := storeKeys(ctx, db, stored, keys); err != nil {
					return changed, err
				}
				changed++
			}
			last = stored.ID
		}
		if len(page) < rekeyPage {
			return changed, renumber(ctx, db)
		}
	}
}

// storeKeys stores the keys of a member, unless the address has changed since it was read.
func storeKeys(ctx context.Context, db pg.DB, stored storedAddress, keys mailaddr.Address) (err error) {
	for range 3 { // another account may get the number in between
		_, err = db.Exec(ctx, `
			UPDATE users
			SET
				identity_key = $3,
				abuse_key = $4,
				mailbox_number = (
					SELECT coalesce(max(mailbox_number) + 1, 0)
					FROM users
					WHERE abuse_key = $4
						AND id <> $1)
			WHERE id = $1
				AND email = $2`, stored.ID, stored.Email, keys.Identity, keys.Abuse)
		if !pg.ViolatesConstraint(err, mailboxIndex) {
			return err
		}
	}
	return err
}

// renumber gives the number 0 to the accounts that have no earlier one at their mailbox any more.
func renumber(ctx context.Context, db pg.DB) error {
	_, err := db.Exec(ctx, `
		UPDATE users u
		SET mailbox_number = 0
		WHERE mailbox_number > 0
			AND NOT EXISTS (
				SELECT
				FROM users o
				WHERE o.abuse_key = u.abuse_key
					AND o.mailbox_number < u.mailbox_number)`)
	return err
}

// Collision is an account whose mailbox has another one.
type Collision struct {
	AbuseKey, Email, Status string
	ID                      uuid.UUID
	JoinedOn                string // year-month-day
}

// Collisions returns the accounts of the mailboxes with several, each mailbox with its oldest account first.
func Collisions(ctx context.Context, db pg.DB) ([]Collision, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.abuse_key,
			u.email,
			u.profile_status,
			u.id,
			to_char(u.created_at, 'YYYY-MM-DD')
		FROM users u
		WHERE u.abuse_key IN (SELECT abuse_key FROM users GROUP BY abuse_key HAVING count(*) > 1)
		ORDER BY u.abuse_key, u.created_at, u.id`)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Collision])
}
