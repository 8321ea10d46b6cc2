package community_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"heartward/api/community"
)

func TestMarkdown_RendersSubset(t *testing.T) {
	t.Parallel()
	const rel = ` rel="nofollow ugc noopener noreferrer"`
	for source, want := range map[string]string{
		"Two\nlines":                             "<p>Two<br>\nlines</p>",
		"# Title\n\n## Part\n\n###### Small":     "<h3>Title</h3>\n<h4>Part</h4>\n<h4>Small</h4>",
		"**bold** *soft* ~~gone~~ `code`":        "<p><strong>bold</strong> <em>soft</em> <del>gone</del> <code>code</code></p>",
		"- one\n- two":                           "<ul>\n<li>one</li>\n<li>two</li>\n</ul>",
		"3. three":                               "<ol>\n<li>three</li>\n</ol>",
		"> quoted":                               "<blockquote>\n<p>quoted</p>\n</blockquote>",
		"***":                                    "<hr>",
		"```js\nalert(1)\n```":                   "<pre><code>alert(1)\n</code></pre>",
		"[a](https://a.example/b?c=d&e=f)":       `<p><a href="https://a.example/b?c=d&amp;e=f"` + rel + `>a</a></p>`,
		"see https://a.example today":            `<p>see <a href="https://a.example"` + rel + `>https://a.example</a> today</p>`,
		"<https://a.example>":                    `<p><a href="https://a.example"` + rel + `>https://a.example</a></p>`,
		"write to ann@example.test":              "<p>write to ann@example.test</p>",
		"[a](javascript:alert(1))":               "<p>a</p>",
		"[a](JaVaScRiPt&#58;alert(1))":           "<p>a</p>",
		"[a](data:text/html;base64,PHNjcmlwdD4)": "<p>a</p>",
		"[a](/api/logout)":                       "<p>a</p>",
		"[a](//evil.example)":                    "<p>a</p>",
		"![the sea](https://a.example/x.png)":    "<p>the sea</p>",
		"<b>bold</b>":                            "<p>&lt;b&gt;bold&lt;/b&gt;</p>",
		"<script>alert(1)</script>":              "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
		`[a](https://a.example "onclick=x()")`:   `<p><a href="https://a.example"` + rel + `>a</a></p>`,
		"I <3 you & them":                        "<p>I &lt;3 you &amp; them</p>",
	} {
		html, err := community.RenderHTML(source)
		require.NoError(t, err)
		require.Equal(t, want, strings.TrimSpace(html), source)
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
