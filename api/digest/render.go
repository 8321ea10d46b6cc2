package digest

import (
	"bytes"
	_ "embed"
	"fmt"
	html "html/template"
	"strconv"
	"strings"
	text "text/template"
	"time"

	"heartward/api/platform/mail"
	"heartward/api/platform/web"
)

var (
	//go:embed templates/digest.html
	htmlSource string
	//go:embed templates/digest.txt
	textSource string

	htmlTemplate = html.Must(html.New("digest.html").Parse(htmlSource))
	textTemplate = text.Must(text.New("digest.txt").Parse(textSource))
)

// view is what the templates show.
type view struct {
	FirstName   string
	Period      string // such as "November 16 – November 23"
	Preview     string // shown by mailboxes beside the subject
	Items       []item
	Site        string
	Settings    string
	Unsubscribe string
}

// item is a line of the mail.
type item struct {
	Title, Detail string
	Action, Link  string
}

// render returns the mail of a digest.
func (s *Service) render(to recipient, week contents, args SendArgs) (mail.Message, error) {
	zone, err := web.Zone(to.zone)
	if err != nil {
		zone = time.UTC // the zone is no longer in the list
	}
	v := view{
		FirstName: to.firstName, Period: period(to.startedAt.In(zone)), Preview: summary(week, 5), Items: s.items(week, to.zone, zone),
		Site: s.site, Settings: s.site + "/settings?tab=notifications#email", Unsubscribe: s.unsubscribeLink(args.MemberID),
	}
	var asText, asHTML bytes.Buffer
	if err := textTemplate.Execute(&asText, v); err != nil {
		return mail.Message{}, err
	}
	if err := htmlTemplate.Execute(&asHTML, v); err != nil {
		return mail.Message{}, err
	}
	return mail.Message{
		To: to.email, Subject: "Your week on Heartward: " + summary(week, 2), Text: asText.String(), HTML: asHTML.String(),
		ID: "digest-" + string(args.Week) + "-" + args.MemberID.String(), Unsubscribe: v.Unsubscribe,
	}, nil
}

// period formats the seven days that end at a time.
func period(end time.Time) string {
	return end.AddDate(0, 0, -7).Format("January 2") + " – " + end.Format("January 2")
}

// summary returns the first limit parts of the contents, such as "2 new matches, 3 new likes".
func summary(week contents, limit int) string {
	var parts []string
	for _, part := range []struct {
		n        int
		one, all string
	}{
		{len(week.dates), "1 date coming up", "%d dates coming up"},
		{len(week.matches), "1 new match", "%d new matches"},
		{week.likes, "1 new like", "%d new likes"},
		{week.unread, "1 unread conversation", "%d unread conversations"},
		{week.requests, "1 message request", "%d message requests"},
	} {
		if part.n > 0 {
			parts = append(parts, plural(part.n, part.one, part.all))
		}
	}
	return strings.Join(parts[:min(limit, len(parts))], ", ")
}

func plural(n int, one, all string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(all, n)
}

// items returns the lines of the mail, with times in the member's zone. A member who has chosen
// none has UTC; the zone of the plan is then a better guess.
func (s *Service) items(week contents, zoneName string, zone *time.Location) (items []item) {
	for _, d := range week.dates {
		at := d.At.In(zone)
		if planned, err := web.Zone(d.Zone); zoneName == "UTC" && err == nil {
			at = d.At.In(planned)
		}
		items = append(items, item{"Your date with " + d.With, at.Format("Monday, January 2 at 3:04 PM MST"), "See the plan", s.site + "/dates"})
	}
	if n := len(week.matches); n > 0 {
		items = append(items, item{
			plural(n, "1 new match", "%d new matches"), "It's mutual with " + names(week.matches) + ".", "Say hello", s.site + "/matches",
		})
	}
	if n := week.likes; n > 0 {
		items = append(items, item{
			plural(n, "1 new like", "%d new likes"), plural(n, "Someone would like to meet you.", "%d people would like to meet you."),
			"See who likes you", s.site + "/matches/likes",
		})
	}
	if n := week.unread; n > 0 {
		items = append(items, item{
			plural(n, "1 unread conversation", "%d unread conversations"), "There are messages that you have not read.", "Read and reply", s.site + "/messages",
		})
	}
	if n := week.requests; n > 0 {
		items = append(items, item{
			plural(n, "1 message request", "%d message requests"), plural(n, "Someone wrote to you.", "%d people wrote to you.") + " You decide whether to talk.",
			"See your requests", s.site + "/messages",
		})
	}
	for _, p := range week.picks {
		items = append(items, item{p.Title, "A pick of the week from the community.", "Read it", s.site + "/community/" + p.ID.String()})
	}
	return items
}

// names returns at most three names, such as "Ben, Cleo and 2 others".
func names(all []string) string {
	const limit = 3
	shown := all
	if len(all) > limit {
		others := len(all) - limit + 1
		shown = append(append([]string{}, all[:limit-1]...), strconv.Itoa(others)+" others")
	}
	if len(shown) == 1 {
		return shown[0]
	}
	last := len(shown) - 1
	return strings.Join(shown[:last], ", ") + " and " + shown[last]
}
