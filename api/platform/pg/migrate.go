package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"heartward/migrations"
)

// migration is one run of Migrate.
type migration struct {
	files       fs.FS
	lockTimeout time.Duration
	firstPause  time.Duration // before the next attempt; doubles up to maxPause
	maxPause    time.Duration
	attempts    int
	onRetry     func() // called after an attempt that did not get a lock
}

// newMigration returns a migration that waits at most 3 s for a lock, because all later
// statements on the table wait behind it. They proceed in the pauses between attempts.
// The last attempt ends after about ten minutes.
func newMigration() *migration {
	return &migration{
		files: migrations.FS, lockTimeout: 3 * time.Second, firstPause: 500 * time.Millisecond, maxPause: 10 * time.Second,
		attempts: 50, onRetry: func() {},
	}
}

// Migrate applies the pending migrations to the database at url: first those of
// this program, then River's. Several processes may call it at once. It uses separate
// connections without a statement timeout, because building an index on a large table
// takes minutes. A migration that cannot get a lock is rolled back and tried again.
func Migrate(ctx context.Context, url string) error { return newMigration().run(ctx, url) }

func (m *migration) run(ctx context.Context, url string) error {
	pool, err := m.open(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	pause := m.firstPause
	for attempt := 1; ; attempt++ {
		err := m.apply(ctx, pool)
		if !isLockConflict(err) || attempt == m.attempts {
			return err
		}
		slog.WarnContext(ctx, "a migration did not get a lock; it will be retried", "error", err, "pause", pause)
		m.onRetry()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause = min(2*pause, m.maxPause)
	}
}

// open returns a pool whose settings take precedence over those of the role and
// the database.
func (m *migration) open(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := poolConfig(url, 2)
	if err != nil {
		return nil, err
	}
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = "heartward migrate"
	params["statement_timeout"] = "0"
	params["idle_in_transaction_session_timeout"] = "0"
	params["lock_timeout"] = strconv.FormatInt(m.lockTimeout.Milliseconds(), 10)
	return open(ctx, config)
}

// isLockConflict reports whether a migration did not get a lock in time (55P03), or was ended because it and members'
// statements waited for each other (40P01).
func isLockConflict(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && (e.Code == "55P03" || e.Code == "40P01")
}

// apply applies the pending migrations in order, up to the first error.
func (m *migration) apply(ctx context.Context, pool *pgxpool.Pool) error {
	if err := checkApplied(ctx, pool, m.files); err != nil {
		return err
	}
	if err := storeContents(ctx, pool, m.files); err != nil {
		return fmt.Errorf("storing the hashes of the migrations: %w", err)
	}
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, m.files, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("reading the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrating the job tables: %w", err)
	}
	return grantServing(ctx, pool)
}

// CheckSchema returns an error if the database lacks migrations of this program, or
// ErrUnknownMigrations, or ErrEditedMigrations. It accepts a newer schema, so that nodes of the
// previous version can start during a deploy.
func CheckSchema(ctx context.Context, pool *pgxpool.Pool) error {
	if err := checkApplied(ctx, pool, migrations.FS); err != nil {
		return err
	}
	missing, err := missingMigrations(ctx, pool)
	if err != nil {
		return err
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	river, err := migrator.Validate(ctx, nil)
	if err != nil {
		return fmt.Errorf("reading the version of the job tables: %w", err)
	}
	if !river.OK {
		missing = append(missing, "of the job tables")
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("the database's schema is older than this program (%d missing, first %s): run `heartward migrate`", len(missing), missing[0])
}

// ErrUnknownMigrations is the error for a database that was created by other
// migrations than those of this program, which therefore cannot update it.
var ErrUnknownMigrations = errors.New("the database was created by a version of Heartward before the first release and cannot be updated: " +
	"start with an empty DATA_DIR or, with DATABASE_URL, an empty database")

// checkApplied returns ErrUnknownMigrations if the database has a version that is
// older than the newest of files and not among them, and ErrEditedMigrations if a file has
// changed since it was applied. Later versions are those of a newer program.
func checkApplied(ctx context.Context, pool *pgxpool.Pool, files fs.FS) error {
	known, err := migrationFiles(files)
	if err != nil || len(known) == 0 {
		return err
	}
	applied, err := appliedVersions(ctx, pool)
	if err != nil {
		return err
	}
	newest := slices.Max(slices.Collect(maps.Keys(known)))
	for _, version := range applied {
		if known[version] == "" && version < newest {
			return fmt.Errorf("%w (it has migration %05d)", ErrUnknownMigrations, version)
		}
	}
	return checkContents(ctx, pool, files)
}

// missingMigrations returns the names of the files that are not applied, in order.
func missingMigrations(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	applied, err := appliedVersions(ctx, pool)
	if err != nil {
		return nil, err
	}
	missing, err := migrationFiles(migrations.FS)
	if err != nil {
		return nil, err
	}
	for _, version := range applied {
		delete(missing, version)
	}
	return slices.Sorted(maps.Values(missing)), nil
}

// migrationFiles returns the names of the files by their version.
func migrationFiles(files fs.FS) (map[int64]string, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	versions := make(map[int64]string, len(names))
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		versions[version] = name
	}
	return versions, nil
}

// appliedVersions returns the versions of the migrations that were applied to the
// database. It leaves out 0, which goose inserts with its table.
func appliedVersions(ctx context.Context, db DB) ([]int64, error) {
	var exists bool
	if err := db.QueryRow(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&exists); err != nil || !exists {
		return nil, err
	}
	rows, err := db.Query(ctx, `
		SELECT version_id
		FROM goose_db_version
		WHERE is_applied
			AND version_id > 0`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
