package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	isCondition = regexp.MustCompile(`^(?:\{\})?\s*(?:WHERE|AND|OR|ORDER BY|LIMIT)\b`)
	sqlString   = regexp.MustCompile(`'[^']*'`)
	verb        = regexp.MustCompile(`%(?:\[\d+\])?[a-z]`)
)

// computedParts counts the statements and conditions in a tree, and returns the parts of them that are no constants.
func computedParts(tree ast.Node, constants map[string]bool) (statements int, parts []string) {
	var visit func(ast.Node) bool
	visit = func(n ast.Node) bool {
		e, isExpression := n.(ast.Expr)
		if !isExpression {
			return true
		}
		text, others, isText := joinLiterals(e)
		if !isText {
			return true
		}
		isSQL := isStatement.MatchString(text) || isCondition.MatchString(text)
		if isSQL {
			statements++
			parts = append(parts, verb.FindAllString(sqlString.ReplaceAllString(text, "''"), -1)...)
		}
		for _, other := range others {
			if name, ok := other.(*ast.Ident); isSQL && (!ok || !constants[name.Name]) {
				parts = append(parts, "{}")
			}
			ast.Inspect(other, visit)
		}
		return false
	}
	ast.Inspect(tree, visit)
	return statements, parts
}

// The statements of the search are constants, so that each is read, explained and searched for as it runs.
func TestStatements_OfSearchAreConstants(t *testing.T) {
	t.Parallel()
	trees, constants := map[string]*ast.File{}, map[string]bool{}
	for _, file := range sources(t) {
		if file.pkg != "api/discovery" {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file.path), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		trees[file.path] = tree
		ast.Inspect(tree, func(n ast.Node) bool {
			if group, ok := n.(*ast.GenDecl); ok && group.Tok == token.CONST {
				for _, spec := range group.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						constants[name.Name] = true
					}
				}
			}
			return true
		})
	}
	all := 0
	for path, tree := range trees {
		count, parts := computedParts(tree, constants)
		all += count
		require.Empty(t, parts, path)
	}
	require.Greater(t, all, 15)
	for _, text := range []string{`"SELECT " + f`, `statement + " WHERE " + condition`, `"SELECT 1 FROM a WHERE " + f()`, `"DELETE FROM %s"`} {
		e, err := parser.ParseExpr(text)
		require.NoError(t, err)
		_, parts := computedParts(e, constants)
		require.NotEmpty(t, parts, text)
	}
}
