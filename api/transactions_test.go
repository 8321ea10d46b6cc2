package api_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTransactions_AssignToNoOuterVariable checks the function literals in api and
// jobs that take a pgx.Tx. pg.Tx may run them more than once, so they must return
// their results: a variable outside would keep the value of a run that was rolled back.
func TestTransactions_AssignToNoOuterVariable(t *testing.T) {
	t.Parallel()
	checked := 0
	for _, root := range []string{".", "../jobs"} {
		require.NoError(t, filepath.WalkDir(root, func(dir string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return err
			}
			paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
			if err != nil {
				return err
			}
			fset, packages := token.NewFileSet(), map[string][]*ast.File{}
			for _, path := range paths {
				file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
				if err != nil {
					return err
				}
				packages[file.Name.Name] = append(packages[file.Name.Name], file)
			}
			for _, files := range packages {
				found, n := outerAssignments(fset, files)
				checked += n
				for _, problem := range found {
					t.Error(problem)
				}
			}
			return nil
		}))
	}
	require.Greater(t, checked, 50, "the test found enough transactions")
}

func TestOuterAssignments(t *testing.T) {
	t.Parallel()
	for body, wrong := range map[string]bool{
		`n = 1`:                 true,
		`n, err := f(); g(err)`: false,
		`n, err = f()`:          true,
		`r.field = 1`:           true,
		`m["key"] = 1`:          true,
		`n++`:                   true,
		`q.Scan(&n)`:            true,
		`q.Scan(&r.field)`:      true,
		`for n = range 3 {}`:    true,
		`func() { n = 1 }()`:    true,
		`g(n, r.field)`:         false,
		`var inner int; inner = 1; q.Scan(&inner)`: false,
		`n := 1; n = 2; g(n)`:                      false,
	} {
		source := `package p
			import "example.com/pg"
			func outer() error {
				var n int
				var err error
				var r struct{ field int }
				m := map[string]int{}
				return pg.TxDo(ctx, pool, func(tx pgx.Tx) error { ` + body + `; return nil })
			}
			func once() {
				n := 0
				pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { n = 1; return nil })
			}`
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
		require.NoError(t, err)
		found, checked := outerAssignments(fset, []*ast.File{file})
		require.Equal(t, 1, checked)
		require.Equal(t, wrong, len(found) > 0, body)
	}
}

// outerAssignments returns where the files' functions of a transaction assign to
// or take the address of a variable that is declared outside of them, and the
// number of functions. It skips functions passed to pgx itself, which runs each
// of them once.
func outerAssignments(fset *token.FileSet, files []*ast.File) (found []string, checked int) {
	dropOtherBodies(files)
	uses := map[*ast.Ident]types.Object{}
	// The variables of a function are known without the packages it imports.
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	_, _ = config.Check("p", fset, files, &types.Info{Uses: uses})
	for _, file := range files {
		once := map[ast.Node]bool{}
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.CallExpr:
				if called, ok := n.Fun.(*ast.SelectorExpr); ok && (called.Sel.Name == "BeginFunc" || called.Sel.Name == "BeginTxFunc") {
					once[n.Args[len(n.Args)-1]] = true
				}
			case *ast.FuncLit:
				if !takesTx(n) || once[n] {
					break
				}
				checked++
				for _, target := range targets(n.Body) {
					variable, ok := uses[target].(*types.Var)
					if ok && (variable.Pos() < n.Pos() || variable.Pos() > n.End()) {
						found = append(found, fmt.Sprintf("%s: a transaction changes %s, which is declared outside of it: return a value instead",
							fset.Position(target.Pos()), target.Name))
					}
				}
			}
			return true
		})
	}
	return found, checked
}

// dropOtherBodies removes the bodies of functions without a transaction: checking their types takes half of the time.
func dropOtherBodies(files []*ast.File) {
	for _, file := range files {
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			found := false
			ast.Inspect(function, func(node ast.Node) bool {
				literal, ok := node.(*ast.FuncLit)
				found = found || ok && takesTx(literal)
				return !found
			})
			if !found {
				function.Body = nil
			}
		}
	}
}

func takesTx(function *ast.FuncLit) bool {
	for _, parameter := range function.Type.Params.List {
		if selector, ok := parameter.Type.(*ast.SelectorExpr); ok && types.ExprString(selector) == "pgx.Tx" {
			return true
		}
	}
	return false
}

// targets returns the variables that statements of body assign to or take the
// address of.
func targets(body *ast.BlockStmt) (found []*ast.Ident) {
	add := func(expressions ...ast.Expr) {
		for _, e := range expressions {
			if variable := rootOf(e); variable != nil {
				found = append(found, variable)
			}
		}
	}
	ast.Inspect(body, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.AssignStmt:
			add(n.Lhs...)
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.RangeStmt:
			add(n.Key, n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				add(n.X)
			}
		}
		return true
	})
	return found
}

// rootOf returns the variable that x, x.field, x[i] and *x belong to.
func rootOf(e ast.Expr) *ast.Ident {
	for {
		switch n := e.(type) {
		case *ast.Ident:
			return n
		case *ast.SelectorExpr:
			e = n.X
		case *ast.IndexExpr:
			e = n.X
		case *ast.StarExpr:
			e = n.X
		case *ast.ParenExpr:
			e = n.X
		default:
			return nil
		}
	}
}

type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }
