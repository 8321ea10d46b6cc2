// Package docs_test checks the documents against the source tree.
package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tour is the document in which each link to source has the name of what it is about.
const tour = "tour.md"

var (
	fence      = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	link       = regexp.MustCompile(`\[([^\]]*)\]\(([^)\s]+)\)`)
	image      = regexp.MustCompile(`src="([^"]+)"`)
	heading    = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notInSlug  = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	sourcePath = regexp.MustCompile("`((?:api|docs|jobs|migrations|push|pwa|scripts)/[\\w./-]+)`")
	testName   = regexp.MustCompile("`(Test[A-Z]\\w*)`")
	declared   = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

func TestDocuments_LinksAreValid(t *testing.T) {
	t.Parallel()
	links := 0
	for path, text := range documents(t) {
		targets := [][]string{}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			targets = append(targets, m[1:])
		}
		for _, m := range image.FindAllStringSubmatch(text, -1) {
			targets = append(targets, []string{"", m[1]})
		}
		for _, target := range targets {
			if strings.Contains(target[1], ":") {
				continue // another site
			}
			links++
			checkLink(t, path, target[0], target[1])
		}
	}
	require.Greater(t, links, 100)
}

// checkLink reports a link whose file or heading does not exist, and one of the tour whose text is neither declared in
// its file nor the file's name.
func checkLink(t *testing.T, from, text, target string) {
	t.Helper()
	file, anchor, _ := strings.Cut(target, "#")
	path := from
	if file != "" {
		path = filepath.Join(filepath.Dir(from), file)
	}
	content, err := os.ReadFile(path)
	if info, statErr := os.Stat(path); statErr == nil && info.IsDir() {
		err = nil
	}
	if !assert.NoError(t, err, "%s links to %s", from, target) {
		return
	}
	if anchor != "" {
		assert.Contains(t, anchorsOf(string(content)), anchor, "%s links to %s", from, target)
	}
	declares := declarationsIn(filepath.Ext(path))
	name := strings.Trim(text, "`")
	if from != tour || declares == "" || name == filepath.Base(path) {
		return
	}
	pattern := regexp.MustCompile(strings.ReplaceAll(declares, "NAME", regexp.QuoteMeta(name)))
	assert.True(t, pattern.Match(content), "%s: %s declares no %s", from, path, name)
}

// declarationsIn returns the pattern of a declaration of NAME in files with the extension, or "" if they are not source.
func declarationsIn(extension string) string {
	switch extension {
	case ".go":
		return `(?m)^(?:func (?:\([^)]*\) )?NAME[\[(]|type NAME |(?:var|const) NAME )`
	case ".ts", ".tsx", ".js":
		return `(?m)^(?:export )?(?:default )?(?:async )?(?:function|const|class) NAME\b|^  (?:private )?(?:async )?NAME\(`
	case ".sql":
		return `(?m)^CREATE (?:TABLE|VIEW|FUNCTION) NAME\b`
	}
	return ""
}

// anchorsOf returns the anchors of the headings, as GitHub makes them.
func anchorsOf(text string) (anchors []string) {
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		title := link.ReplaceAllString(m[1], "$1")
		anchors = append(anchors, strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(title), ""), " ", "-"))
	}
	return anchors
}

// Names in backticks: paths from the root of the repository, and Go tests.
func TestDocuments_NamesExist(t *testing.T) {
	t.Parallel()
	tests := testsOfRepository(t)
	for path, text := range documents(t) {
		for _, m := range sourcePath.FindAllStringSubmatch(text, -1) {
			_, err := os.Stat(filepath.Join("..", m[1]))
			assert.NoError(t, err, "%s names %s", path, m[1])
		}
		for _, m := range testName.FindAllStringSubmatch(text, -1) {
			assert.True(t, tests[m[1]], "%s names %s", path, m[1])
		}
	}
}

// documents returns the texts of the documents by path, without blocks of code.
func documents(t *testing.T) map[string]string {
	t.Helper()
	paths := []string{"../README.md", "../CONTRIBUTING.md"}
	require.NoError(t, filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			paths = append(paths, path)
		}
		return err
	}))
	require.Greater(t, len(paths), 40)
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[path] = fence.ReplaceAllString(string(text), "")
	}
	return texts
}

// testsOfRepository returns the names of all Go tests.
func testsOfRepository(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	skipped := []string{".git", ".cache", ".data", "bin", "node_modules", "dist"}
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skipped, entry.Name()):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(source, -1) {
			names[string(m[1])] = true
		}
		return err
	}))
	require.Greater(t, len(names), 1000)
	return names
}
