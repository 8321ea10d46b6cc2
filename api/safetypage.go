package api

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v3"

	"heartward/api/moderation"
)

//go:embed pages/safety.html
var safetyHTML string

var safetyPage = template.Must(template.New("safety").Parse(safetyHTML))

// SafetyTexts are the texts of the safety center, which the app shows too.
type SafetyTexts struct {
	Description string
	Emergency   string
	Advice      []struct {
		Title  string
		Points []string
	}
	Emergencies []struct {
		Country, Number string
		Source          string // the address of a public authority
	}
	Rules     []string
	Reporting []string
	Method    string // how the times are measured
	TooFew    string // instead of the times, if they are not known
	Contact   string // follows the address
	Helpline  string
}

// safetyPath is the address of the safety center in the app.
const safetyPath = "/safety"

// mountSafety serves the safety center with its text in the document, like the Legacy Wall.
func mountSafety(app *fiber.App, reports *moderation.Service, static *Static, site *url.URL, texts SafetyTexts) {
	app.Get(safetyPath, func(c fiber.Ctx) error {
		text, err := renderSafety(c.Context(), reports, texts)
		if err != nil {
			slog.WarnContext(c.Context(), "the safety center is served without its text", "error", err)
			return static.serve(c)
		}
		return static.servePage(c, page{
			title:       "Safety center · Heartward",
			description: texts.Description,
			address:     site.JoinPath(safetyPath).String(),
			body:        text,
		})
	})
}

// actionTimes are the times to action in words.
type actionTimes struct {
	Decided     int
	Median, P95 string
}

// reportLoad is how many reports arrived and wait, in words.
type reportLoad struct {
	Arrived int
	Open    *int
	Oldest  string // empty if none is open
}

func renderSafety(ctx context.Context, reports *moderation.Service, texts SafetyTexts) (string, error) {
	safety, err := reports.Safety(ctx, time.Now())
	if err != nil {
		return "", err
	}
	content := struct {
		SafetyTexts
		Address string
		Imprint string
		Times   *actionTimes
		Load    *reportLoad
	}{SafetyTexts: texts, Address: safety.Contact, Imprint: safety.Imprint}
	if found := safety.TimeToAction; found != nil {
		content.Times = &actionTimes{Decided: found.Decided, Median: describeSpan(found.MedianSeconds), P95: describeSpan(found.P95Seconds)}
	}
	if found := safety.Load; found != nil {
		content.Load = &reportLoad{Arrived: found.Arrived, Open: found.Open}
		if found.OldestSeconds != nil {
			content.Load.Oldest = describeSpan(*found.OldestSeconds)
		}
	}
	var text bytes.Buffer
	err = safetyPage.Execute(&text, content)
	return text.String(), err
}

// describeSpan returns a duration in words, rounded up like describeSpan of the app.
func describeSpan(seconds int) string {
	const minute, hour, day = 60, 60 * 60, 24 * 60 * 60
	unit, name := day, "day"
	switch {
	case seconds <= 2*hour:
		unit, name = minute, "minute"
	case seconds <= 2*day:
		unit, name = hour, "hour"
	}
	count := max(1, (seconds+unit-1)/unit)
	if count == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", count, name)
}
