package api

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/url"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"

	"heartward/api/graduation"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

//go:embed pages/legacywall.html
var legacyWallHTML string

var legacyWallPage = template.Must(template.New("legacywall").Funcs(template.FuncMap{"pictureText": pictureText}).Parse(legacyWallHTML))

// pictureText returns the text of a picture for readers who do not see it, as the app writes it.
func pictureText(index int, first, second string) string {
	return fmt.Sprintf("Picture %d of %s and %s", index+1, first, second)
}

// legacyWallPath is the address of the Legacy Wall in the app.
const legacyWallPath = "/legacy-wall"

// wallEntries is the number of couples of a server-rendered page.
const wallEntries = 20

// mountLegacyWall serves the Legacy Wall with its text in the document, for readers without
// JavaScript and for search engines. The app replaces the text when it has loaded. It is the view of
// a visitor for everyone, because the document does not depend on the session. When the database is
// unavailable, the app is served without the text.
func mountLegacyWall(app *fiber.App, wall *graduation.Service, static *Static, site *url.URL) {
	app.Get(legacyWallPath, func(c fiber.Ctx) error {
		text, err := renderLegacyWall(c.Context(), wall, c.Query("cursor"))
		if fault.Is(err, fault.Invalid) {
			return c.Redirect().To(legacyWallPath)
		}
		if err != nil {
			slog.WarnContext(c.Context(), "the Legacy Wall is served without its text", "error", err)
			return static.serve(c)
		}
		return static.servePage(c, page{
			title:       "Legacy Wall · Heartward",
			description: "Couples who met on Heartward and left dating together.",
			address:     site.JoinPath(legacyWallPath).String(),
			body:        text,
		})
	})
}

// renderLegacyWall returns the HTML of a page of the wall as a visitor sees it.
func renderLegacyWall(ctx context.Context, wall *graduation.Service, cursor string) (string, error) {
	entries, next, err := wall.Wall(ctx, uuid.Nil, web.Page{Limit: wallEntries, Cursor: cursor})
	if err != nil {
		return "", err
	}
	content := struct {
		Entries []graduation.WallEntry
		Next    string
	}{Entries: entries}
	if next != "" {
		content.Next = legacyWallPath + "?cursor=" + url.QueryEscape(next)
	}
	var text bytes.Buffer
	err = legacyWallPage.Execute(&text, content)
	return text.String(), err
}
