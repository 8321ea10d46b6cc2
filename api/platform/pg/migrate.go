package pg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strconv"
	"strings"
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
	onRetry     func() // called after an attempt that waited for a lock
}

// A statement that waits for a lock makes every later one on the table wait
// behind it, so it waits for 3 s at most, and calls pass in the pauses. With
// these figures the last attempt ends after about ten minutes.
func newMigration() *migration {
	return &migration{
		files: migrations.FS, lockTimeout: 3 * time.Second, firstPause: 500 * time.Millisecond, maxPause: 10 * time.Second,
		attempts: 50, onRetry: func() {},
	}
}

// Migrate brings the schema of the database at url up to date: ours first, then
// River's. Safe to run from several processes at once, and free when nothing is
// pending. It opens connections of its own, without a limit of time for
// statements, because building an index on a large table takes minutes. A
// migration that cannot get a lock is rolled back and tried again.
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
		if !lockNotAvailable(err) || attempt == m.attempts {
			return err
		}
		slog.WarnContext(ctx, "a migration could not get a lock and is tried again", "error", err, "pause", pause)
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

func lockNotAvailable(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && e.Code == "55P03"
}

// apply runs what is pending. What was applied before an error stays applied.
func (m *migration) apply(ctx context.Context, pool *pgxpool.Pool) error {
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
	return nil
}

// CheckSchema returns an error when migrations of this program are missing in
// the database. A schema that is newer is accepted, so that nodes of the version
// before can start during a deploy.
func CheckSchema(ctx context.Context, pool *pgxpool.Pool) error {
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

// missingMigrations returns the files that were not applied, in order.
func missingMigrations(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	applied, err := appliedVersions(ctx, pool)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(names, func(name string) bool {
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.ParseInt(number, 10, 64)
		return err == nil && slices.Contains(applied, version)
	}), nil
}

func appliedVersions(ctx context.Context, pool *pgxpool.Pool) ([]int64, error) {
	var there bool
	if err := pool.QueryRow(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&there); err != nil || !there {
		return nil, err
	}
	rows, err := pool.Query(ctx, `SELECT version_id FROM goose_db_version WHERE is_applied`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}
