package moderation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	"heartward/api/platform/pg"
)

// AuditChain is the state of the audit log's chain of hashes.
type AuditChain struct {
	Rows       int64
	Head       []byte // the hash of the last row; zeros without rows
	HasEarlier bool   // the chain contains the earlier head
}

// VerifyAudit computes the chain of the whole audit log, and searches it for an earlier head,
// which may be nil. It returns an error that names the first row that does not continue the chain.
//
// Only an earlier head reveals that rows at the end were removed, or that the log was rewritten
// with new hashes, which the owner of the table can do.
func VerifyAudit(ctx context.Context, db pg.DB, earlier []byte) (chain AuditChain, err error) {
	chain.Head = make([]byte, sha256.Size)
	rows, err := db.Query(ctx, `
		SELECT
			id,
			prev_hash,
			hash,
			(jsonb_build_array(id, admin_id, action, subject_id, reason, detail, (extract(epoch FROM created_at) * 1000000)::bigint)
				|| CASE WHEN admin_name IS NULL THEN '[]' ELSE jsonb_build_array(admin_name) END)::text
		FROM audit_log
		ORDER BY id`)
	if err != nil {
		return chain, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var previous, hash []byte
		var text string
		if err := rows.Scan(&id, &previous, &hash, &text); err != nil {
			return chain, err
		}
		chain.Rows++
		sum := sha256.Sum256(append(bytes.Clone(chain.Head), text...))
		switch {
		case id != chain.Rows:
			return chain, fmt.Errorf("the audit log lacks row %d", chain.Rows)
		case !bytes.Equal(previous, chain.Head), !bytes.Equal(hash, sum[:]):
			return chain, fmt.Errorf("row %d of the audit log was changed", id)
		}
		chain.Head = hash
		chain.HasEarlier = chain.HasEarlier || bytes.Equal(hash, earlier)
	}
	return chain, rows.Err()
}
