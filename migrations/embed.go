// Package migrations holds the schema as numbered goose files. A file that has
// landed is never edited: the next change is the next number.
package migrations

import "embed"

// FS holds every migration, in the order of its number.
//
//go:embed *.sql
var FS embed.FS
