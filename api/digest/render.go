package digest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"heartward/api/platform/mail"
	"heartward/api/platform/web"
)

// letter returns the digest of a run for a member.
func (s *Service) letter(to recipient, c contents, args SendArgs) mail.Letter {
	l := digestLetter(to.reader, c, to.startedAt, s.site)
	l.ID = "digest-" + string(args.Week) + "-" + args.MemberID.String()
	l.Unsubscribe = mail.UnsubscribeLink(s.site, mail.Subscription{Member: args.MemberID, Kind: mail.Digests})
	l.Footer = []mail.Block{
		mail.Text("You get this email once a week, and only when there is something new."),
		mail.Action("Turn it off", l.Unsubscribe),
		mail.Action("Your email settings", s.site+"/settings?tab=notifications#email"),
	}
	return l
}

// digestLetter returns the digest without its footer. end is the end of the week.
func digestLetter(to mail.Reader, c contents, end time.Time, site string) mail.Letter {
	greeting := "this was your week"
	title := "Hi " + to.Name + ", " + greeting
	if to.Name == "" || to.IsPrivate {
		title = "Hi, " + greeting
	}
	return mail.Letter{
		Template: "digest", Kind: mail.Digests, To: to, Subject: "Your week on Heartward: " + summary(c, 2),
		Greeting: title, Title: "Your week",
		Blocks: append([]mail.Block{mail.Text(period(end.In(to.Zone)) + ": " + summary(c, 5) + ".")}, items(c, to.Zone, site)...),
	}
}

// period formats the seven days that end at a time.
func period(end time.Time) string {
	return end.AddDate(0, 0, -7).Format("January 2") + " – " + end.Format("January 2")
}

// summary returns the first limit parts of the contents, such as "2 new matches, 3 new likes".
func summary(c contents, limit int) string {
	var parts []string
	for _, part := range []struct {
		n        int
		one, all string
	}{
		{len(c.dates), "1 date coming up", "%d dates coming up"},
		{len(c.matches), "1 new match", "%d new matches"},
		{c.likes, "1 new like", "%d new likes"},
		{c.unread, "1 unread conversation", "%d unread conversations"},
		{c.requests, "1 message request", "%d message requests"},
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

// minStreak is the shortest streak that the digest mentions.
const minStreak = 2

// items returns the entries of the mail, with times in the member's zone. A member who has chosen
// none has UTC; the zone of the plan is then a better guess.
func items(c contents, zone *time.Location, site string) (all []mail.Block) {
	for _, d := range c.dates {
		in := zone
		if planned, err := web.Zone(d.Zone); zone == time.UTC && err == nil {
			in = planned
		}
		at := mail.FormatTime(d.At, in)
		all = append(all, mail.Item("Your date with "+d.With, at, "See the plan", site+"/dates").
			Or(mail.Item("You have a date", at, "See the plan", site+"/dates")))
	}
	if n := len(c.matches); n > 0 {
		matches, link := plural(n, "1 new match", "%d new matches"), site+"/matches"
		all = append(all, mail.Item(matches, "It's mutual with "+names(c.matches)+".", "Say hello", link).
			Or(mail.Item(matches, "It's mutual.", "Say hello", link)))
	}
	if n := c.likes; n > 0 {
		all = append(all, mail.Item(
			plural(n, "1 new like", "%d new likes"), plural(n, "Someone would like to meet you.", "%d people would like to meet you."),
			"See who likes you", site+"/matches/likes",
		))
	}
	if n := c.unread; n > 0 {
		unread, link := plural(n, "1 unread conversation", "%d unread conversations"), site+"/messages"
		private := mail.Item(unread, "You have unread messages.", "Read and reply", link)
		if len(c.unreadFrom) == 0 {
			all = append(all, private)
		} else {
			all = append(all, mail.Item(unread, "You have unread messages from "+names(c.unreadFrom)+".", "Read and reply", link).Or(private))
		}
	}
	if n := c.requests; n > 0 {
		all = append(all, mail.Item(
			plural(n, "1 message request", "%d message requests"), plural(n, "Someone wrote to you.", "%d people wrote to you.")+" You decide whether to talk.",
			"See your requests", site+"/messages",
		))
	}
	if c.streak >= minStreak {
		all = append(all, mail.Item(
			"Your Love Pulse", "You have written for "+strconv.Itoa(c.streak)+" days in a row.", "Write today's", site+"/love-pulse",
		))
	}
	for _, p := range c.picks {
		link := site + "/community/" + p.ID.String()
		const detail = "A pick of the week from the community."
		all = append(all, mail.Item(p.Title, detail, "Read it", link).Or(mail.Item("A story", detail, "Read it", link)))
	}
	return all
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
