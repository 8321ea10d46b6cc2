package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/deletion"
	"heartward/api/platform/config"
	"heartward/api/platform/pg"
	"heartward/jobs"
)

type redeleteCmd struct{}

// Run deletes accounts again that a restore brought back. It reads the log since the backup from standard input.
func (redeleteCmd) Run() error {
	return withPool(func(ctx context.Context, _ config.Config, pool *pgxpool.Pool) error {
		ids, err := deletion.ReadDeleted(os.Stdin)
		if err != nil {
			return fmt.Errorf("reading the log: %w", err)
		}
		inserter, err := jobs.NewInserter(pool)
		if err != nil {
			return err
		}
		scheduled, err := deletion.Repeat(ctx, pool, inserter, ids)
		if err != nil {
			return err
		}
		fmt.Printf("The log names %d deleted accounts. %d of them were restored; they are hidden, and the workers delete them\n", len(ids), scheduled)
		return nil
	})
}

type restoredCmd struct{}

// Run renews the identity of the database. A restore from a dump does that
// automatically; a restored data folder needs this command.
func (restoredCmd) Run() error {
	return withPool(func(ctx context.Context, _ config.Config, pool *pgxpool.Pool) error {
		if err := pg.RenewIdentity(ctx, pool); err != nil {
			return err
		}
		fmt.Println("Search indexes and devices will load everything again")
		return nil
	})
}
