package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/moderation"
	"heartward/api/platform/config"
)

type auditCmd struct {
	Verify verifyAuditCmd `cmd:"" help:"Check that no row of the audit log was changed or removed."`
}

type verifyAuditCmd struct {
	Head string `help:"Hash that an earlier run printed, to be found in the log."`
}

// Run checks the chain of hashes of the audit log and prints its head, which is the hash of the last
// row. It returns an error if a row does not continue the chain, or the log lacks the earlier head.
// Without an earlier head it cannot find rows that were removed at the end, or rewritten with new hashes.
func (cmd verifyAuditCmd) Run() error {
	head, err := hex.DecodeString(cmd.Head)
	if err != nil {
		return errors.New("--head is not a hash in hexadecimal digits")
	}
	return withPool(func(ctx context.Context, _ config.Config, pool *pgxpool.Pool) error {
		chain, err := moderation.VerifyAudit(ctx, pool, head)
		if err != nil {
			return err
		}
		if len(head) > 0 && !chain.HasEarlier {
			return errors.New("the audit log lacks the row with this hash: rows at its end were removed")
		}
		fmt.Printf("Every row of the audit log continues the one before. Rows: %d, hash of the last: %x\n", chain.Rows, chain.Head)
		if len(head) == 0 {
			fmt.Println("Rows that were removed at the end are found only by a run with --head and the hash of an earlier run.")
		}
		return nil
	})
}
