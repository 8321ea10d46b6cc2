package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"

	"heartward/api/graduation"
	"heartward/api/platform/web"
)

const (
	// minShownMembers is the number of members from which the landing page shows it.
	minShownMembers = 100
	// memberCountLifetime is how long a node uses a count of the members.
	memberCountLifetime = 5 * time.Minute
	// landingStories is the number of couples on the landing page, found among the newest wallEntries.
	landingStories = 3
)

const landingDescription = "A calm place for singles who date with intention. Say what you are looking for, see why someone fits, and talk for as long as you like. Free."

var (
	landingA = siteDocument{"Heartward · Dating with intention. Always free.", landingDescription, landingPath, siteTemplate("landing-a.html")}
	landingB = siteDocument{"Find Your Soul Connection · Heartward", "Always free messaging, and Premium as a thank-you that is never sold. Join the community.", welcomePath, siteTemplate("landing-b.html")}
)

// landing serves the landing pages. It reads what changes from the database; without it the pages lack only that.
type landing struct {
	deps Deps

	mu        sync.Mutex
	members   int
	countedAt time.Time
}

// landingContent is what the templates of the landing pages show.
type landingContent struct {
	Features, Steps, Questions        []siteText
	Different, Safeguards, Experience []siteText
	None                              []siteText
	Screens                           []siteScreen
	Members                           string // empty below minShownMembers
	Stories                           []landingStory
}

// landingStory is a couple of the Legacy Wall.
type landingStory struct {
	First, Second  string
	Message, Since string
	Picture        string // address, empty for none
	IsSample       bool
}

// serve serves the page for visitors at /, in the variant that an admin chose.
func (l *landing) serve(c fiber.Ctx) error {
	document := landingA
	settings, err := l.deps.Admin.Settings(c.Context())
	if err != nil {
		slog.WarnContext(c.Context(), "the landing page is served in its first variant", "error", err)
	}
	if settings.Landing == "b" {
		document = landingB
		document.path = landingPath
	}
	// A member gets the app at the same address.
	c.Vary(fiber.HeaderCookie)
	return l.serveDocument(c, document)
}

// serveWelcome serves the second variant at an address of its own.
func (l *landing) serveWelcome(c fiber.Ctx) error { return l.serveDocument(c, landingB) }

func (l *landing) serveDocument(c fiber.Ctx, document siteDocument) error {
	ctx, cancel := context.WithTimeout(c.Context(), firstRequestsTimeout)
	defer cancel()
	content := landingContent{
		Features: landingFeatures, Steps: landingSteps, Questions: landingQuestions, Different: landingDifferent,
		Safeguards: landingSafeguards, Experience: landingExperience, Screens: landingScreens,
		Members: l.memberCount(ctx), Stories: l.stories(ctx, time.Now()),
	}
	return document.serve(c, l.deps.App, l.deps.PublicURL, content, landingData(l.deps.PublicURL, document))
}

// memberCount returns the number of members in words, empty if there are few or it is not known.
func (l *landing) memberCount(ctx context.Context) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.countedAt) >= memberCountLifetime {
		count, err := l.deps.Members.CountPresent(ctx)
		if err != nil {
			slog.WarnContext(ctx, "the landing page is served without the number of members", "error", err)
		}
		// Also after a failure: requests must not wait one after another for a database that does not answer.
		l.members, l.countedAt = count, time.Now()
	}
	return shownCount(l.members)
}

// shownCount returns a number with separators, empty below minShownMembers.
func shownCount(n int) string {
	if n < minShownMembers {
		return ""
	}
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// stories returns the newest couples on the Legacy Wall who left words.
func (l *landing) stories(ctx context.Context, now time.Time) (stories []landingStory) {
	entries, _, err := l.deps.Graduation.Wall(ctx, uuid.Nil, web.Page{Limit: wallEntries})
	if err != nil {
		slog.WarnContext(ctx, "the landing page is served without stories", "error", err)
		return nil
	}
	for _, entry := range entries {
		if entry.LegacyMessage != "" && len(stories) < landingStories {
			stories = append(stories, newLandingStory(entry, now))
		}
	}
	return stories
}

func newLandingStory(entry graduation.WallEntry, now time.Time) landingStory {
	story := landingStory{
		First: entry.FirstNames[0], Second: entry.FirstNames[1], Message: entry.LegacyMessage,
		Since: describeAge(entry.GraduatedAt, now), IsSample: entry.IsSample,
	}
	if len(entry.Pictures) > 0 {
		story.Picture = entry.Pictures[0].ThumbURL
	}
	return story
}

// describeAge returns "1 year", "8 months" or "12 days": the largest whole unit since a time, at least a day.
func describeAge(then, now time.Time) string {
	then, now = then.UTC(), now.UTC()
	months := (now.Year()-then.Year())*12 + int(now.Month()) - int(then.Month())
	if now.Day() < then.Day() {
		months--
	}
	count, unit := max(1, int(now.Sub(then).Hours()/24)), "day"
	switch {
	case months >= 12:
		count, unit = months/12, "year"
	case months >= 1:
		count, unit = months, "month"
	}
	if count == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", count, unit)
}

// landingData returns the JSON-LD of a landing page: the site, who runs it, and on the first variant its questions.
func landingData(site *url.URL, document siteDocument) string {
	home := site.JoinPath(landingPath).String()
	graph := []map[string]any{
		{"@type": "WebSite", "@id": home + "#site", "name": "Heartward", "url": home, "description": landingDescription, "publisher": map[string]any{"@id": home + "#publisher"}},
		{"@type": "Organization", "@id": home + "#publisher", "name": "Heartward", "url": home, "logo": site.JoinPath("/icons/icon-512.png").String()},
	}
	if document.template == landingA.template {
		questions := make([]map[string]any, len(landingQuestions))
		for i, q := range landingQuestions {
			questions[i] = map[string]any{"@type": "Question", "name": q.Title, "acceptedAnswer": map[string]any{"@type": "Answer", "text": q.Text}}
		}
		graph = append(graph, map[string]any{"@type": "FAQPage", "@id": home + "#questions", "mainEntity": questions})
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text) // escapes <, so that no text ends the element
	if err := encoder.Encode(map[string]any{"@context": "https://schema.org", "@graph": graph}); err != nil {
		panic(err) // the values are texts
	}
	return text.String()
}
