package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goFile is a parsed source. Its names are resolved within the file.
type goFile struct {
	source
	tree    *ast.File
	imports map[string]string // the package of this program, by the name in the file
}

// program has the parsed sources, and the constants of their packages by qualified name, such as "api/auth.lastSeen".
type program struct {
	files     []goFile
	constants map[string]constant
}

// constant is the value of a constant and its file.
type constant struct {
	value ast.Expr
	file  goFile
}

func parseProgram(t *testing.T) program {
	t.Helper()
	p := program{constants: map[string]constant{}}
	for _, file := range sources(t) {
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file.path), nil, 0)
		require.NoError(t, err)
		p.add(goFile{source: file, tree: tree, imports: importsOf(tree)})
	}
	return p
}

// importsOf returns the packages of this program that a file imports.
func importsOf(tree *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range tree.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		pkg, isOurs := strings.CutPrefix(imported, "heartward/")
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if isOurs {
			imports[name] = pkg
		}
	}
	return imports
}

func (p *program) add(file goFile) {
	p.files = append(p.files, file)
	for _, declaration := range file.tree.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			values := spec.(*ast.ValueSpec)
			for i, name := range values.Names {
				if i < len(values.Values) {
					p.constants[file.pkg+"."+name.Name] = constant{values.Values[i], file}
				}
			}
		}
	}
}

// constantOf returns the constant that an expression of a file names: one of its package, one of another package, or one of
// a function. A variable of the same name is none.
func (p *program) constantOf(file goFile, e ast.Expr) (constant, bool) {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Obj == nil || e.Obj == file.tree.Scope.Lookup(e.Name) {
			found, ok := p.constants[file.pkg+"."+e.Name]
			return found, ok
		}
		if spec, ok := e.Obj.Decl.(*ast.ValueSpec); ok && e.Obj.Kind == ast.Con && len(spec.Values) == 1 {
			return constant{spec.Values[0], file}, true
		}
	case *ast.SelectorExpr:
		if name, ok := e.X.(*ast.Ident); ok && name.Obj == nil {
			found, ok := p.constants[file.imports[name.Name]+"."+e.Sel.Name]
			return found, ok
		}
	}
	return constant{}, false
}

// textOf returns a text of a file, with the values of the constants in it, and {} for what else is inserted.
func (p *program) textOf(file goFile, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		return p.textOf(file, e.X) + p.textOf(file, e.Y)
	case *ast.ParenExpr:
		return p.textOf(file, e.X)
	default:
		if found, ok := p.constantOf(file, e); ok {
			return p.textOf(found.file, found.value)
		}
	}
	return "{}"
}

// parseFile adds a file of a test of these functions.
func (p *program) parseFile(t *testing.T, pkg, text string) goFile {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	require.NoError(t, err)
	file := goFile{source: source{pkg, pkg + "/file.go"}, tree: tree, imports: importsOf(tree)}
	p.add(file)
	return file
}

// textsOf returns the texts of a file that joinLiterals finds, with the values of the constants in them.
func (p *program) textsOf(file goFile) (texts []string) {
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		e, isExpression := n.(ast.Expr)
		if !isExpression {
			return true
		}
		_, others, isText := joinLiterals(e)
		if !isText {
			return true
		}
		texts = append(texts, p.textOf(file, e))
		for _, other := range others {
			ast.Inspect(other, visit)
		}
		return false
	}
	ast.Inspect(file.tree, visit)
	return texts
}

func TestTextsOf_ResolvesConstantsOfTheirPackage(t *testing.T) {
	t.Parallel()
	p := program{constants: map[string]constant{}}
	p.parseFile(t, "api/a", "package a\n const Table = `users`\n const Alias = Table + ` u`")
	file := p.parseFile(t, "api/b", `package b

		import (
			other "heartward/api/a"
			"strings"
		)

		const Table = "notes"

		func f(n int, names []string) {
			const local = "likes"
			_ = "1 " + Table + local
			_ = "2 " + other.Alias + strings.Table
			{
				Table, local := names[n], "x"
				_ = "3 " + Table + local
			}
		}`)
	require.Equal(t, []string{"heartward/api/a", "strings", "notes", "likes", "1 noteslikes", "2 users u{}", "x", "3 {}{}"}, p.textsOf(file))
}
