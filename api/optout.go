package api

import (
	"html/template"

	"github.com/gofiber/fiber/v3"

	"heartward/api/platform/web"
	"heartward/api/referrals"
)

var optOutPage = template.Must(template.New("opt-out").Parse(optOutHTML))

// mountOptOut mounts the page of the link in an invitation, as mountUnsubscribe does.
func mountOptOut(app *fiber.App, s *referrals.Service) {
	app.Get(referrals.OptOutPath+":token", func(c fiber.Ctx) error {
		return showUnsubscribe(c, optOutPage, unsubscribing{}, s.CheckOptOut(c.Params("token")))
	})
	app.Post(referrals.OptOutPath+":token", func(c fiber.Ctx) error {
		err := s.OptOut(c.Context(), c.Params("token"))
		web.LogSecurity(c.Context(), web.EventOptOut, err)
		return showUnsubscribe(c, optOutPage, unsubscribing{Done: err == nil}, err)
	})
}
