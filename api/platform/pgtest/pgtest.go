// Package pgtest gives each test a database of its own: a copy of one migrated
// template, on the server named by TEST_DATABASE_URL, else on a throw-away
// server that the test process starts once and that ends with it.
package pgtest

import (
	"context"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgserver"
)

// New returns a pool on a fresh, migrated database that is dropped after the
// test. A connection that the test leaves open fails it. Safe in parallel tests.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := pg.Open(context.Background(), clone(t), 20)
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
	server, err := pgserver.Start(context.Background(), pgserver.Options{
		BinDir: os.Getenv("POSTGRES_BIN"), Throwaway: true,
	})
	if err != nil {
		return "", err
	}
	return server.URL(), nil
})

// Jobs returns a client that enqueues jobs on pool and runs none.
func Jobs(t testing.TB, pool *pgxpool.Pool) *river.Client[pgx.Tx] {
	t.Helper()
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{})
	if err != nil {
		t.Fatalf("making a client for jobs: %v", err)
	}
	return client
}
