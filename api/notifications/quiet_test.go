package notifications

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func quiet(from, to, zone string) Preferences {
	p := Defaults()
	p.QuietFrom, p.QuietTo, p.TimeZone = &from, &to, zone
	return p
}

func TestQuietFor_UsesTheMembersTimeZone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from, to, zone, now string
		wait                      time.Duration
	}{
		{"at noon", "22:00", "07:00", "UTC", "2026-03-01T12:00:00Z", 0},
		{"at the beginning", "22:00", "07:00", "UTC", "2026-03-01T22:00:00Z", 9 * time.Hour},
		{"a second before the beginning", "22:00", "07:00", "UTC", "2026-03-01T21:59:59Z", 0},
		{"after midnight", "22:00", "07:00", "UTC", "2026-03-01T06:59:30Z", 30 * time.Second},
		{"at the end", "22:00", "07:00", "UTC", "2026-03-01T07:00:00Z", 0},
		{"quiet hours in the afternoon", "13:00", "15:00", "UTC", "2026-03-01T14:00:00Z", time.Hour},
		{"night in New York", "22:00", "07:00", "America/New_York", "2026-01-10T04:00:00Z", 8 * time.Hour},
		{"day in New York", "22:00", "07:00", "America/New_York", "2026-01-10T22:00:00Z", 0},
		{"offset of half an hour", "22:00", "07:00", "Asia/Kolkata", "2026-01-10T16:30:00Z", 9 * time.Hour},
		// 29 March 2026, 02:00 becomes 03:00 in Vienna: the night is an hour shorter.
		{"the clock goes forward", "22:00", "07:00", "Europe/Vienna", "2026-03-28T21:00:00Z", 8 * time.Hour},
		{"the end is in the skipped hour", "22:00", "02:30", "Europe/Vienna", "2026-03-29T00:59:00Z", time.Minute},
		// 25 October 2026, 03:00 becomes 02:00: the night is an hour longer.
		{"the clock goes back", "22:00", "07:00", "Europe/Vienna", "2026-10-24T20:00:00Z", 10 * time.Hour},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		require.NoError(t, err)
		require.Equal(t, c.wait, quiet(c.from, c.to, c.zone).quietFor(now), c.name)
	}
	require.Zero(t, Defaults().quietFor(time.Now()))
}

// walkQuietFor is a reference implementation of quietFor that steps through the minutes
// of the wall clock.
func walkQuietFor(p Preferences, now time.Time) time.Duration {
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		panic(err)
	}
	within := func(clock string) bool {
		if *p.QuietFrom < *p.QuietTo {
			return *p.QuietFrom <= clock && clock < *p.QuietTo
		}
		return clock >= *p.QuietFrom || clock < *p.QuietTo
	}
	at := now.Truncate(time.Minute)
	for within(at.In(zone).Format("15:04")) {
		at = at.Add(time.Minute)
	}
	return max(at.Sub(now), 0)
}

// For any time and hours, the wait ends exactly at the end of the quiet hours.
func TestQuietFor_EndsWithTheQuietHours(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		clock := rapid.Custom(func(t *rapid.T) string {
			return start.Add(time.Duration(rapid.IntRange(0, 1439).Draw(t, "minute")) * time.Minute).Format("15:04")
		})
		from, to := clock.Draw(t, "from"), clock.Draw(t, "to")
		if from == to {
			return
		}
		p := quiet(from, to, rapid.SampledFrom([]string{"UTC", "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"}).Draw(t, "zone"))
		now := start.Add(time.Duration(rapid.IntRange(0, 400*86400).Draw(t, "second")) * time.Second)
		wait := p.quietFor(now)
		if plain := walkQuietFor(p, now); plain != wait {
			t.Fatalf("%s to %s in %s at %s: waits %s, should wait %s", from, to, p.TimeZone, now, wait, plain)
		}
		if wait < 0 || wait > 25*time.Hour {
			t.Fatalf("wait of %s", wait)
		}
		if again := p.quietFor(now.Add(wait)); again != 0 {
			t.Fatalf("quiet hours have not ended after %s, %s remain", wait, again)
		}
		if wait > time.Second && p.quietFor(now.Add(wait-time.Second)) == 0 {
			t.Fatalf("the quiet hours end before %s", wait)
		}
	})
}
