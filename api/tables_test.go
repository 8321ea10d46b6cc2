package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/platform/pgtest"
)

// tableOwners returns the feature whose SQL may name each table, which is the package and those below it. Others call
// functions of the owner, or read its views, such as conversation_sides, and call its
// SQL functions, such as close_conversation.
func tableOwners(t *testing.T) map[string]string {
	t.Helper()
	owners := map[string]string{
		"blob_removals": "api/platform/blobs", "bus_nodes": "api/platform/bus", "job_clients": "jobs",
		"database_identity": "api/platform/pg", "migration_files": "api/platform/pg",
	}
	for pkg, tables := range api.TablesByPackage() {
		for _, table := range tables {
			require.Empty(t, owners[table], "%s has two owners", table)
			owners[table] = pkg
		}
	}
	return owners
}

// The owners that pgtest compares the statements of all tests with are those of the registry. scripts/generate writes
// them, by this test with WRITE_DOCS=1.
func TestTables_OwnersAreGenerated(t *testing.T) {
	t.Parallel()
	const path = "platform/pgtest/table_owners.tsv"
	owner, want := tableOwners(t), ""
	for _, table := range slices.Sorted(maps.Keys(owner)) {
		want += table + "\t" + owner[table] + "\n"
	}
	stored, err := os.ReadFile(path)
	require.NoError(t, err)
	if string(stored) != want && os.Getenv("WRITE_DOCS") != "" {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	} else if string(stored) != want {
		t.Errorf("%s is not what the registry says: run scripts/generate\n%s", path, firstDifference(string(stored), want))
	}
}

// This test reads the texts in the source, and so finds a statement that no test sends. pgtest checks what tests send, and
// so finds the tables in a statement that is composed from several texts.
func TestTables_AreNamedOnlyByTheirOwner(t *testing.T) {
	t.Parallel()
	owner := tableOwners(t)
	for _, table := range createdTables(t) {
		require.NotEmpty(t, owner[table], "%s has no owner: add it to Data.Tables of its feature", table)
	}
	expected := maps.Clone(pgtest.ForeignTables)
	statements := parseStatements(t)
	require.Greater(t, len(statements), 1000)
	for _, s := range statements {
		if !isStatement.MatchString(s.text) {
			continue
		}
		for _, table := range tablesIn(s.text) {
			if owner[table] == "" || owner[table] == s.pkg || strings.HasPrefix(s.pkg, owner[table]+"/") {
				continue
			}
			if known := s.pkg + " " + table; pgtest.ForeignTables[known] != "" {
				delete(expected, known)
				continue
			}
			t.Errorf("%s names %s, a table of %s: read a view or call a function of the owner", s.path, table, owner[table])
		}
	}
	require.Empty(t, expected, "no longer named: remove them from pgtest.ForeignTables")
}

// variableTables are the files whose statements get the name of a table or view while the program runs, with its values.
var variableTables = map[string]string{
	"api/admin/store.go":                "lists of this package",
	"api/platform/feature/retention.go": "the tables of Data.Retention, each of its own feature",
	"api/queue/store.go":                "views of the features that have cases",
}

// A table whose name is no part of the text would not be found by TestTables_AreNamedOnlyByTheirOwner.
func TestTables_AreNamedInTheText(t *testing.T) {
	t.Parallel()
	p, unused := parseProgram(t), maps.Clone(variableTables)
	for _, file := range p.files {
		for _, text := range p.textsOf(file) {
			if !isStatement.MatchString(text) || len(variableNames(text)) == 0 {
				continue
			}
			delete(unused, file.path)
			if variableTables[file.path] == "" {
				t.Errorf("%s: the name of a table is inserted while the program runs: %s", file.path, text)
			}
		}
	}
	require.Empty(t, unused, "without such a statement: remove them from variableTables")
}

// variableNames returns the places of tables in a text that have no name, but what is inserted.
func variableNames(text string) []string {
	return slices.DeleteFunc(tablesIn(text), func(name string) bool { return !strings.HasPrefix(name, "{") && !strings.HasPrefix(name, "%") })
}

func TestVariableNames_FindsInsertedTables(t *testing.T) {
	t.Parallel()
	for text, isVariable := range map[string]bool{
		`SELECT 1 FROM {} WHERE a`:             true,
		`DELETE FROM %s`:                       true,
		`SELECT 1 FROM users u JOIN {} n ON a`: true,
		`UPDATE {} SET a = 1`:                  true,
		`INSERT INTO {} (a) VALUES (1)`:        true,
		`SELECT {} FROM users WHERE a = {}`:    false,
		`SELECT 1 FROM ({}) s`:                 false,
		`SELECT 1 FROM users ORDER BY {}`:      false,
		`SELECT 1 FROM visible_members({}) u`:  false,
	} {
		require.Equal(t, isVariable, len(variableNames(text)) > 0, text)
	}
}

// createdTables returns the tables that the migrations create.
func createdTables(t *testing.T) []string {
	t.Helper()
	names := map[string]bool{}
	paths, err := filepath.Glob("../migrations/*.sql")
	require.NoError(t, err)
	for _, path := range paths {
		sql, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)`).FindAllSubmatch(sql, -1) {
			names[string(m[1])] = true
		}
	}
	require.Greater(t, len(names), 30)
	return slices.Sorted(maps.Keys(names))
}

// source is a Go file of the program.
type source struct{ pkg, path string }

// sources returns the Go files of the program, without tests, their kit and demo data. Package main has the name "main".
func sources(t *testing.T) (files []source) {
	t.Helper()
	for _, root := range []string{"../main.go", "../api", "../jobs", "../push"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			path = strings.TrimPrefix(filepath.ToSlash(path), "../")
			pkg, _, _ := strings.Cut(path, "/"+filepath.Base(path))
			if pkg == path {
				pkg = "main"
			}
			if !slices.Contains([]string{"api/seed", "api/platform/pgtest", "api/platform/testkit", "api/messaging/messagingtest", "api/messaging/plantest"}, pkg) {
				files = append(files, source{pkg, path})
			}
			return nil
		}))
	}
	require.Equal(t, source{"main", "main.go"}, files[0])
	return files
}

// statement is a text in a Go file, with {} for what is inserted between its literals.
type statement struct {
	source
	text string
}

// parseStatements returns the texts of all sources. Most are no statements.
func parseStatements(t *testing.T) (all []statement) {
	t.Helper()
	for _, file := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file.path), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		var visit func(n ast.Node) bool
		visit = func(n ast.Node) bool {
			e, isExpression := n.(ast.Expr)
			if !isExpression {
				return true
			}
			text, others, isText := joinLiterals(e)
			if !isText {
				return true
			}
			all = append(all, statement{file, text})
			for _, other := range others {
				ast.Inspect(other, visit)
			}
			return false
		}
		ast.Inspect(parsed, visit)
	}
	return all
}

// joinLiterals joins the terms of a sum, with {} for those that are no literals, which it returns too. It reports whether
// one of the terms is a literal.
func joinLiterals(e ast.Expr) (text string, others []ast.Expr, isText bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, nil, err == nil
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			left, leftOthers, leftIsText := joinLiterals(e.X)
			right, rightOthers, rightIsText := joinLiterals(e.Y)
			return left + right, append(leftOthers, rightOthers...), leftIsText || rightIsText
		}
	case *ast.ParenExpr:
		return joinLiterals(e.X)
	}
	return "{}", []ast.Expr{e}, false
}

// isStatement finds the texts with SQL. In others "from" and "join" are English.
var isStatement = regexp.MustCompile(`(?i)\b(?:SELECT|INSERT\s+INTO|UPDATE\s+(?:ONLY\s+)?\S+\s+(?:AS\s+)?(?:\w+\s+)?SET|MERGE\s+INTO|LOCK\s+TABLE|DELETE\s+FROM|TRUNCATE|JOIN\s+\S+\s+(?:\w+\s+)?(?:ON|USING))\b|^\s*FROM\b|\b(?-i:JOIN)\b`)

func stringLiterals(path string) (literals []string, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, unquoteErr := strconv.Unquote(literal.Value)
			if unquoteErr != nil {
				err = unquoteErr
			}
			literals = append(literals, text)
		}
		return true
	})
	return literals, err
}
