package pg_test

import (
	"context"
	"fmt"
	"net/url"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// file is a migration of one statement.
func file(sql string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("-- +goose Up\n" + sql + ";\n")}
}

// emptySchema returns the address of a schema without tables in a new database.
func emptySchema(t *testing.T) (address string) {
	t.Helper()
	pool := pgtest.New(t)
	testkit.Exec(t, pool, `CREATE SCHEMA fresh`)
	return withParameter(t, pool, "search_path", "fresh")
}

// withParameter returns the address of the pool's database with one more parameter.
func withParameter(t *testing.T, pool *pgxpool.Pool, name, value string) string {
	t.Helper()
	address, err := url.Parse(pool.Config().ConnString())
	require.NoError(t, err)
	query := address.Query()
	query.Set(name, value)
	address.RawQuery = query.Encode()
	return address.String()
}

func openAt(t *testing.T, address string) *pgxpool.Pool {
	t.Helper()
	pool, err := pg.Open(t.Context(), address, 4)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// A migration that waits for the lock of another session is retried until it gets it.
func TestMigrate_RetriesUntilItGetsTheLock(t *testing.T) {
	t.Parallel()
	address := emptySchema(t)
	files := fstest.MapFS{"00001_notes.sql": file(`CREATE TABLE notes (id int)`)}
	require.NoError(t, pg.MigrateFiles(t.Context(), address, files, func() {}))

	pool := openAt(t, address)
	tx, err := pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), `SELECT FROM notes`)
	require.NoError(t, err)

	files["00002_words.sql"] = file(`ALTER TABLE notes ADD COLUMN words text`)
	retries := 0
	require.NoError(t, pg.MigrateFiles(t.Context(), address, files, func() {
		if retries++; retries == 3 {
			require.NoError(t, tx.Commit(context.Background()))
		}
	}))
	require.GreaterOrEqual(t, retries, 3)
	testkit.Exec(t, pool, `INSERT INTO notes (id, words) VALUES (1, 'there')`)
}

// Timeouts set for the role and the database do not apply to migrations.
func TestMigrate_HasNoStatementTimeout(t *testing.T) {
	t.Parallel()
	address := emptySchema(t)
	pool := openAt(t, address)
	for _, limit := range []string{"statement_timeout", "idle_in_transaction_session_timeout"} {
		var database string
		require.NoError(t, pool.QueryRow(t.Context(), `SELECT current_database()`).Scan(&database))
		testkit.Exec(t, pool, fmt.Sprintf(`ALTER ROLE CURRENT_USER IN DATABASE %s SET %s = '50ms'`, database, limit))
	}
	files := fstest.MapFS{"00001_slow.sql": file(`SELECT pg_sleep(0.2)`)}
	require.NoError(t, pg.MigrateFiles(t.Context(), address, files, func() {}))
}

func TestCheckSchema_NamesTheFirstMissingMigration(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.NoError(t, pg.CheckSchema(t.Context(), pool))
	testkit.Exec(t, pool, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`)
	require.NoError(t, pg.CheckSchema(t.Context(), pool), "a newer schema")
	testkit.Exec(t, pool, `DELETE FROM goose_db_version WHERE version_id = 107`)
	require.EqualError(t, pg.CheckSchema(t.Context(), pool), "the database's schema is older than this program "+
		"(1 missing, first 00107_messaging.sql): run `heartward migrate`")

	require.ErrorContains(t, pg.CheckSchema(t.Context(), openAt(t, emptySchema(t))), "first 00101_platform.sql")
}

// Migrate applies new files, and files that failed and were edited, but refuses edited ones that
// it has applied.
func TestMigrate_RefusesEditedFiles(t *testing.T) {
	t.Parallel()
	address := emptySchema(t)
	files := fstest.MapFS{"00001_notes.sql": file(`CREATE TABLE notes (id int)`), "00002_words.sql": file(`CREATE TABLE notes (id int)`)}
	require.ErrorContains(t, pg.MigrateFiles(t.Context(), address, files, func() {}), "already exists")
	files["00002_words.sql"] = file(`CREATE TABLE words (id int)`)
	require.NoError(t, pg.MigrateFiles(t.Context(), address, files, func() {}))
	require.NoError(t, pg.MigrateFiles(t.Context(), address, files, func() {}))

	files["00001_notes.sql"] = file(`CREATE TABLE notes (id bigint)`)
	files["00003_more.sql"] = file(`CREATE TABLE more (id int)`)
	err := pg.MigrateFiles(t.Context(), address, files, func() {})
	require.ErrorIs(t, err, pg.ErrEditedMigrations)
	require.ErrorContains(t, err, "00001_notes.sql")
	files["00001_notes.sql"] = file(`CREATE TABLE notes (id int)`)
	require.NoError(t, pg.MigrateFiles(t.Context(), address, files, func() {}))
}

// Versions without a file that are older than the newest file are of other migrations;
// newer ones are of a newer program.
func TestMigrate_RefusesADatabaseOfOtherMigrations(t *testing.T) {
	t.Parallel()
	address := emptySchema(t)
	pool := openAt(t, address)
	before := fstest.MapFS{"00001_notes.sql": file(`CREATE TABLE notes (id int)`), "00002_words.sql": file(`CREATE TABLE words (id int)`)}
	require.NoError(t, pg.MigrateFiles(t.Context(), address, before, func() {}))
	require.ErrorIs(t, pg.CheckSchema(t.Context(), pool), pg.ErrUnknownMigrations)

	squashed := fstest.MapFS{"00101_all.sql": file(`CREATE TABLE squashed (id int)`)}
	err := pg.MigrateFiles(t.Context(), address, squashed, func() {})
	require.ErrorIs(t, err, pg.ErrUnknownMigrations)
	require.NotContains(t, err.Error(), "\n")
	var created bool
	require.NoError(t, pool.QueryRow(t.Context(), `SELECT to_regclass('squashed') IS NOT NULL`).Scan(&created))
	require.False(t, created)

	delete(before, "00002_words.sql")
	require.NoError(t, pg.MigrateFiles(t.Context(), address, before, func() {}), "a newer program's version")
}
