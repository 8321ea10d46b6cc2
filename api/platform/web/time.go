package web

import "time"

// Time is t as answers carry it: in UTC and to the millisecond, whatever zone
// the server runs in.
func Time(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }
