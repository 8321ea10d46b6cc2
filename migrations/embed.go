// Package migrations holds the schema as goose files: first one for each feature, in
// the order of their foreign keys, and then the changes. A file that has landed is not
// edited: a change is a new file with the next number.
//
// The numbers begin at 101. Lower ones are versions of databases that were created
// before the files were squashed; pg.ErrUnknownMigrations refuses them.
package migrations

import "embed"

// FS holds every migration, in the order of its number.
//
//go:embed *.sql
var FS embed.FS
