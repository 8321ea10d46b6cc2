// Package feature has what a feature says about the data it stores, so that the export, the deletion of an account and
// the clean-up know no feature's tables. docs/personal-data.md has an entry for each column.
package feature

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/archive"
	"heartward/api/platform/pg"
)

// Data is what happens to the data of a feature.
type Data struct {
	// Tables are named only by the SQL of the feature. Others read its views or call its functions.
	Tables []string

	// Export writes the member's own data to the archive of an export. Nil if there is none.
	Export func(ctx context.Context, w *archive.Writer) error

	// Retention says how long each table and class of files is stored.
	Retention []Retention

	// Ended are further steps of the clean-up.
	Ended []Ended

	// Erase deletes or clears the data of a leaving member that is not deleted with the row in users, in transactions of
	// at most batch rows. A call after an interruption continues. Nil if there is no such data.
	Erase func(ctx context.Context, pool *pgxpool.Pool, member uuid.UUID, batch int) error
}

// Ended is a step of the clean-up for things that end without a deletion.
type Ended struct {
	What string // the things, for an error
	// Run ends at most limit things that are due, and returns their number.
	Run func(ctx context.Context, db pg.DB, limit int) (int, error)
}

// UntilNone returns a function for Data.Erase that calls erase, which erases at most limit rows and returns their number,
// until there are none.
func UntilNone(erase func(ctx context.Context, db pg.DB, member uuid.UUID, limit int) (int, error)) func(context.Context, *pgxpool.Pool, uuid.UUID, int) error {
	return func(ctx context.Context, pool *pgxpool.Pool, member uuid.UUID, batch int) error {
		for {
			erased, err := erase(ctx, pool, member, batch)
			if err != nil || erased == 0 {
				return err
			}
		}
	}
}
