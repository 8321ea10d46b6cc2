package api

import (
	"cmp"
	"html/template"
	"log/slog"
	"strings"

	"github.com/gofiber/fiber/v3"
)

// page is a screen of the app whose head and text the server writes into index.html.
type page struct {
	title, description, address string
	body                        string // HTML of the element #boot, which is shown until the app has loaded
	kind                        string // og:type; website if empty
	image, imageText            string // address of the picture for previews, empty for none, and its text
	data                        string // JSON-LD; empty for none
	isUnlisted                  bool   // search engines follow its links and do not list it
}

// The parts of index.html that a page replaces.
const (
	indexTitle       = "<title>Heartward</title>"
	indexDescription = `<meta name="description" content="Dating with intention. Always free." />`
	indexBoot        = `<!-- The same content as app/Loading.tsx, shown until the app has loaded. -->`
	indexRootEnd     = "</div>\n    <noscript>"
	indexNoScript    = "<noscript>Heartward needs JavaScript. Please turn it on and reload.</noscript>"
)

// servePage serves index.html with the head and the text of a page.
func (s *Static) servePage(c fiber.Ctx, p page) error {
	index := s.files["/index.html"]
	if index == nil {
		return s.serve(c)
	}
	document, ok := p.writeInto(string(index.bodies[""]))
	if !ok {
		slog.WarnContext(c.Context(), "index.html lacks a part that a page replaces")
		return index.send(c)
	}
	c.Set("Cache-Control", "no-cache")
	return c.Type("html", "utf-8").SendString(document)
}

// writeInto returns the document with the page in it, and false when the document lacks a part.
func (p page) writeInto(document string) (string, bool) {
	before, rest, hasBoot := strings.Cut(document, indexBoot)
	_, after, hasEnd := strings.Cut(rest, indexRootEnd)
	if !hasBoot || !hasEnd || !strings.Contains(before, indexTitle) || !strings.Contains(before, indexDescription) {
		return document, false
	}
	document = p.writeHead(before) + p.body + "    " + indexRootEnd + after
	return strings.Replace(document, indexNoScript, "", 1), true
}

// writeHead returns the beginning of a document with the title and the elements of the page's head.
func (p page) writeHead(before string) string {
	escape := template.HTMLEscapeString
	before = strings.Replace(before, indexTitle, "<title>"+escape(p.title)+"</title>", 1)
	return strings.Replace(before, indexDescription, `<meta name="description" content="`+escape(p.description)+`" />
    <meta property="og:title" content="`+escape(p.title)+`" />
    <meta property="og:description" content="`+escape(p.description)+`" />
    <meta property="og:url" content="`+escape(p.address)+`" />`+p.searchHead()+p.moreHead(), 1)
}

// searchHead returns the element for search engines: the address under which they list the page, or that they do not.
func (p page) searchHead() string {
	if p.isUnlisted {
		return `
    <meta name="robots" content="noindex, follow" />`
	}
	return `
    <link rel="canonical" href="` + template.HTMLEscapeString(p.address) + `" />`
}

// moreHead returns the elements of the head that not every page has. JSON-LD is data, which the content
// security policy does not run; its encoder escapes what could end the element.
func (p page) moreHead() string {
	escape := template.HTMLEscapeString
	head := `
    <meta property="og:type" content="` + escape(cmp.Or(p.kind, "website")) + `" />
    <meta property="og:site_name" content="Heartward" />`
	if p.image != "" {
		head += `
    <meta property="og:image" content="` + escape(p.image) + `" />`
	}
	if p.imageText != "" {
		head += `
    <meta property="og:image:alt" content="` + escape(p.imageText) + `" />
    <meta name="twitter:card" content="summary_large_image" />`
	}
	if p.data != "" {
		head += `
    <script type="application/ld+json">` + p.data + `</script>`
	}
	return head
}
