package dates

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// lasts is how long a date stands in a calendar; nobody is asked how long they
// will stay.
const lasts = 2 * time.Hour

// Calendar returns one of actor's dates as a calendar file (RFC 5545). The UID
// is the date's own and the SEQUENCE rises with every change, so that a calendar
// that takes a later file changes its entry; a date that was called off is a
// cancellation of it. Times are in UTC, which needs no table of zones.
func (s *Service) Calendar(ctx context.Context, actor web.Actor, id uuid.UUID) (string, error) {
	date, err := s.Get(ctx, actor, id)
	if err != nil {
		return "", err
	}
	return calendar(date, s.config.Site, time.Now()), nil
}

func calendar(d Date, site string, now time.Time) string {
	method, status := "PUBLISH", "CONFIRMED"
	switch d.Status {
	case Proposed:
		status = "TENTATIVE"
	case Declined, Cancelled:
		method, status = "CANCEL", "CANCELLED"
	}
	link := site + "/messages/" + d.User.ID.String()
	about := link
	if d.Note != "" {
		about = d.Note + "\n\n" + link
	}
	lines := []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Heartward//Dates//EN", "CALSCALE:GREGORIAN", "METHOD:" + method,
		"BEGIN:VEVENT", "UID:" + d.ID.String(), fmt.Sprintf("SEQUENCE:%d", d.Revision-1),
		"DTSTAMP:" + utc(now), "CREATED:" + utc(d.CreatedAt), "LAST-MODIFIED:" + utc(d.UpdatedAt),
		"DTSTART:" + utc(d.At), "DTEND:" + utc(d.At.Add(lasts)), "STATUS:" + status,
		"SUMMARY:" + escape("Date with "+d.User.FirstName), "LOCATION:" + escape(d.Place),
		"DESCRIPTION:" + escape(about), "URL:" + link, "CLASS:PRIVATE", "ORGANIZER;CN=Heartward:mailto:no-reply@" + host(site),
	}
	if method == "PUBLISH" {
		lines = append(lines, "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT2H", "DESCRIPTION:"+escape("Date with "+d.User.FirstName), "END:VALARM")
	}
	lines = append(lines, "END:VEVENT", "END:VCALENDAR")
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(fold(line))
		out.WriteString("\r\n")
	}
	return out.String()
}

func utc(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// escape is a text as RFC 5545, 3.3.11 has it.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`).Replace(text)
}

// fold breaks a line after at most 75 octets, and not within a letter; the next
// part begins with a space, which counts.
func fold(line string) string {
	const most = 75
	var out strings.Builder
	room := most
	for _, letter := range line {
		size := utf8.RuneLen(letter)
		if size > room {
			out.WriteString("\r\n ")
			room = most - 1
		}
		out.WriteRune(letter)
		room -= size
	}
	return out.String()
}

func host(site string) string {
	if address, err := url.Parse(site); err == nil && address.Hostname() != "" {
		return address.Hostname()
	}
	return "localhost"
}
