package members

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestComputeBirthDate_AllowsAges18To99(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		today, born string
		isAllowed   bool
	}{
		{"2026-06-17", "2008-06-17", true},
		{"2026-06-17", "2008-06-19", false},
		{"2026-06-17", "1926-06-18", true},
		{"2026-06-17", "1926-06-16", false},
		{"2028-02-29", "2010-02-28", true},
		{"2028-02-29", "2010-03-02", false},
		{"2026-02-27", "2008-02-29", false},
		{"2026-03-01", "2008-02-29", true},
		{"2027-01-01", "2009-01-01", true},
		{"2026-12-31", "2009-01-02", false},
	} {
		today, err := time.Parse(time.DateOnly, c.today)
		require.NoError(t, err)
		for _, now := range []time.Time{today, today.Add(24*time.Hour - time.Nanosecond)} {
			day, isExact, err := computeBirthDate(nil, &c.born, now)
			require.Equal(t, c.isAllowed, err == nil, "born on %s, at %s: %v", c.born, now, err)
			if c.isAllowed {
				require.True(t, isExact)
				require.Equal(t, c.born, day.Format(time.DateOnly))
			}
		}
	}
}

// A birthday counts from its first moment on earth, in UTC+14, until its last, in UTC-12.
func TestComputeBirthDate_IsValidByTheCalendarOfAnyZone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		now, born string
		isAllowed bool
	}{
		{"2026-06-16T09:59:59Z", "2008-06-17", false},
		{"2026-06-16T10:00:00Z", "2008-06-17", true},
		{"2026-06-17T11:59:59Z", "1926-06-17", true},
		{"2026-06-17T12:00:00Z", "1926-06-17", false},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		require.NoError(t, err)
		day, _, err := computeBirthDate(nil, &c.born, now)
		require.Equal(t, c.isAllowed, err == nil, "born on %s, at %s: %v", c.born, c.now, err)
		if c.isAllowed && c.born > "2000" {
			require.Equal(t, 18, birth{day: day}.age(now))
		}
	}
}

// A date computed from an age is that of a birthday today, so that the age is exact on each day of the year.
func TestComputeBirthDate_OfAnAgeIsABirthdayToday(t *testing.T) {
	t.Parallel()
	for today, want := range map[string]string{"2026-06-17": "2008-06-17", "2028-02-29": "2010-02-28", "2026-03-01": "2008-03-01"} {
		now, err := time.Parse(time.DateOnly, today)
		require.NoError(t, err)
		day, isExact, err := computeBirthDate(new(18), nil, now)
		require.NoError(t, err)
		require.False(t, isExact)
		require.Equal(t, want, day.Format(time.DateOnly), today)
	}
}
