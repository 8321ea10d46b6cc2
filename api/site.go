package api

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v3"
)

// The public pages without the app: the landing pages, people near a town, privacy, terms and about. Their styles and their small script
// are those of pwa/site.html, into which the server writes them.
const (
	landingPath = "/"
	welcomePath = "/welcome"
	privacyPath = "/privacy"
	termsPath   = "/terms"
	aboutPath   = "/about"
	nearPath    = "/near"
)

// sitePaths are the public pages that are at no address of the app.
var sitePaths = []string{welcomePath, nearPath, aboutPath, privacyPath, termsPath}

//go:embed pages/site
var siteFiles embed.FS

var siteFuncs = template.FuncMap{
	"add": func(a, b int) int { return a + b },
	"icon": func(name, class string) template.HTML {
		return `<svg aria-hidden="true" class="` + template.HTML(template.HTMLEscapeString(class)) + //nolint:gosec // constants
			` shrink-0" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="1.75" viewBox="0 0 24 24">` + siteIcons[name] + `</svg>`
	},
}

// siteTemplate returns the template of a page with the parts that it uses.
func siteTemplate(name string, more ...string) *template.Template {
	files := []string{"pages/site/" + name, "pages/site/parts.html", "pages/site/samples.html"}
	for _, file := range more {
		files = append(files, "pages/site/"+file)
	}
	return template.Must(template.New(name).Funcs(siteFuncs).ParseFS(siteFiles, files...))
}

// Operator is who runs the site, and the parts of its configuration that the privacy page names.
type Operator struct {
	Contact string // a mail address
	Imprint string // name and address; empty on a site that is not public
	// Whether texts of messages, and pictures, are sent to a moderation endpoint.
	Moderation, ModerationPictures bool
}

// siteDocument is the head of a public page that is the same for each request.
type siteDocument struct {
	title, description, path string
	template                 *template.Template
}

var (
	privacyDocument = siteDocument{"Privacy · Heartward", "What Heartward stores about you, who sees it, for how long, and how you take it back.", privacyPath, siteTemplate("text.html", "privacy.html")}
	termsDocument   = siteDocument{"Terms · Heartward", "What you and the operator of this site can expect from each other.", termsPath, siteTemplate("text.html", "terms.html")}
	aboutDocument   = siteDocument{"About · Heartward", "Who runs this site, why it is free, and what is different.", aboutPath, siteTemplate("text.html", "about.html")}
)

// textContent is what the templates of the long texts show.
type textContent struct {
	Operator
	Periods []retentionText
	None    []siteText
}

// mountSite serves the public pages except the landing page at /, which firstScreen serves to visitors.
func mountSite(app *fiber.App, deps Deps, pages *landing) {
	app.Get(welcomePath, pages.serveWelcome)
	content := textContent{Operator: *deps.Operator, Periods: retentionTexts}
	for _, document := range []siteDocument{privacyDocument, termsDocument, aboutDocument} {
		app.Get(document.path, func(c fiber.Ctx) error {
			return document.serve(c, deps.App, deps.PublicURL, content, "")
		})
	}
}

// serve renders the document. data is JSON-LD, empty for none.
func (d siteDocument) serve(c fiber.Ctx, static *Static, site *url.URL, content any, data string) error {
	var body bytes.Buffer
	if err := d.template.Execute(&body, content); err != nil {
		return fmt.Errorf("rendering %s: %w", d.path, err)
	}
	address := site.JoinPath(d.path).String()
	return static.serveSite(c, page{
		title: d.title, description: d.description, address: address, body: body.String(), data: data,
		image: site.JoinPath("/site/preview.png").String(), imageText: "Heartward. Dating with intention. Always free.",
	})
}

// siteBody is the part of site.html that a page replaces.
const siteBody = `<!-- The server writes the page here. -->`

// serveSite serves site.html with the head and the body of a page, and the app if the build has no site.html.
func (s *Static) serveSite(c fiber.Ctx, p page) error {
	before, after, found := strings.Cut(s.site, siteBody)
	if !found || !strings.Contains(before, indexTitle) || !strings.Contains(before, indexDescription) {
		slog.WarnContext(c.Context(), "site.html is missing, or lacks a part that a page replaces")
		return s.serve(c)
	}
	c.Set("Cache-Control", "no-cache")
	return c.Type("html", "utf-8").SendString(p.writeHead(before) + p.body + after)
}
