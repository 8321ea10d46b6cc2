package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWords_ListsTextsOfEachKindOfFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ contents, want string }{
		"a.go": {"package a\n\nvar query = \"SELECT a FROM b\"\n\nfunc f(n int) {\n\tslog.Info(\"for the log\")\n" +
			"\tfail(\"You have \" + name + \" and \" + fmt.Sprint(n) + \" more.\")\n\tfail(fmt.Sprintf(\"%d of them wait.\", n))\n}\n",
			"You have {name} and {…} more.|{…} of them wait."},
		"a_test.go": {"package a\n\nvar text = \"Not a text\"\n", ""},
		"a.html": {"<title>A title</title><p>Hi {{.Name}}, <b>read</b> this &amp; that.</p>{{if .Left}}<img alt=\"A red door\">{{end}}<script>let a = 1</script>",
			"A red door|A title|Hi {…}, read this & that."},
		"a.sql": {"-- +goose Up\nINSERT INTO a VALUES\n    ('key', 'It''s a start');\nCREATE TABLE b ();\n-- +goose Down\nINSERT INTO a VALUES ('Not a text');\n",
			"It's a start"},
	} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(c.contents), 0o600))
		found := words{}
		require.NoError(t, found.addServer(folder))
		_, list, _ := strings.Cut(found.markdown(), "```text\n")
		require.Equal(t, c.want, strings.ReplaceAll(strings.TrimSuffix(list, "\n```\n"), "\n", "|"), name)
	}
}

func TestWords_RefusesAppWithoutTexts(t *testing.T) {
	t.Parallel()
	require.Error(t, words{}.addApp(strings.NewReader("")))
	require.Error(t, words{}.addApp(strings.NewReader("no tab\n")))
	found := words{}
	require.NoError(t, found.addApp(strings.NewReader("pwa/src\tSave\npwa/src\tSave\n")))
	require.Equal(t, words{"pwa/src": {"Save": true}}, found)
}
