// Package pgtest gives each test a database of its own: a copy of one migrated
// template, on the server named by TEST_DATABASE_URL, else on a throw-away
// server that the test process starts once and that ends with it.
package pgtest

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io/fs"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgtestdb uses
	"github.com/peterldowns/pgtestdb"

	"heartward/api/platform/pg"
	"heartward/migrations"
)

// New returns a pool on a fresh, migrated database that is dropped after the
// test. Safe in parallel tests.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	address, err := serverURL()
	if err != nil {
		t.Fatalf("no PostgreSQL for the tests: %v", err)
	}
	server, err := url.Parse(address)
	if err != nil {
		t.Fatalf("TEST_DATABASE_URL: %v", err)
	}
	password, _ := server.User.Password()
	config := pgtestdb.Custom(t, pgtestdb.Config{
		DriverName: "pgx", User: server.User.Username(), Password: password,
		Host: server.Hostname(), Port: server.Port(), Options: server.RawQuery,
	}, migrator{})
	pool, err := pg.Open(context.Background(), config.URL(), 20)
	if err != nil {
		t.Fatalf("opening the test database: %v", err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// serverURL is one server for all tests of the process. The embedded one ends
// when the process does; the next one deletes its folder.
var serverURL = sync.OnceValues(func() (string, error) {
	if address := os.Getenv("TEST_DATABASE_URL"); address != "" {
		return address, nil
	}
	server, err := pg.StartEmbedded(context.Background(), pg.EmbeddedOptions{
		BinDir: os.Getenv("POSTGRES_BIN"), Throwaway: true,
	})
	if err != nil {
		return "", err
	}
	return server.URL(), nil
})

type migrator struct{}

// Hash changes with any migration, so an old template is not used again.
func (migrator) Hash() (string, error) {
	sum := sha256.New()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range files {
		text, err := migrations.FS.ReadFile(name)
		if err != nil {
			return "", err
		}
		sum.Write(text)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (migrator) Migrate(ctx context.Context, _ *sql.DB, config pgtestdb.Config) error {
	pool, err := pg.Open(ctx, config.URL(), 4)
	if err != nil {
		return err
	}
	defer pool.Close()
	return pg.Migrate(ctx, pool)
}
