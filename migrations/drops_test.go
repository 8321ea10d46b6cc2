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
	dropped      = regexp.MustCompile(`"?(\w+)"?\s*(\((?:[^()]|\([^()]*\))*\))?`)
	create       = regexp.MustCompile(`(?i)\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:MATERIALIZED\s+|UNLOGGED\s+)?(TABLE|VIEW|FUNCTION|PROCEDURE|ROUTINE|SEQUENCE|TYPE|DOMAIN)\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?\s*(\((?:[^()]|\([^()]*\))*\))?`)
	outsideTx    = regexp.MustCompile(`-- \+goose NO TRANSACTION`)
)

// notColumns are the words after DROP or RENAME in a change of a table that concerns no column as a whole.
var notColumns = []string{"CONSTRAINT", "DEFAULT", "NOT", "EXPRESSION", "IDENTITY"}

// schema is what unmarkedDrops remembers of earlier files: the columns of each view, nil if they cannot be read from its text.
type schema map[string][]string

// unmarkedDrops returns the statements of a file, without the comment, that drop or rename a table, a column, a view, a
// function or a type. It leaves out what the same transaction creates again under the same name, with the same arguments of a
// function and at least the same columns of a view. A comment must not contain a semicolon. The views of the file are stored in
// earlier.
func unmarkedDrops(file string, earlier schema) (unmarked []string) {
	up, _, _ := strings.Cut(file, "-- +goose Down")
	inTx := !outsideTx.MatchString(up)
	for up != "" {
		var statement string
		statement, up, _ = strings.Cut(up, ";")
		code := comment.ReplaceAllString(statement, "")
		created := map[string]string{}
		if inTx {
			created = definitionsOf(comment.ReplaceAllString(up, ""))
		}
		if !unusedSince.MatchString(statement) && (changesColumn(code) || rename.MatchString(code) || dropsForGood(code, created, earlier)) {
			unmarked = append(unmarked, strings.TrimSpace(code))
		}
		for key, text := range definitionsOf(code) {
			earlier[key] = columnsOf(text)
		}
	}
	return unmarked
}

// definitionsOf returns the texts of what code creates, by the keys of keyOf.
func definitionsOf(code string) map[string]string {
	definitions := map[string]string{}
	for statement := range strings.SplitSeq(code, ";") {
		for _, found := range create.FindAllStringSubmatch(statement, -1) {
			definitions[keyOf(found[1], found[2], typesOf(found[3], true))] = statement
		}
	}
	return definitions
}

// changesColumn reports whether a statement drops or renames a column, or renames a table.
func changesColumn(code string) bool {
	return alterTable.MatchString(code) && slices.ContainsFunc(dropOrRename.FindAllStringSubmatch(code, -1), func(found []string) bool {
		return !slices.Contains(notColumns, strings.ToUpper(found[1]))
	})
}

// dropsForGood reports whether a statement drops something that no statement after it creates again.
func dropsForGood(code string, created map[string]string, earlier schema) bool {
	found := drop.FindStringSubmatch(code)
	if found == nil {
		return false
	}
	return slices.ContainsFunc(dropped.FindAllStringSubmatch(found[2], -1), func(one []string) bool {
		if slices.Contains([]string{"CASCADE", "RESTRICT"}, strings.ToUpper(one[1])) {
			return false
		}
		key := keyOf(found[1], one[1], typesOf(one[2], false))
		again, isCreated := created[key]
		return !isCreated || losesColumns(earlier, key, columnsOf(again))
	})
}

// losesColumns reports whether a view that is created again may lack a column that it had.
func losesColumns(earlier schema, key string, columns []string) bool {
	had, isKnown := earlier[key]
	if !strings.HasPrefix(key, "view ") || !isKnown {
		return false
	}
	return had == nil || slices.ContainsFunc(had, func(column string) bool { return !slices.Contains(columns, column) })
}

var (
	viewQuery  = regexp.MustCompile(`(?is)\bVIEW\b.*?\bAS\s+SELECT\b(.*)`)
	parens     = regexp.MustCompile(`\([^()]*\)`)
	fromClause = regexp.MustCompile(`(?is)\s\bFROM\b.*`)
	lastWord   = regexp.MustCompile(`"?(\w+)"?\s*$`)
)

// columnsOf returns the names of the columns of a view, or nil if its text does not name them.
func columnsOf(definition string) (columns []string) {
	found := viewQuery.FindStringSubmatch(definition)
	if found == nil {
		return nil
	}
	for _, expression := range strings.Split(fromClause.ReplaceAllString(withoutParens(found[1]), ""), ",") {
		name := lastWord.FindStringSubmatch(expression)
		if name == nil {
			return nil // such as all columns of a table
		}
		columns = append(columns, strings.ToLower(name[1]))
	}
	return columns
}

// withoutParens removes what is between parentheses, however deep.
func withoutParens(code string) string {
	for parens.MatchString(code) {
		code = parens.ReplaceAllString(code, "")
	}
	return code
}

var (
	argumentMode    = regexp.MustCompile(`(?i)^(?:IN|INOUT|VARIADIC)\s+`)
	argumentName    = regexp.MustCompile(`^\w+\s+`)
	argumentDefault = regexp.MustCompile(`(?is)\s*(?:\bDEFAULT\b|=).*`)
)

// typesOf returns the types of a list of arguments in parentheses. Those of a definition have names; a DROP names the types only.
func typesOf(arguments string, isNamed bool) string {
	arguments = strings.TrimSpace(arguments)
	arguments = strings.TrimSuffix(strings.TrimPrefix(arguments, "("), ")")
	var types []string
	for argument := range strings.SplitSeq(withoutParens(arguments), ",") {
		argument = argumentMode.ReplaceAllString(strings.TrimSpace(argument), "")
		if isNamed {
			argument = argumentName.ReplaceAllString(argument, "")
		}
		types = append(types, strings.ToLower(strings.TrimSpace(argumentDefault.ReplaceAllString(argument, ""))))
	}
	return strings.Join(types, ", ")
}

// keyOf returns what identifies something of a kind: its name, and for a function also the types of its arguments, as the
// release before may call it with each.
func keyOf(kind, name, types string) string {
	kind = strings.ToLower(kind)
	if kind != "function" && kind != "procedure" && kind != "routine" {
		return kind + " " + strings.ToLower(name)
	}
	return fmt.Sprintf("%s %s (%s)", kind, strings.ToLower(name), types)
}

// The processes of the release before run on after a migration, so what they use is dropped or renamed by a later release than
// the one that stops using it.
func TestMigrations_KeepWhatPreviousReleaseUses(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.FS, "*.sql")
	require.NoError(t, err)
	require.Contains(t, names, lastUnmarked)
	earlier := schema{}
	for _, name := range names {
		file, err := fs.ReadFile(migrations.FS, name)
		require.NoError(t, err)
		unmarked := unmarkedDrops(string(file), earlier)
		switch {
		case name < lastUnmarked:
			continue
		case name == lastUnmarked:
			require.Len(t, unmarked, 1)
			continue
		}
		require.Empty(t, unmarked, "%s: the release before may use this: drop it in a later one, "+
			"with the comment “-- Unused since release …”", name)
	}
	for _, view := range []string{"view profiles", "view search_members"} {
		require.Greater(t, len(earlier[view]), 20, "%s: its columns are read from its text", view)
	}
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
		"DROP FUNCTION shown(), seen(uuid);\nCREATE FUNCTION shown() RETURNS int LANGUAGE sql AS 'SELECT 1';":                                                    true,
		"DROP VIEW shown, seen;\nCREATE VIEW shown AS SELECT 1;":                                                                                                 true,
		"DROP VIEW shown;\nCREATE VIEW shown AS SELECT 1;":                                                                                                       false,
		"DROP FUNCTION seen(uuid);\nCREATE FUNCTION seen(a uuid) RETURNS int LANGUAGE sql AS 'SELECT 1';":                                                        false,
		"DROP FUNCTION seen(uuid, text);\nCREATE FUNCTION seen(a uuid) RETURNS int LANGUAGE sql AS 'SELECT 1';":                                                  true,
		"DROP FUNCTION seen(text);\nCREATE FUNCTION seen(a uuid) RETURNS int LANGUAGE sql AS 'SELECT 1';":                                                        true,
		"DROP FUNCTION seen(uuid, numeric(3, 1));\nCREATE FUNCTION seen(IN a uuid, b numeric(3, 1) DEFAULT round(1, 2)) RETURNS int LANGUAGE sql AS 'SELECT 1';": false,
		"CREATE VIEW shown AS SELECT a, t.b, f(a, b) AS c FROM t;\nDROP VIEW shown;\nCREATE VIEW shown AS SELECT c, a, b FROM (SELECT 1) t;":                     false,
		"CREATE VIEW shown AS SELECT a, t.b FROM t;\nDROP VIEW shown;\nCREATE VIEW shown AS SELECT a, c FROM t;":                                                 true,
		"CREATE VIEW shown AS SELECT a FROM t;\nDROP VIEW shown;\nCREATE VIEW shown AS SELECT t.* FROM t;":                                                       true,
		"CREATE VIEW shown AS SELECT t.* FROM t;\nDROP VIEW shown;\nCREATE VIEW shown AS SELECT a FROM t;":                                                       true,
		"CREATE VIEW shown AS SELECT a, b FROM t;\n-- Unused since release v1.4.0.\nDROP VIEW shown;\nCREATE VIEW shown AS SELECT a FROM t;":                     false,
		"DROP VIEW shown;\nCREATE FUNCTION shown() RETURNS int LANGUAGE sql AS 'SELECT 1';":                                                                      true,
		"CREATE VIEW shown AS SELECT 1;\nDROP VIEW shown;":                                                                                                       true,
		"DROP VIEW shown;\n-- CREATE VIEW shown":                                                                                                                 true,
		"-- +goose NO TRANSACTION\nDROP VIEW shown;\nCREATE VIEW shown AS SELECT 1;":                                                                             true,
		"DROP TRIGGER a ON users;":                                    false,
		"CREATE OR REPLACE VIEW shown AS SELECT 1;":                   false,
		"SELECT 1;\n-- +goose Down\nALTER TABLE users DROP COLUMN a;": false,
	} {
		require.Equal(t, isUnmarked, len(unmarkedDrops(sql, schema{})) > 0, sql)
	}
}
