package api_test

import (
	"fmt"
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

// tableOwners returns the package whose SQL may name each table. Other packages call
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

// tableName finds the tables that a statement names.
var tableName = regexp.MustCompile(`\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(\w+)`)

func TestTables_AreNamedOnlyByTheirOwner(t *testing.T) {
	t.Parallel()
	owner := tableOwners(t)
	for _, table := range createdTables(t) {
		require.NotEmpty(t, owner[table], "%s has no owner: add it to Data.Tables of its feature", table)
	}
	for pkg, tables := range tablesByPackage(t, owner) {
		for table := range tables {
			if owner[table] != pkg {
				t.Errorf("%s names %s, a table of %s: read a view or call a function of the owner", pkg, table, owner[table])
			}
		}
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

// tablesByPackage returns the tables named in string literals of each package of api,
// jobs and push, without tests, their kit and demo data.
func tablesByPackage(t *testing.T, owner map[string]string) map[string]map[string]bool {
	t.Helper()
	found := map[string]map[string]bool{}
	for _, root := range []string{"../api", "../jobs", "../push"} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			pkg := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../"))
			if pkg == "api/seed" || pkg == "api/platform/pgtest" || pkg == "api/platform/testkit" {
				return nil
			}
			literals, err := stringLiterals(path)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			for _, m := range tableName.FindAllStringSubmatch(strings.Join(literals, "\n"), -1) {
				if owner[m[1]] == "" {
					continue
				}
				if found[pkg] == nil {
					found[pkg] = map[string]bool{}
				}
				found[pkg][m[1]] = true
			}
			return nil
		})
		require.NoError(t, err)
	}
	return found
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
