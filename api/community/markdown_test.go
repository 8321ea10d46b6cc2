package community_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"heartward/api/community"
)

// The cases are also those of the app, which draws the HTML: pwa/src/features/community/markdown.test.ts.
func TestMarkdown_RendersSubset(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../pwa/src/features/community/testdata/markdown.json")
	require.NoError(t, err)
	var cases []struct{ Markdown, HTML string }
	require.NoError(t, json.Unmarshal(file, &cases))
	require.NotEmpty(t, cases)
	for _, each := range cases {
		html, err := community.RenderHTML(each.Markdown)
		require.NoError(t, err)
		require.Equal(t, each.HTML, strings.TrimSpace(html), each.Markdown)
	}
}

// allowedHTML is what the app draws.
var (
	allowedTag = regexp.MustCompile(`^</?(p|h3|h4|ul|ol|li|blockquote|strong|em|del|code|pre|br|hr|a)>$`)
	allowedA   = regexp.MustCompile(`^<a href="https?://[^"<>]*" rel="nofollow ugc noopener noreferrer">$`)
	anyTag     = regexp.MustCompile(`<[^>]*>?`)
)

// No text leads to an element or attribute that is not allowed.
func TestMarkdown_WritesAllowedElementsOnly(t *testing.T) {
	t.Parallel()
	pieces := []string{"<", ">", "\"", "'", "&", "#", "*", "_", "~~", "`", "```", "[", "]", "(", ")", "!", "\n", "\n\n", "    ", "- ", "1. ", "> ", "\\", "|",
		"<script>", "</a>", "<img src=x onerror=alert(1)>", "javascript:", "https://a.example/", "//b.example", "data:", "a", "é", "\t", "&#x6a;", "<!--", "-->", "<![CDATA[", "http://"}
	rapid.Check(t, func(t *rapid.T) {
		source := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "pieces"), "")
		html, err := community.RenderHTML(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range anyTag.FindAllString(html, -1) {
			if !allowedTag.MatchString(tag) && !allowedA.MatchString(tag) {
				t.Fatalf("%q became %q", source, html)
			}
		}
	})
}

func TestPreview_ChecksContent(t *testing.T) {
	t.Parallel()
	html, err := community.Preview("  **Hi**  ")
	require.NoError(t, err)
	require.Equal(t, "<p><strong>Hi</strong></p>\n", html)
	for _, content := range []string{"", "  ", strings.Repeat("é", 20_001), "a\u202eb"} {
		_, err := community.Preview(content)
		require.Error(t, err)
	}
}

func BenchmarkRenderHTML(b *testing.B) {
	source := strings.Repeat("A paragraph with **bold** words, a [link](https://a.example) and more of them.\n\n- one\n- two\n\n", 30)
	for b.Loop() {
		if _, err := community.RenderHTML(source); err != nil {
			b.Fatal(err)
		}
	}
}
