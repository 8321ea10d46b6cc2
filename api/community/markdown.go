package community

import (
	"bytes"
	"net/url"
	"regexp"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// linkRel is the rel of links in posts.
const linkRel = "nofollow ugc noopener noreferrer"

// markdown converts CommonMark to HTML, with strikethrough, and with bare addresses as links. It has no parser for HTML in
// the Markdown, which therefore remains text. Single line breaks are kept, because members write as in messages.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithExtensions(extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(postRenderer{}, 1))),
)

// sanitizer lets through the elements that markdown writes, and nothing else. It is the second line of
// defence: what it removes, the renderer should not have written.
var sanitizer = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("p", "h3", "h4", "ul", "ol", "li", "blockquote", "strong", "em", "del", "code", "pre", "br", "hr")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile("^" + linkRel + "$")).OnElements("a")
	p.AllowURLSchemes("http", "https")
	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(false)
	p.RequireNoFollowOnLinks(true)
	return p
}()

// renderHTML returns the HTML of a post's Markdown.
func renderHTML(content string) (string, error) {
	var out bytes.Buffer
	if err := markdown.Convert([]byte(content), &out); err != nil {
		return "", err
	}
	return sanitizer.SanitizeReader(&out).String(), nil
}

// postRenderer writes headings as h3 and h4, because the page has h1 and h2, links with linkRel, and in place of a picture
// its description.
type postRenderer struct{}

// RegisterFuncs adds the functions to the renderer.
func (r postRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, r.heading)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindAutoLink, r.autoLink)
	reg.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, nil
	})
}

func (postRenderer) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "h3>"
	if n.(*ast.Heading).Level > 1 {
		tag = "h4>"
	}
	if entering {
		_, _ = w.WriteString("<" + tag)
	} else {
		_, _ = w.WriteString("</" + tag + "\n")
	}
	return ast.WalkContinue, nil
}

func (postRenderer) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	address, ok := linkAddress(n.(*ast.Link).Destination)
	switch {
	case !ok: // only the text of the link is written
	case entering:
		openLink(w, address)
	default:
		_, _ = w.WriteString("</a>")
	}
	return ast.WalkContinue, nil
}

func (postRenderer) autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link := n.(*ast.AutoLink)
	label := util.EscapeHTML(link.Label(source))
	if !entering {
		return ast.WalkContinue, nil
	}
	address, ok := linkAddress(link.URL(source))
	if !ok || link.AutoLinkType == ast.AutoLinkEmail { // a mail address stays text: a link would invite mails
		_, _ = w.Write(label)
		return ast.WalkContinue, nil
	}
	openLink(w, address)
	_, _ = w.Write(label)
	_, _ = w.WriteString("</a>")
	return ast.WalkContinue, nil
}

// linkAddress returns the address of a link, and false unless it is an http(s) address with a host.
func linkAddress(destination []byte) (address []byte, ok bool) {
	address = util.URLEscape(destination, true)
	parsed, err := url.Parse(string(address))
	return address, err == nil && (parsed.Scheme == "http" || parsed.Scheme == "https") && parsed.Host != ""
}

func openLink(w util.BufWriter, address []byte) {
	_, _ = w.WriteString(`<a href="`)
	_, _ = w.Write(util.EscapeHTML(address))
	_, _ = w.WriteString(`" rel="` + linkRel + `">`)
}
