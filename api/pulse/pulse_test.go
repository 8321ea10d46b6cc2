package pulse_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/api/pulse"
)

func TestQuestionOf_IsTheDayOfTheYearModulo7(t *testing.T) {
	t.Parallel()
	for date, want := range map[string]int{"2026-01-01": 1, "2026-01-07": 0, "2026-02-01": 32 % 7, "2028-12-31": 366 % 7, "2026-12-31": 365 % 7} {
		require.Equal(t, string(pulse.Questions[want]), questionOf(date), date)
	}
}

func TestSave_StoresOneEntryADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	first := w.save(mia, today(), "💚 Hopeful:  A walk\nin the rain ")
	require.Equal(t, pulse.Mood("hopeful"), first.Mood)
	require.Equal(t, "A walk\nin the rain", first.Reflection)
	require.Equal(t, "💚 Hopeful: A walk\nin the rain", first.Response)
	require.Equal(t, questionOf(today()), string(first.Question))

	// The red heart is accepted without its variation selector, and returned as the specification has it.
	second := w.save(mia, today(), "\u2764 Passionate: Tea: with mint")
	require.Equal(t, first.ID, second.ID)
	require.Equal(t, "❤️ Passionate: Tea: with mint", second.Response)
	got, err := w.Day(t.Context(), mia, mia, today())
	require.NoError(t, err)
	require.Equal(t, second, got)
	history, _, err := w.History(t.Context(), mia, mia, web.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, []pulse.DailyEntry{second}, history)
}

func TestSave_RetryReturnsTheFirstResult(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	edit := pulse.Edit{Date: today(), Question: questionOf(today()), Response: hopeful + "one", ClientID: uuid.New(), TimeZone: zone.String()}
	first, err := w.Save(t.Context(), mia, mia, edit)
	require.NoError(t, err)
	again, err := w.Save(t.Context(), mia, mia, edit)
	require.NoError(t, err)
	require.Equal(t, first, again)
}

// The edit that was written last is stored, in any order in which concurrent edits arrive.
func TestSave_LastWrittenEditWins(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for round := range 5 {
		mia := w.join(fmt.Sprintf("Mia%d", round))
		ages := rand.Perm(10)
		var group sync.WaitGroup
		for _, age := range ages {
			group.Go(func() {
				_, err := w.Save(t.Context(), mia, mia, pulse.Edit{
					Date: today(), Question: questionOf(today()), Response: fmt.Sprintf("%s%d minutes ago", hopeful, age), TimeZone: zone.String(),
					Age: time.Duration(age) * time.Minute,
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		got, err := w.Day(t.Context(), mia, mia, today())
		require.NoError(t, err)
		require.Equal(t, "0 minutes ago", got.Reflection, ages)
		older, err := w.Save(t.Context(), mia, mia, pulse.Edit{
			Date: today(), Question: questionOf(today()), Response: hopeful + "late", TimeZone: zone.String(), Age: time.Hour,
		})
		require.NoError(t, err)
		require.Equal(t, got, older, "the caller learns that a newer edit is stored")
	}
}

func TestSave_TodayIsThatOfTheZone(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	in := func(zone string, days int) error {
		location, err := web.Zone(zone)
		require.NoError(t, err)
		for { // again if the day has changed meanwhile
			today := time.Now().In(location).Format(time.DateOnly)
			date := time.Now().In(location).AddDate(0, 0, days).Format(time.DateOnly)
			_, err = w.Save(t.Context(), mia, mia, pulse.Edit{Date: date, Question: questionOf(date), Response: hopeful + "x", TimeZone: zone})
			if time.Now().In(location).Format(time.DateOnly) == today {
				return err
			}
		}
	}
	for _, zone := range []string{"Pacific/Kiritimati", "Etc/GMT+12", "America/New_York"} {
		require.NoError(t, in(zone, 0), zone)
		require.NoError(t, in(zone, -1), zone)
		require.Equal(t, "date", fault.From(in(zone, -3)).Field, zone)
		require.Equal(t, "date", fault.From(in(zone, 2)).Field, zone)
	}
	// What waited on the device is of the day on which it was written.
	day := func(days int) string { return time.Now().AddDate(0, 0, -days).UTC().Format(time.DateOnly) }
	waited := func(date string, age time.Duration) error {
		_, err := w.Save(t.Context(), mia, mia, pulse.Edit{
			Date: date, Question: questionOf(date), Response: hopeful + "x", TimeZone: "UTC", Age: age,
		})
		return err
	}
	require.NoError(t, waited(day(5), 5*24*time.Hour))
	require.NoError(t, waited(day(6), 5*24*time.Hour))
	require.Equal(t, "date", fault.From(waited(day(8), 5*24*time.Hour)).Field)

	// Today in the east is tomorrow, or later, in the west.
	east, err := web.Zone("Pacific/Kiritimati")
	require.NoError(t, err)
	date := time.Now().In(east).Format(time.DateOnly)
	_, err = w.Save(t.Context(), mia, mia, pulse.Edit{Date: date, Question: questionOf(date), Response: hopeful + "x", TimeZone: "Etc/GMT+12"})
	require.Equal(t, "date", fault.From(err).Field)

	// Without a zone the one of the settings counts.
	w.SetPreference(mia, "timeZone", "Pacific/Kiritimati")
	before := time.Now().In(east).Format(time.DateOnly)
	streak, err := w.Streak(t.Context(), mia, mia, "")
	require.NoError(t, err)
	require.Contains(t, []string{before, time.Now().In(east).Format(time.DateOnly)}, streak.Today)
}

func TestSave_NamesTheInvalidField(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	valid := pulse.Edit{Date: today(), Question: questionOf(today()), Response: hopeful + "x", TimeZone: zone.String()}
	for field, edit := range map[string]pulse.Edit{
		"date":     {Date: "2026-13-01", Question: valid.Question, Response: valid.Response, TimeZone: zone.String()},
		"question": {Date: valid.Date, Question: "What?", Response: valid.Response, TimeZone: zone.String()},
		"timeZone": {Date: valid.Date, Question: valid.Question, Response: valid.Response, TimeZone: "Mars/Olympus"},
	} {
		_, err := w.Save(t.Context(), mia, mia, edit)
		testkit.RequireInvalid(t, err, field)
	}
	for _, response := range []string{"", "fine", "💚 Joyful: x", "Hopeful: x", hopeful, hopeful + " \n ", hopeful + strings.Repeat("é", 1001), hopeful + "a\x00b"} {
		edit := valid
		edit.Response = response
		_, err := w.Save(t.Context(), mia, mia, edit)
		require.Equal(t, "response", fault.From(err).Field, response)
	}
	w.save(mia, today(), hopeful+strings.Repeat("é", 1000))
}

func TestEntries_OfOthersDoNotExist(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia, noah := w.join("Mia"), w.join("Noah")
	w.save(mia, today(), hopeful+"private")
	_, err := w.Save(t.Context(), noah, mia, pulse.Edit{Date: today(), Question: questionOf(today()), Response: hopeful + "x", TimeZone: zone.String()})
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Day(t.Context(), noah, mia, today())
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Streak(t.Context(), noah, mia, "UTC")
	testkit.RequireKind(t, err, fault.NotFound)
	_, _, err = w.History(t.Context(), noah, mia, web.Page{Limit: 50})
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Year(t.Context(), noah, mia, 2026)
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.Day(t.Context(), mia, mia, yesterday())
	testkit.RequireKind(t, err, fault.NotFound, "a day without an entry")
}

func TestHistory_HasEveryEntryOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	mia := w.join("Mia")
	newest := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	w.insert(mia, newest, 120)
	w.insert(w.join("Noah"), newest, 10)
	var dates []string
	for cursor, more := "", true; more; more = cursor != "" {
		page, next, err := w.History(t.Context(), mia, mia, web.Page{Limit: 50, Cursor: cursor})
		require.NoError(t, err)
		for _, e := range page {
			dates = append(dates, e.Date)
		}
		cursor = next
	}
	require.Len(t, dates, 120)
	for i, date := range dates {
		require.Equal(t, newest.AddDate(0, 0, -i).Format(time.DateOnly), date)
	}
	year, err := w.Year(t.Context(), mia, mia, 2026)
	require.NoError(t, err)
	require.Len(t, year, 31+28+1)
	require.Equal(t, pulse.MoodDay{Date: "2026-01-01", Mood: "content"}, year[0])
}
