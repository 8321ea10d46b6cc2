package pg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrEditedMigrations is the error for a database to which a migration file was applied before the
// file was edited. The message does not say what to do, because that depends on whose database it is.
var ErrEditedMigrations = errors.New("was made by other migrations than those of this program")

// checkContents returns ErrEditedMigrations if an applied file has another hash than when it was
// applied, or no stored hash, as in a database that was made before hashes were stored.
func checkContents(ctx context.Context, db DB, files fs.FS) error {
	known, err := migrationFiles(files)
	if err != nil {
		return err
	}
	applied, err := appliedVersions(ctx, db)
	if err != nil {
		return err
	}
	hashes, err := storedHashes(ctx, db)
	if err != nil {
		return err
	}
	slices.Sort(applied)
	for _, version := range applied {
		name := known[version]
		if name == "" {
			continue // of a newer program
		}
		hash, err := hashOf(files, name)
		if err != nil {
			return err
		}
		if hashes[version] != hash {
			return fmt.Errorf("%w (%s was edited since)", ErrEditedMigrations, name)
		}
	}
	return nil
}

// storeContents stores the hashes of the files that are not applied yet. It is called before
// they are applied, so that an applied file always has a hash. It replaces the hash of a file whose
// migration failed, because the file may have been edited since.
func storeContents(ctx context.Context, pool *pgxpool.Pool, files fs.FS) error {
	known, err := migrationFiles(files)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// Several processes may migrate at once, and IF NOT EXISTS does not wait for the other's table.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('hashes of migration files', 0))`); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `
			CREATE TABLE IF NOT EXISTS migration_files (
				-- The number of the file.
				version  bigint PRIMARY KEY,
				-- SHA-256 of the file when it was applied, in hexadecimal digits.
				hash     text NOT NULL
			);
			COMMENT ON TABLE migration_files IS
				'Which contents of the migration files made this schema. Written by platform/pg before it applies a file.'`); err != nil {
			return err
		}
		applied, err := appliedVersions(ctx, tx)
		if err != nil {
			return err
		}
		for _, version := range slices.Sorted(maps.Keys(known)) {
			if slices.Contains(applied, version) {
				continue
			}
			hash, err := hashOf(files, known[version])
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `
				INSERT INTO migration_files (version, hash)
				VALUES ($1, $2)
				ON CONFLICT (version) DO UPDATE
				SET hash = EXCLUDED.hash`, version, hash); err != nil {
				return err
			}
		}
		return nil
	})
}

// storedHashes returns the hashes by version.
func storedHashes(ctx context.Context, db DB) (map[int64]string, error) {
	hashes := map[int64]string{}
	var exists bool
	if err := db.QueryRow(ctx, `SELECT to_regclass('migration_files') IS NOT NULL`).Scan(&exists); err != nil || !exists {
		return hashes, err
	}
	rows, err := db.Query(ctx, `SELECT version, hash FROM migration_files`)
	if err != nil {
		return nil, err
	}
	var version int64
	var hash string
	_, err = pgx.ForEachRow(rows, []any{&version, &hash}, func() error {
		hashes[version] = hash
		return nil
	})
	return hashes, err
}

func hashOf(files fs.FS, name string) (string, error) {
	content, err := fs.ReadFile(files, name)
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), err
}
