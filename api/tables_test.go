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

// variableTables are the files whose statements get the name of a table or view from a variable, with its values.
var variableTables = map[string]string{
	"api/activity/statements.go":        "a subselect",
	"api/admin/store.go":                "lists of this package",
	"api/platform/feature/retention.go": "the tables of Data.Retention, each of its own feature",
	"api/queue/store.go":                "views of the features that have cases",
}

// foreignTables are the tables that a package names although another one owns them, with the reason.
var foreignTables = map[string]string{
	"api/dates conversations": "a page of dates joins the conversations of both sides in one scan, and conversation_sides has a row for each side",
}

func TestTables_AreNamedOnlyByTheirOwner(t *testing.T) {
	t.Parallel()
	owner := tableOwners(t)
	for _, table := range createdTables(t) {
		require.NotEmpty(t, owner[table], "%s has no owner: add it to Data.Tables of its feature", table)
	}
	expected, variable := maps.Clone(foreignTables), maps.Clone(variableTables)
	statements := parseStatements(t)
	require.Greater(t, len(statements), 1000)
	consts := constantsOf(statements)
	for _, s := range statements {
		tables, inserted := tablesOf(s, consts)
		for _, name := range inserted {
			delete(variable, s.path)
			if variableTables[s.path] == "" {
				t.Errorf("%s: the name of a table is not in the statement, but inserted by %s", s.path, name)
			}
		}
		for _, table := range tables {
			if owner[table] == "" || owner[table] == s.pkg || strings.HasPrefix(s.pkg, owner[table]+"/") {
				continue
			}
			if known := s.pkg + " " + table; foreignTables[known] != "" {
				delete(expected, known)
				continue
			}
			t.Errorf("%s names %s, a table of %s: read a view or call a function of the owner", s.path, table, owner[table])
		}
	}
	require.Empty(t, expected, "no longer named: remove them from foreignTables")
	require.Empty(t, variable, "without such a statement: remove them from variableTables")
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

// statement is a text in a Go file, with {name} for what is inserted between its literals.
type statement struct {
	source
	text     string
	constant string // its name, if it is one
}

// parseStatements returns the texts of all sources. Most are no statements.
func parseStatements(t *testing.T) (all []statement) {
	t.Helper()
	for _, file := range sources(t) {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file.path), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		constant := ""
		var visit func(n ast.Node) bool
		visit = func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				if n.Tok != token.CONST {
					return true
				}
				for _, spec := range n.Specs {
					spec := spec.(*ast.ValueSpec)
					for i, value := range spec.Values {
						constant = spec.Names[i].Name
						ast.Inspect(value, visit)
						constant = ""
					}
				}
				return false
			case *ast.BasicLit, *ast.BinaryExpr:
				text, others, isText := joinLiterals(n.(ast.Expr))
				if !isText {
					return true
				}
				all = append(all, statement{file, text, constant})
				for _, other := range others {
					ast.Inspect(other, visit)
				}
				return false
			}
			return true
		}
		ast.Inspect(parsed, visit)
	}
	return all
}

// joinLiterals joins the terms of a sum, with {name} for constants and variables and {} for other expressions, which it
// returns too. It reports whether one of the terms is a literal.
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
	case *ast.Ident:
		return "{" + e.Name + "}", nil, false
	case *ast.SelectorExpr:
		if pkg, ok := e.X.(*ast.Ident); ok {
			return "{" + pkg.Name + "." + e.Sel.Name + "}", nil, false
		}
	}
	return "{}", []ast.Expr{e}, false
}

// constantsOf returns the texts of the constants by package and name.
func constantsOf(statements []statement) map[string]string {
	texts := map[string]string{}
	for _, s := range statements {
		if s.constant != "" {
			texts[s.pkg+" "+s.constant] = s.text
		}
	}
	return texts
}

// isStatement finds the texts with SQL. In others "from" and "join" are English.
var isStatement = regexp.MustCompile(`(?i)\b(?:SELECT|INSERT\s+INTO|UPDATE\s+(?:ONLY\s+)?\S+\s+(?:AS\s+)?(?:\w+\s+)?SET|MERGE\s+INTO|LOCK\s+TABLE|DELETE\s+FROM|TRUNCATE|JOIN\s+\S+\s+(?:\w+\s+)?(?:ON|USING))\b|^\s*FROM\b|\b(?-i:JOIN)\b`)

// isFragment finds the texts that continue FROM.
var isFragment = regexp.MustCompile(`(?i)^\s*"?\w+"?\s+(?:AS\s+)?\w+\s+(?:(?:LEFT|RIGHT|FULL|INNER|CROSS|NATURAL)\s+)?(?:OUTER\s+)?JOIN\b`)

// tablesOf returns the names of the tables in a text, and what a statement inserts in the place of a name, unless it is a
// constant of its package.
func tablesOf(s statement, consts map[string]string) (tables, inserted []string) {
	if !isStatement.MatchString(s.text) {
		return nil, nil
	}
	text := s.text
	if isFragment.MatchString(text) {
		text = "FROM " + text
	}
	for _, name := range tablesIn(text) {
		inner := strings.Trim(name, "{}")
		fragment, isConstant := consts[s.pkg+" "+inner]
		switch {
		case !strings.ContainsAny(name, "{%"):
			tables = append(tables, name)
		case isConstant:
			tables = append(tables, tablesIn("FROM "+fragment)...)
		default:
			inserted = append(inserted, name)
		}
	}
	return tables, inserted
}

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
