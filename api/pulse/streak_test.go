package pulse_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
	"heartward/api/pulse"
)

// Zones on both sides of the date line, with half hours, and with summer time that begins at midnight.
var zoneNames = []string{"UTC", "Pacific/Honolulu", "Pacific/Auckland", "Pacific/Kiritimati", "Etc/GMT+12", "America/New_York",
	"America/Santiago", "Europe/Vienna", "Asia/Kolkata", "Australia/Lord_Howe", "Asia/Beirut"}

// life is the days of a member who travels: the zone of each date, and whether it has an entry.
type life struct {
	zones   map[time.Time]*time.Location
	written map[time.Time]bool
	today   time.Time
}

func randomLife(random *rand.Rand, zones []*time.Location) life {
	l := life{zones: map[time.Time]*time.Location{}, written: map[time.Time]bool{}}
	date := time.Date(2026, time.Month(1+random.IntN(12)), 1+random.IntN(28), 0, 0, 0, 0, time.UTC)
	zone := zones[random.IntN(len(zones))]
	for range 5 + random.IntN(25) {
		if random.IntN(3) == 0 {
			zone = zones[random.IntN(len(zones))]
		}
		l.zones[date], l.written[date], l.today = zone, random.IntN(12) > 0, date
		date = date.AddDate(0, 0, 1+max(0, random.IntN(8)-6))
	}
	return l
}

// streak is the naive model: it walks back from today, date by date, and also returns the number of rest
// days. A date without an entry ends the streak, unless it is today, is lost, or is a single one after six days in a row.
func (l life) streak() (days, rests int) {
	for date := l.today; ; date = date.AddDate(0, 0, -1) {
		switch {
		case l.written[date]:
			days++
		case date.Equal(l.today), l.isLost(date):
		case l.isSingle(date) && l.isAfterSix(date):
			rests++
		default:
			return days, rests
		}
	}
}

// isSingle reports whether a date without an entry is between days that have one, or before today.
func (l life) isSingle(date time.Time) bool {
	before, after := date.AddDate(0, 0, -1), date.AddDate(0, 0, 1)
	return l.written[before] && (l.written[after] || after.Equal(l.today))
}

// isLost reports whether the member had less than half a day of a date without an entry.
func (l life) isLost(date time.Time) bool {
	before, after := date.AddDate(0, 0, -1), date.AddDate(0, 0, 1)
	return l.isSingle(date) && quarters(before, l.zones[before], after, l.zones[after]) < 48
}

// isAfterSix reports whether the six days before a date have entries, apart from lost dates.
func (l life) isAfterSix(date time.Time) bool {
	for written := 0; written < 6; {
		date = date.AddDate(0, 0, -1)
		if l.written[date] {
			written++
		} else if !l.isLost(date) {
			return false
		}
	}
	return true
}

// quarters returns for how many quarters of an hour a member had the time between two dates: in the zone of the first the date
// was over, and in that of the second it had not begun.
func quarters(before time.Time, zoneBefore *time.Location, after time.Time, zoneAfter *time.Location) (n int) {
	for at := before.Add(-24 * time.Hour); at.Before(after.Add(48 * time.Hour)); at = at.Add(15 * time.Minute) {
		if at.In(zoneBefore).Format(time.DateOnly) > before.Format(time.DateOnly) && at.In(zoneAfter).Format(time.DateOnly) < after.Format(time.DateOnly) {
			n++
		}
	}
	return n
}

// insertLife stores the entries of a life, with the bounds of their days in the zone of each.
func (w *env) insertLife(member uuid.UUID, l life) {
	w.Helper()
	var dates, starts, ends []time.Time
	for date, written := range l.written {
		if y, m, d := date.Date(); written {
			dates = append(dates, date)
			starts, ends = append(starts, time.Date(y, m, d, 0, 0, 0, 0, l.zones[date])), append(ends, time.Date(y, m, d+1, 0, 0, 0, 0, l.zones[date]))
		}
	}
	w.Exec(`
		INSERT INTO love_pulse (id, user_id, date, day_starts, day_ends, question, mood, reflection, client_id, edited_at)
		SELECT gen_random_uuid(), $1, d.date, d.starts, d.ends, 'What?', 'content', 'Fine', gen_random_uuid(), now()
		FROM unnest($2::date[], $3::timestamptz[], $4::timestamptz[]) AS d (date, starts, ends)`, member, dates, starts, ends)
}

// For random lives of members who travel, through changes of summer time, the streak is that of a model
// that walks day by day.
func TestStreak_EqualsNaiveModel(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	var zones []*time.Location
	for _, name := range zoneNames {
		zone, err := web.Zone(name)
		require.NoError(t, err)
		zones = append(zones, zone)
	}
	forgiven, rested := 0, 0
	for seed := range uint64(600) {
		l := randomLife(rand.New(rand.NewPCG(seed, 7)), zones)
		w.Exec(`DELETE FROM love_pulse`)
		w.insertLife(mia, l)
		got, err := pulse.StreakOn(t.Context(), w.Pool, mia, l.today, l.zones[l.today])
		require.NoError(t, err)
		days, rests := l.streak()
		require.Equal(t, days, got.Streak, "seed %d: %v", seed, l)
		rested += rests
		forgiven += l.countLost(days)
	}
	require.Positive(t, forgiven, "no life crosses the date line within its streak")
	require.Positive(t, rested, "no life has a rest day within its streak")
}

// countLost returns the number of lost dates within a streak of so many days.
func (l life) countLost(days int) (count int) {
	for date := l.today; days > 0; date = date.AddDate(0, 0, -1) {
		if l.written[date] {
			days--
		} else if days > 0 && !date.Equal(l.today) && l.isLost(date) {
			count++
		}
	}
	return count
}

func TestStreak_SkipsADateLostOverTheDateLine(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	date := func(day int) time.Time { return time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC) }
	honolulu, err := web.Zone("Pacific/Honolulu")
	require.NoError(t, err)
	auckland, err := web.Zone("Pacific/Auckland")
	require.NoError(t, err)
	l := life{
		zones:   map[time.Time]*time.Location{date(9): honolulu, date(10): honolulu, date(12): auckland},
		written: map[time.Time]bool{date(9): true, date(10): true, date(12): true}, today: date(12),
	}
	w.insertLife(mia, l)
	got, err := pulse.StreakOn(t.Context(), w.Pool, mia, l.today, auckland)
	require.NoError(t, err)
	require.Equal(t, 3, got.Streak)
	got, err = pulse.StreakOn(t.Context(), w.Pool, mia, date(13), auckland)
	require.NoError(t, err)
	require.Equal(t, 3, got.Streak, "today has no entry yet")
	got, err = pulse.StreakOn(t.Context(), w.Pool, mia, date(14), auckland)
	require.NoError(t, err)
	require.Zero(t, got.Streak)
}

func TestStreak_EndsAfterAMissedDayUnlessItIsARestDay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	now := time.Now().UTC()
	for name, c := range map[string]struct{ newest, days, streak int }{
		"none": {0, 0, 0}, "today": {0, 8, 8}, "yesterday": {1, 5, 5}, "rested": {2, 6, 6}, "missed": {2, 5, 0}, "ended": {3, 7, 0},
	} {
		member := w.join("Mia" + name)
		w.insert(member, now.AddDate(0, 0, -c.newest), c.days)
		got, err := w.Streak(t.Context(), member, member, "UTC")
		require.NoError(t, err)
		require.Equal(t, [2]int{c.days, c.streak}, [2]int{got.Entries, got.Streak}, name)
		require.Equal(t, c.days > 0 && c.newest == 0, got.WrittenToday, name)
	}
}
