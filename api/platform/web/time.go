package web

import (
	"errors"
	"time"
)

// Time returns t as it is written in responses: in UTC, truncated to milliseconds.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Zone returns the time zone with an IANA name, such as America/New_York. It returns
// an error for an unknown name, and for "" and "Local", which depend on the machine.
func Zone(name string) (*time.Location, error) {
	if name == "" || name == "Local" {
		return nil, errors.New("web: a time zone needs an IANA name")
	}
	return time.LoadLocation(name)
}
