package web

import (
	"errors"
	"time"
)

// Time is t as answers carry it: in UTC and to the millisecond, whatever zone
// the server runs in.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Zone is the time zone of a place by its IANA name, such as America/New_York.
// Fails for a name that is none, and for those that depend on the machine.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, errors.New("web: not a zone of a place")
	}
	return time.LoadLocation(name)
}
