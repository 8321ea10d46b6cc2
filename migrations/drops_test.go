package migrations_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/migrations"
)

// lastUnmarked is the last migration without the rule of TestMigrations_KeepColumnsOfPreviousRelease: it drops columns
// that the release before it reads.
const lastUnmarked = "00292_preferences.sql"

// unusedSince is the comment of a statement that drops or renames a column. It names the first release that neither reads
// nor writes the column: `heartward version` prints it.
var unusedSince = regexp.MustCompile(`-- Unused since release \S+`)

var (
	comment      = regexp.MustCompile(`--[^\n]*`)
	alterTable   = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\b`)
	dropOrRename = regexp.MustCompile(`(?i)\b(?:DROP|RENAME)\s+(\w+)`)
)

// notColumns are the words after DROP or RENAME in a change of a table that concerns no column as a whole.
var notColumns = []string{"CONSTRAINT", "DEFAULT", "NOT", "EXPRESSION", "IDENTITY"}

// unmarkedDrops returns the statements of a file that drop or rename a column or rename a table, without the comment. A
// comment must not contain a semicolon.
func unmarkedDrops(file string) (unmarked []string) {
	up, _, _ := strings.Cut(file, "-- +goose Down")
	for statement := range strings.SplitSeq(up, ";") {
		code := comment.ReplaceAllString(statement, "")
		if !alterTable.MatchString(code) || unusedSince.MatchString(statement) {
			continue
		}
		for _, found := range dropOrRename.FindAllStringSubmatch(code, -1) {
			if !slices.Contains(notColumns, strings.ToUpper(found[1])) {
				unmarked = append(unmarked, strings.TrimSpace(code))
				break
			}
		}
	}
	return unmarked
}

// The processes of the release before run on after a migration, so a column is dropped or renamed by a later release than
// the one that stops using it.
func TestMigrations_KeepColumnsOfPreviousRelease(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	require.Contains(t, names, lastUnmarked)
	for _, name := range names {
		if name <= lastUnmarked {
			continue
		}
		file, err := fs.ReadFile(migrations.FS, name)
		require.NoError(t, err)
		require.Empty(t, unmarkedDrops(string(file)), "%s: the release before may use this: drop it in a later one, "+
			"with the comment “-- Unused since release …”", name)
	}
	file, err := fs.ReadFile(migrations.FS, lastUnmarked)
	require.NoError(t, err)
	require.Len(t, unmarkedDrops(string(file)), 1)
}

func TestUnmarkedDrops(t *testing.T) {
	t.Parallel()
	for sql, isUnmarked := range map[string]bool{
		"ALTER TABLE users DROP COLUMN a;":                                                                   true,
		"alter table users\n    add b text,\n    drop a;":                                                    true,
		"-- Why.\nALTER TABLE users DROP COLUMN IF EXISTS a;":                                                true,
		"ALTER TABLE users RENAME COLUMN a TO b;":                                                            true,
		"ALTER TABLE users RENAME a TO b;":                                                                   true,
		"ALTER TABLE users RENAME TO members;":                                                               true,
		"-- Unused since release 81af6bcc.\nALTER TABLE users ADD a text;\nALTER TABLE users DROP COLUMN b;": true,
		"-- Unused since release 81af6bcc.\nALTER TABLE users DROP COLUMN a;":                                false,
		"ALTER TABLE users\n    -- Unused since release v1.4.0\n    DROP COLUMN a;":                          false,
		"ALTER TABLE users DROP CONSTRAINT a, ALTER COLUMN b DROP NOT NULL;":                                 false,
		"ALTER TABLE users ALTER COLUMN b DROP DEFAULT, RENAME CONSTRAINT a TO b;":                           false,
		"-- ALTER TABLE users DROP COLUMN a\nDROP VIEW shown;":                                               false,
		"SELECT 1;\n-- +goose Down\nALTER TABLE users DROP COLUMN a;":                                        false,
	} {
		require.Equal(t, isUnmarked, len(unmarkedDrops(sql)) > 0, sql)
	}
}
