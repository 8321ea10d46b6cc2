package migrations_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/migrations"
)

// lastUnmarked is the last migration without the rule of TestMigrations_KeepWhatPreviousReleaseUses: it drops columns
// that the release before it reads.
const lastUnmarked = "00292_preferences.sql"

// unusedSince is the comment of a statement that drops or renames something. It names the first release that no longer uses
// it, as its tag or as `heartward version` prints it.
var unusedSince = regexp.MustCompile(`-- Unused since release \S+`)

var (
	comment      = regexp.MustCompile(`--[^\n]*`)
	alterTable   = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\b`)
	dropOrRename = regexp.MustCompile(`(?i)\b(?:DROP|RENAME)\s+(\w+)`)
	rename       = regexp.MustCompile(`(?i)^\s*ALTER\s+(?:MATERIALIZED\s+)?(?:VIEW|FUNCTION|PROCEDURE|ROUTINE|SEQUENCE|TYPE|DOMAIN)\b.*\bRENAME\b`)
	drop         = regexp.MustCompile(`(?i)^\s*DROP\s+(?:MATERIALIZED\s+)?(TABLE|VIEW|FUNCTION|PROCEDURE|ROUTINE|SEQUENCE|TYPE|DOMAIN)\s+(?:IF\s+EXISTS\s+)?([^;]*)`)
	dropped      = regexp.MustCompile(`"?(\w+)"?\s*(\([^)]*\))?`)
	create       = regexp.MustCompile(`(?i)\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:MATERIALIZED\s+|UNLOGGED\s+)?(TABLE|VIEW|FUNCTION|PROCEDURE|ROUTINE|SEQUENCE|TYPE|DOMAIN)\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?\s*(\([^)]*\))?`)
	outsideTx    = regexp.MustCompile(`-- \+goose NO TRANSACTION`)
)

// notColumns are the words after DROP or RENAME in a change of a table that concerns no column as a whole.
var notColumns = []string{"CONSTRAINT", "DEFAULT", "NOT", "EXPRESSION", "IDENTITY"}

// unmarkedDrops returns the statements of a file, without the comment, that drop or rename a table, a column, a view, a
// function or a type. It leaves out what the same transaction creates again under the same name, as for a view with more
// columns. A comment must not contain a semicolon.
func unmarkedDrops(file string) (unmarked []string) {
	up, _, _ := strings.Cut(file, "-- +goose Down")
	inTx := !outsideTx.MatchString(up)
	for up != "" {
		var statement string
		statement, up, _ = strings.Cut(up, ";")
		created := map[string]bool{}
		if inTx {
			for _, found := range create.FindAllStringSubmatch(comment.ReplaceAllString(up, ""), -1) {
				created[keyOf(found[1], found[2], found[3])] = true
			}
		}
		code := comment.ReplaceAllString(statement, "")
		if !unusedSince.MatchString(statement) && (changesColumn(code) || rename.MatchString(code) || dropsForGood(code, created)) {
			unmarked = append(unmarked, strings.TrimSpace(code))
		}
	}
	return unmarked
}

// changesColumn reports whether a statement drops or renames a column, or renames a table.
func changesColumn(code string) bool {
	return alterTable.MatchString(code) && slices.ContainsFunc(dropOrRename.FindAllStringSubmatch(code, -1), func(found []string) bool {
		return !slices.Contains(notColumns, strings.ToUpper(found[1]))
	})
}

// dropsForGood reports whether a statement drops something that no statement after it creates again.
func dropsForGood(code string, created map[string]bool) bool {
	found := drop.FindStringSubmatch(code)
	if found == nil {
		return false
	}
	return slices.ContainsFunc(dropped.FindAllStringSubmatch(found[2], -1), func(one []string) bool {
		return !slices.Contains([]string{"CASCADE", "RESTRICT"}, strings.ToUpper(one[1])) && !created[keyOf(found[1], one[1], one[2])]
	})
}

// keyOf returns what identifies something of a kind: its name, and for a function also the number of its arguments, as the
// release before may call it with each.
func keyOf(kind, name, arguments string) string {
	kind, arguments = strings.ToLower(kind), strings.Trim(arguments, "() \n\t")
	if kind != "function" && kind != "procedure" && kind != "routine" {
		return kind + " " + strings.ToLower(name)
	}
	count := 0
	if arguments != "" {
		count = 1 + strings.Count(arguments, ",")
	}
	return fmt.Sprintf("%s %s %d", kind, strings.ToLower(name), count)
}

// The processes of the release before run on after a migration, so what they use is dropped or renamed by a later release than
// the one that stops using it.
func TestMigrations_KeepWhatPreviousReleaseUses(t *testing.T) {
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
		"ALTER TABLE users DROP COLUMN a;":                                                                 true,
		"alter table users\n    add b text,\n    drop a;":                                                  true,
		"-- Why.\nALTER TABLE users DROP COLUMN IF EXISTS a;":                                              true,
		"ALTER TABLE users RENAME COLUMN a TO b;":                                                          true,
		"ALTER TABLE users RENAME a TO b;":                                                                 true,
		"ALTER TABLE users RENAME TO members;":                                                             true,
		"-- Unused since release v1.4.0.\nALTER TABLE users ADD a text;\nALTER TABLE users DROP COLUMN b;": true,
		"-- Unused since release v1.4.0.\nALTER TABLE users DROP COLUMN a;":                                false,
		"ALTER TABLE users\n    -- Unused since release v1.4.0\n    DROP COLUMN a;":                        false,
		"ALTER TABLE users DROP CONSTRAINT a, ALTER COLUMN b DROP NOT NULL;":                               false,
		"ALTER TABLE users ALTER COLUMN b DROP DEFAULT, RENAME CONSTRAINT a TO b;":                         false,
		"-- ALTER TABLE users DROP COLUMN a\nDROP INDEX shown;":                                            false,
		"DROP TABLE users;":                                 true,
		"DROP VIEW shown;":                                  true,
		"drop view if exists shown cascade;":                true,
		"DROP FUNCTION seen(uuid, text);":                   true,
		"DROP TYPE mood;":                                   true,
		"ALTER VIEW shown RENAME TO seen;":                  true,
		"ALTER FUNCTION seen(uuid) RENAME TO shown;":        true,
		"-- Unused since release v1.4.0.\nDROP VIEW shown;": false,
		"DROP FUNCTION shown(), seen(uuid);\nCREATE FUNCTION shown() RETURNS int LANGUAGE sql AS 'SELECT 1';":   true,
		"DROP VIEW shown, seen;\nCREATE VIEW shown AS SELECT 1;":                                                true,
		"DROP VIEW shown;\nCREATE VIEW shown AS SELECT 1;":                                                      false,
		"DROP FUNCTION seen(uuid);\nCREATE FUNCTION seen(a uuid) RETURNS int LANGUAGE sql AS 'SELECT 1';":       false,
		"DROP FUNCTION seen(uuid, text);\nCREATE FUNCTION seen(a uuid) RETURNS int LANGUAGE sql AS 'SELECT 1';": true,
		"DROP VIEW shown;\nCREATE FUNCTION shown() RETURNS int LANGUAGE sql AS 'SELECT 1';":                     true,
		"CREATE VIEW shown AS SELECT 1;\nDROP VIEW shown;":                                                      true,
		"DROP VIEW shown;\n-- CREATE VIEW shown":                                                                true,
		"-- +goose NO TRANSACTION\nDROP VIEW shown;\nCREATE VIEW shown AS SELECT 1;":                            true,
		"DROP TRIGGER a ON users;":                                    false,
		"CREATE OR REPLACE VIEW shown AS SELECT 1;":                   false,
		"SELECT 1;\n-- +goose Down\nALTER TABLE users DROP COLUMN a;": false,
	} {
		require.Equal(t, isUnmarked, len(unmarkedDrops(sql)) > 0, sql)
	}
}
