package api_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// letters are the templates of all mails of the product. A notice's has its kind at the end.
var letters = []string{
	"auth.admin_notice", "auth.code", "auth.email_changed", "auth.email_code", "auth.email_undone", "auth.notice.", "auth.notice.email_change",
	"auth.notice.email_wait", "community.decision", "deletion.announced", "deletion.confirmed", "delivery.check", "digest", "discovery.near", "export.ready", "graduation.request", "members.start",
	"moderation.age", "moderation.alert", "moderation.appeal", "moderation.hidden", "moderation.issue", "moderation.reported", "moderation.reporter",
	"moderation.sanction", "moderation.staff_report", "profilereview.birth_date", "profilereview.outcome", "referrals.invitation", "verification.decision",
}

// Every mail of the product is a mail.Letter with a template, which mail.Build writes: no other package makes a
// mail.Message, and each template is in the list.
func TestMails_AreBuiltByOneBuilder(t *testing.T) {
	t.Parallel()
	var found []string
	for _, root := range []string{"../api", "../jobs", "../push"} {
		require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.HasPrefix(path, "../api/platform/mail/") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if selects(n.Type, "mail", "Message") && len(n.Elts) > 0 {
						t.Errorf("%s makes a mail.Message without mail.Build", path)
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Template" {
						found = append(found, firstString(n.Value))
					}
				case *ast.AssignStmt:
					if left, ok := n.Lhs[0].(*ast.SelectorExpr); ok && left.Sel.Name == "Template" {
						found = append(found, firstString(n.Rhs[0]))
					}
				}
				return true
			})
			return nil
		}))
	}
	slices.Sort(found)
	require.Equal(t, letters, found)
}

// selects reports whether an expression is a name of a package.
func selects(e ast.Expr, pkg, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// firstString returns the first string literal of an expression.
func firstString(e ast.Expr) (text string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && text == "" {
			text = strings.Trim(literal.Value, `"`)
		}
		return true
	})
	return text
}
