package auth

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// storedPasskey is a row of passkeys with what verifies a signature.
type storedPasskey struct {
	webauthn.Credential

	rowID    uuid.UUID
	isFactor bool

	backupChanged bool // see acceptBackupFlag
}

func selectPasskeys(ctx context.Context, db pg.DB, member uuid.UUID) ([]Passkey, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			id,
			name,
			created_at,
			used_at,
			is_factor,
			rtrim(translate(encode(credential_id, 'base64'), E'+/\n', '-_'), '=') AS credential_id
		FROM passkeys
		WHERE user_id = $1
		ORDER BY created_at, id`, member)
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[Passkey])
	for i := range list {
		list[i] = list[i].inUTC()
	}
	return list, pg.Fault(err)
}

func (p Passkey) inUTC() Passkey {
	p.CreatedAt = web.Time(p.CreatedAt)
	if p.UsedAt != nil {
		used := web.Time(*p.UsedAt)
		p.UsedAt = &used
	}
	return p
}

func selectCredentials(ctx context.Context, db pg.DB, member uuid.UUID) ([]storedPasskey, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			id,
			is_factor,
			credential_id,
			public_key,
			sign_count,
			flags,
			transports
		FROM passkeys
		WHERE user_id = $1
		ORDER BY created_at, id`, member)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[credentialRow])
	keys := make([]storedPasskey, len(found))
	for i, row := range found {
		keys[i] = row.passkey()
	}
	return keys, pg.Fault(err)
}

// credentialRow has the columns of a storedPasskey.
type credentialRow struct {
	ID           uuid.UUID
	IsFactor     bool
	CredentialID []byte
	PublicKey    []byte
	SignCount    uint32
	Flags        uint8
	Transports   []protocol.AuthenticatorTransport
}

func (r credentialRow) passkey() storedPasskey {
	key := storedPasskey{rowID: r.ID, isFactor: r.IsFactor}
	key.ID, key.PublicKey, key.Transport = r.CredentialID, r.PublicKey, r.Transports
	key.Flags = webauthn.NewCredentialFlags(protocol.AuthenticatorFlags(r.Flags))
	key.Authenticator.SignCount = r.SignCount
	return key
}

// insertPasskey returns Conflict when the member has ten passkeys, or when the credential is
// stored already. The caller must hold the lock of the member's row.
func insertPasskey(ctx context.Context, tx pgx.Tx, member uuid.UUID, key storedPasskey, name string) (Passkey, error) {
	added := Passkey{ID: key.rowID, Name: name, IsFactor: key.isFactor, CredentialID: base64.RawURLEncoding.EncodeToString(key.ID)}
	transports := make([]string, len(key.Transport))
	for i, t := range key.Transport {
		transports[i] = string(t)
	}
	err := tx.QueryRow(ctx, `
		INSERT INTO passkeys (id, user_id, credential_id, public_key, sign_count, flags, transports, name, is_factor)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
		WHERE (SELECT count(*) FROM passkeys WHERE user_id = $2) < $10
		RETURNING created_at`,
		key.rowID, member, key.ID, key.PublicKey, key.Authenticator.SignCount, key.Flags.MsgpByte(), transports, name, key.isFactor, maxPasskeys).
		Scan(&added.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return added, errTooManyPasskeys
	}
	return added.inUTC(), pg.Fault(err)
}

func renamePasskey(ctx context.Context, db pg.DB, member, id uuid.UUID, name string) (bool, error) {
	tag, err := db.Exec(ctx, `UPDATE passkeys SET name = $3 WHERE id = $2 AND user_id = $1`, member, id, name)
	return tag.RowsAffected() > 0, pg.Fault(err)
}

func deletePasskey(ctx context.Context, tx pgx.Tx, member, id uuid.UUID) (bool, error) {
	tag, err := tx.Exec(ctx, `DELETE FROM passkeys WHERE id = $2 AND user_id = $1`, member, id)
	return tag.RowsAffected() > 0, err
}

// updatePasskey records a use. It returns pgx.ErrNoRows if the count of signatures is not
// above the stored one, unless the authenticator does not count, or if the passkey was removed.
func updatePasskey(ctx context.Context, tx pgx.Tx, id uuid.UUID, used *webauthn.Credential) error {
	var updated uuid.UUID
	return tx.QueryRow(ctx, `
		UPDATE passkeys
		SET
			sign_count = $2,
			flags = $3,
			used_at = now()
		WHERE id = $1
			AND (sign_count < $2 OR (sign_count = 0 AND $2 = 0))
			AND NOT $4
		RETURNING id`, id, used.Authenticator.SignCount, used.Flags.MsgpByte(), used.Authenticator.CloneWarning).Scan(&updated)
}
