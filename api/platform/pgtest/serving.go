package pgtest

import (
	"context"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/pg"
)

// Serving returns another pool on the database of pool, whose connections have the role pg.ServingRole.
func Serving(t testing.TB, pool *pgxpool.Pool) *pgxpool.Pool {
	t.Helper()
	ctx := context.Background()
	server, err := admin()
	if err != nil {
		t.Fatalf("no PostgreSQL for the tests: %v", err)
	}
	if err := pg.CreateServingRole(ctx, server); err != nil {
		t.Fatalf("creating the role: %v", err)
	}
	connectAdmin(t)(`SELECT pg_advisory_lock(1); ALTER ROLE ` + pg.ServingRole + ` PASSWORD '` + pg.ServingRole + `'; SELECT pg_advisory_unlock(1)`)
	address := pool.Config().ConnString()
	if err := pg.Migrate(ctx, address); err != nil { // grants the role its rights
		t.Fatalf("migrating: %v", err)
	}
	own, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	own.User = url.UserPassword(pg.ServingRole, pg.ServingRole)
	config, err := pgxpool.ParseConfig(own.String())
	if err != nil {
		t.Fatal(err)
	}
	config.ConnConfig.Tracer = pool.Config().ConnConfig.Tracer
	serving, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(serving.Close)
	return serving
}
