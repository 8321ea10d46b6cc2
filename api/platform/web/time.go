package web

import (
	"errors"
	"strings"
	"time"
)

// Time returns t as it is written in responses: in UTC, truncated to milliseconds.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// Zone returns the time zone with an IANA name, such as America/New_York. It returns an error for an unknown name, for a name
// whose meaning depends on the machine, and for a file of the time zone database that is not the zone of a place.
func Zone(name string) (*time.Location, error) {
	switch name {
	case "", "Local", "localtime", "posixrules", "Factory":
		return nil, errors.New("web: a time zone needs an IANA name")
	}
	if strings.HasPrefix(name, "posix/") || strings.HasPrefix(name, "right/") { // the second counts leap seconds
		return nil, errors.New("web: a time zone needs an IANA name")
	}
	return time.LoadLocation(name)
}
