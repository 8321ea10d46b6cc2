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

// assumedDuration is the duration of a date in a calendar. Members do not give one.
const assumedDuration = 2 * time.Hour

// Calendar returns one of actor's dates as a calendar file (RFC 5545). The UID is
// the id of the date and SEQUENCE increases with each change, so that importing a
// later file updates the entry. A declined or cancelled date is a cancellation.
// Times are in UTC, which needs no VTIMEZONE. It returns the errors of Get.
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
	description := link
	if d.Note != "" {
		description = d.Note + "\n\n" + link
	}
	lines := []string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Heartward//Dates//EN", "CALSCALE:GREGORIAN", "METHOD:" + method,
		"BEGIN:VEVENT", "UID:" + d.ID.String(), fmt.Sprintf("SEQUENCE:%d", d.Revision-1),
		"DTSTAMP:" + utc(now), "CREATED:" + utc(d.CreatedAt), "LAST-MODIFIED:" + utc(d.UpdatedAt),
		"DTSTART:" + utc(d.At), "DTEND:" + utc(d.At.Add(assumedDuration)), "STATUS:" + status,
		"SUMMARY:" + escape("Date with "+d.User.FirstName), "LOCATION:" + escape(d.Place),
		"DESCRIPTION:" + escape(description), "URL:" + link, "CLASS:PRIVATE", "ORGANIZER;CN=Heartward:mailto:no-reply@" + hostOf(site),
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

// escape escapes a text value (RFC 5545, 3.3.11).
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`).Replace(text)
}

// fold folds a line after at most 75 octets, never within a character (RFC 5545, 3.1).
// Continuation lines begin with a space, which counts towards the limit.
func fold(line string) string {
	const limit = 75
	var out strings.Builder
	remaining := limit
	for _, letter := range line {
		size := utf8.RuneLen(letter)
		if size > remaining {
			out.WriteString("\r\n ")
			remaining = limit - 1
		}
		out.WriteRune(letter)
		remaining -= size
	}
	return out.String()
}

func hostOf(site string) string {
	if address, err := url.Parse(site); err == nil && address.Hostname() != "" {
		return address.Hostname()
	}
	return "localhost"
}
