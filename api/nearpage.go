package api

import (
	"log/slog"
	"net/url"
	"strings"

	"github.com/gofiber/fiber/v3"

	"heartward/api/discovery"
	"heartward/api/platform/fault"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// nearDocument is the page on which visitors look up how many people are near a town.
var nearDocument = siteDocument{
	"Who is near you? · Heartward", "How many people are on Heartward near your town, before you sign up. Roughly, and honestly.", nearPath, siteTemplate("near.html"),
}

// maxTownText is the maximum length of what a visitor types, and townChoices the number of towns to choose from.
const (
	maxTownText = 100
	townChoices = 8
)

// nearView is what the page shows: the band of a town, towns to choose from, or an error. With neither it shows the form only.
type nearView struct {
	Typed   string
	Near    *discovery.Near
	Choices []nearChoice
	Error   string
	None    []siteText
}

type nearChoice struct{ Label, Address string }

// mountNear mounts the page, which needs neither a session nor a script. `town` is what the visitor typed; `city` and `state`
// are those of a town of the list.
func mountNear(app *fiber.App, deps Deps) {
	app.Get(nearPath, func(c fiber.Ctx) error {
		view, err := lookNear(c, deps.Discovery)
		if err != nil {
			known := fault.From(err)
			view.Error = known.Message
			c.Status(web.StatusOf(known.Kind))
			if known.Kind == fault.Unavailable || known.Kind == fault.Internal {
				slog.ErrorContext(c.Context(), "request failed", "operation", "near", "kind", known.Kind, "error", err)
			}
		}
		document := nearDocument
		if view.Near != nil {
			document.title = "People near " + view.Near.Town + " · Heartward"
		}
		return document.serve(c, deps.App, deps.PublicURL, view, "")
	})
}

// lookNear returns the band of the town in the query, or the towns that what was typed may mean. A town that is typed in full is
// not a choice.
func lookNear(c fiber.Ctx, s *discovery.Service) (nearView, error) {
	rule := text.Rule{Max: maxTownText, Bad: "Please type the name of a town."}
	var values [3]string
	for i, name := range []string{"town", "city", "state"} {
		value, err := text.Clean(name, c.Query(name), rule)
		if err != nil {
			return nearView{}, err
		}
		values[i] = strings.TrimSpace(value)
	}
	view := nearView{Typed: values[0]}
	place := gazetteer.Place{City: values[1], State: values[2]}
	if place.City == "" {
		if view.Typed == "" {
			return view, nil
		}
		found := gazetteer.Complete(view.Typed, "", townChoices)
		switch {
		case len(found) == 0:
			return view, fault.InvalidField("town", "We don't know this town. Try a larger one nearby.")
		case len(found) == 1 || strings.EqualFold(found[0].Label, view.Typed):
			place = found[0]
		default:
			for _, choice := range found {
				query := url.Values{"city": {choice.City}, "state": {choice.State}}
				view.Choices = append(view.Choices, nearChoice{choice.Label, nearPath + "?" + query.Encode()})
			}
			return view, nil
		}
	}
	near, err := s.Near(c.Context(), place.City, place.State)
	if err != nil {
		return view, err
	}
	view.Near, view.Typed = &near, near.Town
	return view, nil
}
