// Package pgtest creates a database for each test: a copy of a migrated template, on
// the server at TEST_DATABASE_URL or on an embedded server that the test process
// starts once.
package pgtest

import (
	"context"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgserver"
	"heartward/api/platform/testkit"
)

// New returns a pool on a new, migrated database, which is dropped after the test.
// A connection that the test has not released keeps the test from ending. New may be used in parallel tests.
//
// The test fails if the product's code has sent a statement on the pool that names a table of another package.
func New(t testing.TB) *pgxpool.Pool {
	t.Helper()
	testkit.ShowLog(t)
	var statements recorder
	pool, err := pg.Open(context.Background(), clone(t), 20, withLongLimit, statements.trace)
	if err != nil {
		t.Fatalf("opening the test database: %v", err)
	}
	t.Cleanup(func() { statements.check(t) }) // after the last statement: when the pool is closed
	t.Cleanup(pool.Close)
	return pool
}

// Traced returns another pool on the database of pool, whose statements tracer sees. It is closed after the test.
func Traced(t testing.TB, pool *pgxpool.Pool, tracer pgx.QueryTracer) *pgxpool.Pool {
	t.Helper()
	config := pool.Config()
	config.ConnConfig.Tracer = multitracer.New(config.ConnConfig.Tracer, tracer)
	traced, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatalf("opening the test database: %v", err)
	}
	t.Cleanup(traced.Close)
	return traced
}

// withLongLimit raises the time limit of a statement, because inserting many rows takes longer on a busy machine.
func withLongLimit(config *pgxpool.Config) {
	config.ConnConfig.RuntimeParams["statement_timeout"] = "10min"
}

// NewDB returns the test with a new database, as New does.
func NewDB(t testing.TB) testkit.DB {
	t.Helper()
	return testkit.DB{TB: t, Pool: New(t)}
}

// Fill runs statements that insert many rows. The triggers of the tables, which take half of the time, are disabled;
// constraints are checked. The test fails if a statement fails.
func Fill(t testing.TB, pool *pgxpool.Pool, tables []string, args pgx.NamedArgs, statements ...string) {
	t.Helper()
	triggers := func(change string) {
		for _, table := range tables {
			testkit.Exec(t, pool, `ALTER TABLE `+table+` `+change+` TRIGGER USER`)
		}
	}
	triggers("DISABLE")
	if slices.Contains(tables, "users") { // the rows have no keys of their addresses
		testkit.Exec(t, pool, `ALTER TABLE users ENABLE TRIGGER users_new_address_keys`)
	}
	for _, statement := range statements {
		testkit.Exec(t, pool, statement, args)
	}
	triggers("ENABLE")
}

// ServerURL returns the URL of the server of all tests for its administrator.
func ServerURL(t testing.TB) string {
	t.Helper()
	address, err := serverURL()
	if err != nil {
		t.Fatalf("no PostgreSQL for the tests: %v", err)
	}
	return address
}

// serverURL returns the server of all tests of the process. The embedded one stops
// with the process; the next process deletes its folder.
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
		t.Fatalf("creating a client for jobs: %v", err)
	}
	return client
}
