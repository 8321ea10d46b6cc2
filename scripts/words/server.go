package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// skipped are folders without texts of the product: demo members and their words, what operators read, and helpers of tests.
var skipped = regexp.MustCompile(`^api/(seed|cli|process|messaging/guard|platform/(pgserver|pgtest|testkit|nilcheck|gazetteer|maildoctor|config|obs))(/|$)|testdata|test$`)

// addServer adds the texts of the files below root.
func (w words) addServer(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if entry.IsDir() {
			if skipped.MatchString(path) {
				return fs.SkipDir
			}
			return nil
		}
		folder := filepath.ToSlash(filepath.Dir(path))
		switch {
		case strings.HasSuffix(path, "_test.go"), entry.Name() == "data.go": // retentions are in docs/security.md
		case strings.HasSuffix(path, ".go"):
			return w.addGo(folder, path)
		case strings.HasSuffix(path, ".html"):
			return w.addTemplate(folder, path)
		case strings.HasSuffix(path, ".sql"):
			return w.addSQL(folder, path)
		}
		return nil
	})
}

// codeCalls are functions whose arguments only developers and operators read: logs, wrapped causes, SQL, and the
// summaries of operations and of their fields.
var codeCalls = regexp.MustCompile(`^(fmt\.Errorf|errors\.New|panic|damaged|slog\.\w+|log\.\w+|regexp\.\w+|strings\.(Contains|HasPrefix|HasSuffix|Split|Cut|CutPrefix|CutSuffix|Index)|` +
	`web\.(Get|Post|Put|Patch|Delete|Upload|Raw)\w*|.*\.(Query|QueryRow|Exec|ExecContext|QueryContext|Info|Warn|Error|Debug|InfoContext|WarnContext|ErrorContext|DebugContext|LogAttrs|Log|With|Description)|` +
	`time\.\w+|.*\.(Format|Parse))$`)

// addGo adds the string literals of a Go file that have more than one word, with the parts of a sum joined.
func (w words) addGo(folder, path string) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.StructType:
			return false
		case *ast.CallExpr:
			return !codeCalls.MatchString(name(n.Fun))
		case *ast.BinaryExpr, *ast.BasicLit:
			text, ok := textOf(n.(ast.Expr))
			if !ok {
				return true
			}
			if isText(text) {
				w.add(folder, text)
			}
			return false
		}
		return true
	})
	return nil
}

// name returns an expression as it is called: "slog.Info", or ".Info" of a longer one.
func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return name(e.X) + "." + e.Sel.Name
	case *ast.IndexExpr:
		return name(e.X)
	}
	return ""
}

var verb = regexp.MustCompile(`%[-+# 0]*\d*(\.\d+)?[a-zA-Z]`)

// textOf returns a string literal, or a sum with at least one, whose other terms are values.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return verb.ReplaceAllString(text, "{…}"), err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, leftIsText := textOf(e.X)
		right, rightIsText := textOf(e.Y)
		return valueOr(left, leftIsText, e.X) + valueOr(right, rightIsText, e.Y), leftIsText || rightIsText
	case *ast.ParenExpr:
		return textOf(e.X)
	}
	return "", false
}

// valueOr returns the text, or the name of the value that stands in its place.
func valueOr(text string, ok bool, e ast.Expr) string {
	if ok {
		return text
	}
	if called := name(e); called != "" {
		return "{" + called[strings.LastIndex(called, ".")+1:] + "}"
	}
	return "{…}"
}

var (
	twoWords = regexp.MustCompile(`\pL{2,}\S*\s+\S*\pL`)
	// code is SQL, headers, markup, routes and names of keys.
	code = regexp.MustCompile(`(?s)\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|CREATE|ALTER|ORDER BY|AND|JOIN|COALESCE|LIMIT|VALUES|INTERVAL|UNION|WHEN|IS NULL|NOT NULL|SKIP LOCKED|FOR SHARE)\b|` +
		`^NOT |[^\PC\n\t]|@\w|\b[a-z]{1,2}\.[a-z_]+|\w_\w.*,|[=<>]{2}|=>|::\w|^\s*(--|/\*|//|<!--)|charset=|no-cache|max-age|[a-z]-src |^[a-z]+=|\w=\{?["…]|<svg|</|\$\d|^[{\[]\s*"|` +
		`^(Allow|Disallow|GET|Bearer)\b|^heartward |^(noindex|nofollow|UNION|light dark)|\w+\(.*\) `)
)

// isText reports whether a string has at least two words, and is not SQL, a header or markup.
func isText(text string) bool {
	return twoWords.MatchString(text) && !code.MatchString(text)
}

var (
	unread  = regexp.MustCompile(`(?s)<!--.*?-->|<(script|style)\b.*?</(script|style)>|\{\{/\*.*?\*/\}\}`)
	control = regexp.MustCompile(`\{\{-?\s*(if|else|end|range|with|define|block|template|break)\b.*?\}\}`)
	action  = regexp.MustCompile(`\{\{.*?\}\}`)
	readAs  = regexp.MustCompile(`(?:alt|aria-label|placeholder|title|content)="([^"]*)"`)
	inText  = regexp.MustCompile(`</?(a|b|em|strong|span|time|code|small|kbd|i)\b[^>]*>`)
	tag     = regexp.MustCompile(`(?s)<[^>]*>`)
	letters = regexp.MustCompile(`\pL{2}`)
)

// addTemplate adds the texts of an HTML template, a line for each block, and of the attributes that are read aloud.
func (w words) addTemplate(folder, path string) error {
	contents, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := unread.ReplaceAllString(string(contents), "")
	text = control.ReplaceAllString(text, "\n")
	text = action.ReplaceAllString(text, "{…}")
	for _, attribute := range readAs.FindAllStringSubmatch(text, -1) {
		if isText(attribute[1]) && !strings.Contains(attribute[1], "=") {
			w.add(folder, html.UnescapeString(attribute[1]))
		}
	}
	text = inText.ReplaceAllString(text, "")
	text = tag.ReplaceAllString(text, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if letters.MatchString(html.UnescapeString(line)) {
			w.add(folder, html.UnescapeString(line))
		}
	}
	return nil
}

var (
	inserts = regexp.MustCompile(`(?ms)^(?:INSERT INTO|UPDATE) .*?;$`)
	quoted  = regexp.MustCompile(`'((?:[^']|'')*)'`)
)

// addSQL adds the texts of the rows that a migration inserts or changes.
func (w words) addSQL(folder, path string) error {
	contents, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	up, _, _ := strings.Cut(string(contents), "-- +goose Down")
	for _, statement := range inserts.FindAllString(up, -1) {
		for _, literal := range quoted.FindAllStringSubmatch(statement, -1) {
			if text := strings.ReplaceAll(literal[1], "''", "'"); isText(text) {
				w.add(folder, text)
			}
		}
	}
	return nil
}
