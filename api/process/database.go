package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/config"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgserver"
)

// Database is the configured PostgreSQL, or the embedded one if none is
// configured.
type Database struct {
	address  string           // if embedded, with the role that owns the schema; otherwise DATABASE_URL
	embedded bool             // whether address is the embedded PostgreSQL
	server   *pgserver.Server // nil unless this process started it
	options  []pg.Option      // of its pools
}

// OpenDatabase returns the configured PostgreSQL, or an error if the connection to it would not
// be encrypted. If none is configured, it starts the embedded one. If another process already
// runs that on the same data folder, OpenDatabase uses it if share is set, and returns an error
// otherwise.
func OpenDatabase(ctx context.Context, c config.Config, share bool) (*Database, error) {
	if c.DatabaseURL != "" {
		return &Database{address: c.DatabaseURL, options: poolOptions(c)}, checkDatabaseTransport(c)
	}
	dir := c.Path("postgres")
	if address, ok := pgserver.FindRunning(dir); ok && share {
		return &Database{address: address, embedded: true, options: poolOptions(c)}, nil
	}
	server, err := pgserver.Start(ctx, pgserver.Options{Dir: dir, BinDir: c.PostgresBin})
	if err != nil {
		return nil, err
	}
	return &Database{address: server.URL(), embedded: true, server: server, options: poolOptions(c)}, nil
}

// poolOptions returns the configured options of pools.
func poolOptions(c config.Config) []pg.Option {
	if c.LogSQL == "" {
		return nil
	}
	return []pg.Option{pg.LogStatements}
}

// checkDatabaseTransport returns an error if passwords and messages could be sent to another
// machine unencrypted.
func checkDatabaseTransport(c config.Config) error {
	hosts, err := pg.PlaintextHosts(c.DatabaseURL)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	for _, host := range hosts {
		if !c.AllowsPlaintext(host) {
			return config.PlaintextError("DATABASE_URL", host, "add sslmode=verify-full, or sslmode=require")
		}
	}
	return nil
}

// PrepareSchema migrates the embedded PostgreSQL, which has no operator. It only
// checks the version of a configured one: its operator decides when to migrate.
func (d *Database) PrepareSchema(ctx context.Context) error {
	if d.embedded {
		return d.Migrate(ctx)
	}
	pool, err := d.OpenPool(ctx, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	return d.explain(pg.CheckSchema(ctx, pool))
}

// explain adds to ErrEditedMigrations what to do. Only the data folder of the embedded
// PostgreSQL may be deleted: a configured database may hold more than test data.
func (d *Database) explain(err error) error {
	switch {
	case !errors.Is(err, pg.ErrEditedMigrations):
		return err
	case d.embedded:
		return fmt.Errorf("the schema in DATA_DIR %w: delete the folder (.data) or run scripts/run --fresh", err)
	default:
		return fmt.Errorf("the schema of the database at DATABASE_URL %w: use the version of Heartward that made it, or another, empty database", err)
	}
}

// Migrate migrates the database, and makes the keys of addresses by this program's rules. In the embedded PostgreSQL it
// creates the role that serves.
func (d *Database) Migrate(ctx context.Context) error {
	pool, err := openAt(ctx, d.address, 1) // first, because its error names the setting to change
	if err != nil {
		return err
	}
	defer pool.Close()
	if d.embedded {
		if err := pg.CreateServingRole(ctx, pool); err != nil {
			return err
		}
	}
	if err := d.explain(pg.Migrate(ctx, d.address)); err != nil {
		return err
	}
	changed, err := members.RekeyAddresses(ctx, pool)
	if err != nil {
		return fmt.Errorf("making the keys of addresses: %w", err)
	}
	if changed > 0 {
		slog.InfoContext(ctx, "the keys of addresses have changed; see heartward admin address-collisions", "members", changed)
	}
	return nil
}

// OpenPool returns a pool of at most conns connections. In the embedded PostgreSQL its role is
// pg.ServingRole.
func (d *Database) OpenPool(ctx context.Context, conns int) (*pgxpool.Pool, error) {
	address := d.address
	if d.embedded {
		address = pgserver.WithRole(address, pg.ServingRole)
	}
	return openAt(ctx, address, conns, d.options...)
}

// openAt opens a pool. Its error names DATABASE_URL.
func openAt(ctx context.Context, address string, conns int, options ...pg.Option) (*pgxpool.Pool, error) {
	pool, err := pg.Open(ctx, address, conns, options...)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: PostgreSQL does not answer: %w", err)
	}
	return pool, nil
}

// Close stops the embedded PostgreSQL if this process started one.
func (d *Database) Close() {
	if d.server != nil {
		d.server.Stop()
	}
}
