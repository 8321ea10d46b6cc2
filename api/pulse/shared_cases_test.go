package pulse_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
	"heartward/api/pulse"
)

// readCases reads a file of cases that the app's tests read too.
func readCases(t *testing.T, name string, cases any) {
	t.Helper()
	file, err := os.ReadFile("../../pwa/src/features/pulse/testdata/" + name)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(file, cases))
}

func TestStreak_AgreesWithTheApp(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	var file struct {
		Cases []struct {
			Days   string
			Streak int
		}
	}
	readCases(t, "streaks.json", &file)
	require.NotEmpty(t, file.Cases)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	for _, c := range file.Cases {
		w.Exec(`DELETE FROM love_pulse`)
		for i, day := range c.Days {
			if day == 'x' {
				w.insert(mia, today.AddDate(0, 0, i-len(c.Days)+1), 1)
			}
		}
		got, err := pulse.StreakOn(t.Context(), w.Pool, mia, today, time.UTC)
		require.NoError(t, err)
		require.Equal(t, c.Streak, got.Streak, c.Days)
	}
}

// Each day of a week with a change of summer time has its entry, also one that was written just before
// midnight and sent after it, and the streak has seven days.
func TestSave_AWeekWithAChangeOfSummerTime(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var weeks []struct {
		Name, Zone string
		Days       []struct {
			Date          string
			Written, Sent time.Time
		}
	}
	readCases(t, "weeks.json", &weeks)
	require.NotEmpty(t, weeks)
	for _, week := range weeks {
		zone, err := web.Zone(week.Zone)
		require.NoError(t, err)
		first, last := week.Days[0].Written.In(zone), week.Days[6].Written.In(zone)
		require.NotEqual(t, first.IsDST(), last.IsDST(), "%s: no change of summer time", week.Name)
		member := w.join("Mia" + week.Name)
		for i, d := range week.Days {
			sent := d.Sent
			if sent.IsZero() {
				sent = d.Written
			}
			_, err := w.SaveAt(t.Context(), sent, member, pulse.Edit{
				Date: d.Date, Question: questionOf(d.Date), Response: hopeful + d.Date, ClientID: uuid.New(), TimeZone: week.Zone, Age: sent.Sub(d.Written),
			})
			require.NoError(t, err, "%s: %s", week.Name, d.Date)
			streak, err := pulse.StreakOn(t.Context(), w.Pool, member, d.Written.In(zone), zone)
			require.NoError(t, err)
			require.Equal(t, i+1, streak.Streak, "%s: %s", week.Name, d.Date)
			require.Equal(t, d.Date, streak.Today, week.Name)
		}
		entries, _, err := w.History(t.Context(), member, member, web.Page{Limit: 50})
		require.NoError(t, err)
		require.Len(t, entries, 7, week.Name)
		slices.Reverse(entries)
		for i, e := range entries {
			require.Equal(t, [2]string{week.Days[i].Date, week.Days[i].Date}, [2]string{e.Date, e.Reflection}, week.Name)
		}
	}
}
