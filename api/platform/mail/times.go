package mail

import (
	"strings"
	"time"
)

// Time formats a time in the reader's zone, such as "Monday, November 23, 2026 at 4:05 PM CET".
func (r Reader) Time(at time.Time) string {
	return FormatTime(at, r.Zone)
}

// Day formats the day of a time in the reader's zone, such as "November 23, 2026".
func (r Reader) Day(at time.Time) string {
	return at.In(zoneOr(r.Zone)).Format("January 2, 2006")
}

// FormatTime formats a time in a zone, nil for UTC. A zone without an abbreviation has its offset, such as "UTC+05:30".
func FormatTime(at time.Time, zone *time.Location) string {
	at = at.In(zoneOr(zone))
	name, _ := at.Zone()
	if strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		name = at.Format("UTC-07:00")
	}
	return at.Format("Monday, January 2, 2006 at 3:04 PM ") + name
}

func zoneOr(zone *time.Location) *time.Location {
	if zone == nil {
		return time.UTC
	}
	return zone
}
