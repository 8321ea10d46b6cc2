package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/config"
	"heartward/api/platform/pg"
)

// database is the configured PostgreSQL, or our own where none is configured.
type database struct {
	address  string
	own      bool         // none is configured
	embedded *pg.Embedded // nil: the server is not this process's
}

// openDatabase starts our own PostgreSQL where none is configured. With share
// set it uses the one of a server that runs on the same data folder; without,
// such a server is an error.
func openDatabase(ctx context.Context, c config.Config, share bool) (*database, error) {
	if c.DatabaseURL != "" {
		return &database{address: c.DatabaseURL}, nil
	}
	dir := c.Path("postgres")
	if address, ok := pg.RunningEmbedded(dir); ok && share {
		return &database{address: address, own: true}, nil
	}
	server, err := pg.StartEmbedded(ctx, pg.EmbeddedOptions{Dir: dir, BinDir: c.PostgresBin})
	if err != nil {
		return nil, err
	}
	return &database{address: server.URL(), own: true, embedded: server}, nil
}

// prepareSchema migrates our own PostgreSQL, which has no operator. Of
// a configured one it checks the version: an operator decides when it is migrated.
func (d *database) prepareSchema(ctx context.Context) error {
	if d.own {
		return d.migrate(ctx)
	}
	pool, err := d.openPool(ctx, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	return pg.CheckSchema(ctx, pool)
}

func (d *database) migrate(ctx context.Context) error {
	pool, err := d.openPool(ctx, 1) // its error says what an operator can do
	if err != nil {
		return err
	}
	pool.Close()
	return pg.Migrate(ctx, d.address)
}

// openPool returns a pool of at most conns connections.
func (d *database) openPool(ctx context.Context, conns int) (*pgxpool.Pool, error) {
	pool, err := pg.Open(ctx, d.address, conns)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: PostgreSQL does not answer: %w", err)
	}
	return pool, nil
}

// close ends our own PostgreSQL, where this process started one.
func (d *database) close() {
	if d.embedded != nil {
		d.embedded.Stop()
	}
}
