package api

import (
	"bytes"
	"html/template"
	"log/slog"

	"github.com/gofiber/fiber/v3"

	"heartward/api/notifications"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/web"
)

var unsubscribePage = template.Must(template.New("unsubscribe").Parse(unsubscribeHTML))

// unsubscribing is the state of the page.
type unsubscribing struct {
	Done, Undone, Invalid, Failed bool

	Mails string // such as "the weekly digest"
	Undo  string // the address to which the button sends a POST that turns the mails on again; empty for none
}

// mailsOfKind names the kinds of mails that a link turns off.
var mailsOfKind = map[mail.Kind]string{mail.Digests: "weekly digest", mail.Graduations: "news about graduations", mail.Reminders: "reminder"}

// mountUnsubscribe mounts the page of the link in a mail, which needs neither a session nor a
// script. Opening it changes nothing, because mail servers open links; its button, and a
// mailbox on behalf of the member (RFC 8058), send a POST to the same address. A POST to the
// address with mail.UndoPath turns the kind of mail on again.
func mountUnsubscribe(app *fiber.App, s *notifications.Service) {
	app.Get(mail.UnsubscribePath+":token", func(c fiber.Ctx) error {
		kind, err := notifications.CheckUnsubscribe(c.Params("token"))
		return showUnsubscribe(c, unsubscribePage, unsubscribing{Mails: mailsOfKind[kind]}, err)
	})
	set := func(wanted bool) fiber.Handler {
		return func(c fiber.Ctx) error {
			token := c.Params("token")
			kind, err := s.SetMail(c.Context(), token, wanted)
			web.LogSecurity(c.Context(), web.EventUnsubscribe, err)
			return showUnsubscribe(c, unsubscribePage, unsubscribing{
				Done: err == nil && !wanted, Undone: err == nil && wanted, Mails: mailsOfKind[kind], Undo: mail.UnsubscribePath + token + mail.UndoPath,
			}, err)
		}
	}
	app.Post(mail.UnsubscribePath+":token", set(false))
	app.Post(mail.UnsubscribePath+":token"+mail.UndoPath, set(true))
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
