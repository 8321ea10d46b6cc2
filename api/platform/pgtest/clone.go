package pgtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/pg"
	"heartward/migrations"
)

// owner is the role of the tests' connections. As in production, it is not a superuser.
const owner = "heartward_test"

// admin is the process's pool with the role of the server's administrator.
var admin = sync.OnceValues(func() (*pgxpool.Pool, error) {
	address, err := serverURL()
	if err != nil {
		return nil, err
	}
	return pgxpool.New(context.Background(), address)
})

// clone copies the template database and returns the URL of the copy, which is
// dropped after the test.
//
// It uses the strategy FILE_COPY. The default logs every page, which takes four times as
// long and forty times the processor time.
func clone(t testing.TB) string {
	t.Helper()
	from, err := template()
	if err != nil {
		t.Fatalf("no PostgreSQL for the tests: %v", err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	run := connectAdmin(t)
	run(fmt.Sprintf(`CREATE DATABASE %s TEMPLATE %s OWNER %s STRATEGY file_copy`, name, from, owner))
	// With FORCE, because the process of a connection that was just closed may still be exiting.
	t.Cleanup(func() { run(`DROP DATABASE ` + name + ` WITH (FORCE)`) })
	address, err := addressOf(name)
	if err != nil {
		t.Fatalf("the address of the test database: %v", err)
	}
	return address
}

// template creates the template database, unless another process has created it from
// the same migrations.
var template = sync.OnceValues(func() (string, error) {
	ctx := context.Background()
	name, err := templateName()
	if err != nil {
		return "", err
	}
	return name, createOnce(ctx, name, true, func(conn *pgx.Conn) error { return makeTemplate(ctx, conn, name) })
})

// createOnce calls create with a connection of the server's administrator, unless the database exists. The processes
// of tests that run at the same time wait for each other.
func createOnce(ctx context.Context, name string, isTemplate bool, create func(conn *pgx.Conn) error) error {
	address, err := serverURL()
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }() // releases the lock
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtextextended($1, 0))`, name); err != nil {
		return err
	}
	var exists bool
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate = $2)`, name, isTemplate).Scan(&exists)
	if err != nil || exists {
		return err
	}
	return create(conn)
}

func makeTemplate(ctx context.Context, conn *pgx.Conn, name string) error {
	run := func(statements ...string) error {
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}
	err := run(
		fmt.Sprintf(`DO $$
			BEGIN CREATE ROLE %[1]s LOGIN PASSWORD '%[1]s';
			EXCEPTION WHEN duplicate_object THEN NULL;
			END $$`, owner),
		// Each connection plans a statement once, not for each of its first five runs, which was half of PostgreSQL's work.
		`ALTER ROLE `+owner+` SET plan_cache_mode = force_generic_plan`,
		`DROP DATABASE IF EXISTS `+name, // left by a process that did not finish
		fmt.Sprintf(`CREATE DATABASE %s OWNER %s`, name, owner))
	if err != nil {
		return err
	}
	address, err := addressOf(name)
	if err != nil {
		return err
	}
	if err := pg.Migrate(ctx, address); err != nil {
		return err
	}
	if err := connectOnce(ctx, address); err != nil {
		return err
	}
	return run(`ALTER DATABASE ` + name + ` IS_TEMPLATE true`)
}

// connectOnce has PostgreSQL write the file of the catalogs' cache into the database, and so into its copies. Otherwise the
// first connection to each copy would.
func connectOnce(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// templateName depends on all migrations, so that an outdated template is not used.
func templateName() (string, error) {
	sum := sha256.New()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return "", err
	}
	for _, file := range files {
		text, err := migrations.FS.ReadFile(file)
		if err != nil {
			return "", err
		}
		sum.Write(text)
	}
	return "template_" + hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// addressOf returns the URL of another database of the server for the owner.
func addressOf(database string) (string, error) {
	address, err := serverURL()
	if err != nil {
		return "", err
	}
	server, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("TEST_DATABASE_URL: %w", err)
	}
	server.Path, server.User = "/"+database, url.UserPassword(owner, owner)
	return server.String(), nil
}

// connectAdmin returns a function that runs statements as the server's administrator.
func connectAdmin(t testing.TB) (run func(statement string)) {
	t.Helper()
	pool, err := admin()
	if err != nil {
		t.Fatalf("no PostgreSQL for the tests: %v", err)
	}
	return func(statement string) {
		t.Helper()
		if _, err := pool.Exec(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}
