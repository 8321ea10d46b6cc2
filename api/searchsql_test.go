package api_test

import (
	"go/ast"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	isCondition = regexp.MustCompile(`^(?:\{\})?\s*(?:WHERE|AND|OR|ORDER BY|LIMIT)\b`)
	sqlString   = regexp.MustCompile(`'[^']*'`)
	verb        = regexp.MustCompile(`%(?:\[\d+\])?[a-z]`)
)

// computedParts counts the statements and conditions in a tree of a file, and returns the parts of them that are no constants.
func computedParts(p program, file goFile, tree ast.Node) (statements int, parts []string) {
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
			if _, ok := p.constantOf(file, other); isSQL && !ok {
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
	p, all := parseProgram(t), 0
	for _, file := range p.files {
		if file.pkg != "api/discovery" {
			continue
		}
		count, parts := computedParts(p, file, file.tree)
		all += count
		require.Empty(t, parts, file.path)
	}
	require.Greater(t, all, 15)
}

func TestComputedParts_FindsWhatIsNoConstant(t *testing.T) {
	t.Parallel()
	for expression, isComputed := range map[string]bool{
		`"SELECT " + f`:                        true,
		`statement + " WHERE " + condition`:    true,
		`"SELECT 1 FROM a WHERE " + f()`:       true,
		`"DELETE FROM %s"`:                     true,
		`"SELECT 1 FROM a WHERE " + elsewhere`: true,
		`"SELECT 1 FROM a WHERE " + isShown`:   false,
	} {
		p := program{constants: map[string]constant{}}
		p.parseFile(t, "api/other", "package other\n const elsewhere = `b`")
		file := p.parseFile(t, "api/discovery", "package discovery\n const isShown = `b`\n func g(f, statement, condition string) string { return "+expression+" }")
		_, parts := computedParts(p, file, file.tree)
		require.Equal(t, isComputed, len(parts) > 0, expression)
	}
}
