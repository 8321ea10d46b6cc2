package api

import (
	"bytes"
	"html/template"
	"log/slog"

	"github.com/gofiber/fiber/v3"

	"heartward/api/digest"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

var unsubscribePage = template.Must(template.New("unsubscribe").Parse(unsubscribeHTML))

// unsubscribing is the state of the page.
type unsubscribing struct{ Done, Invalid, Failed bool }

// mountUnsubscribe mounts the page of the link in a digest, which needs neither a session nor a
// script. Opening it changes nothing, because mail servers open links; its button, and a
// mailbox on behalf of the member (RFC 8058), send a POST to the same address.
func mountUnsubscribe(app *fiber.App, s *digest.Service) {
	app.Get(digest.UnsubscribePath+":token", func(c fiber.Ctx) error {
		return showUnsubscribe(c, unsubscribePage, unsubscribing{}, s.CheckLink(c.Params("token")))
	})
	app.Post(digest.UnsubscribePath+":token", func(c fiber.Ctx) error {
		err := s.Unsubscribe(c.Context(), c.Params("token"))
		web.LogSecurity(c.Context(), web.EventUnsubscribe, err)
		return showUnsubscribe(c, unsubscribePage, unsubscribing{Done: err == nil}, err)
	})
}

// showUnsubscribe responds with a page whose template shows an unsubscribing. Its Referrer-Policy lets the browser send the origin
// with the form, which sameSite checks.
func showUnsubscribe(c fiber.Ctx, page *template.Template, state unsubscribing, err error) error {
	if err != nil {
		f := fault.From(err)
		state.Invalid, state.Failed = f.Kind == fault.NotFound, f.Kind != fault.NotFound
		if state.Failed {
			slog.ErrorContext(c.Context(), "request failed", "operation", page.Name(), "kind", f.Kind, "error", f.Error())
		}
		c.Status(web.StatusOf(f.Kind))
	}
	c.Set("Content-Security-Policy", docsPolicy)
	c.Set("Referrer-Policy", "same-origin")
	c.Set("X-Robots-Tag", "noindex, nofollow")
	var body bytes.Buffer
	if err := page.Execute(&body, state); err != nil {
		return err
	}
	return c.Type("html", "utf-8").Send(body.Bytes())
}
