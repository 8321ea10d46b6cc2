package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/config"
	"heartward/api/platform/pg"
)

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
