package dates_test

import (
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/dates"
)

// property is one line of a calendar, unfolded and unescaped.
type property struct{ name, params, value string }

// parseCalendar parses a calendar (RFC 5545) and returns the properties of each component.
func parseCalendar(t *testing.T, text string) map[string][]property {
	t.Helper()
	require.True(t, strings.HasSuffix(text, "\r\n"))
	require.NotContains(t, strings.ReplaceAll(text, "\r\n", ""), "\n", "a line feed without a carriage return")
	var lines []string
	for _, raw := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		require.LessOrEqual(t, len(raw), 75, "number of octets of %q", raw)
		require.True(t, utf8.ValidString(raw), "a character is split in %q", raw)
		if strings.HasPrefix(raw, " ") {
			lines[len(lines)-1] += raw[1:]
		} else {
			lines = append(lines, raw)
		}
	}
	parts, open := map[string][]property{}, []string{}
	for _, line := range lines {
		head, value, found := strings.Cut(line, ":")
		require.True(t, found, line)
		name, params, _ := strings.Cut(head, ";")
		switch name {
		case "BEGIN":
			open = append(open, value)
			require.Empty(t, parts[value], "%s occurs twice", value)
		case "END":
			require.Equal(t, value, open[len(open)-1])
			open = open[:len(open)-1]
		default:
			component := open[len(open)-1]
			parts[component] = append(parts[component], property{name, params, unescape(value)})
		}
	}
	require.Empty(t, open)
	return parts
}

func unescape(value string) string {
	var out strings.Builder
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) {
			i++
			if value[i] == 'n' || value[i] == 'N' {
				out.WriteByte('\n')
				continue
			}
		}
		out.WriteByte(value[i])
	}
	return out.String()
}

func valueOf(t *testing.T, list []property, name string) string {
	t.Helper()
	found := []string{}
	for _, p := range list {
		if p.name == name {
			found = append(found, p.value)
		}
	}
	require.Len(t, found, 1, "property %s", name)
	return found[0]
}

func TestCalendar_IsValidRFC5545(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, conversation := w.Pair()
	p := plan()
	p.Place = `Ōe; "Kenzaburō's", bar\ 🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮🌮 corner of the very long street`
	p.Note = "First line, with a comma\nBEGIN:VEVENT\nand; a semicolon"
	result, err := w.s.Propose(t.Context(), ada, conversation, uuid.Must(uuid.NewV7()), p)
	require.NoError(t, err)
	read := func() map[string][]property {
		text, err := w.s.Calendar(t.Context(), ada, result.Date.ID)
		require.NoError(t, err)
		return parseCalendar(t, text)
	}
	first := read()
	event := first["VEVENT"]
	require.Equal(t, "2.0", valueOf(t, first["VCALENDAR"], "VERSION"))
	require.NotEmpty(t, valueOf(t, first["VCALENDAR"], "PRODID"))
	require.Equal(t, "PUBLISH", valueOf(t, first["VCALENDAR"], "METHOD"))
	require.Equal(t, p.Place, valueOf(t, event, "LOCATION"))
	require.Equal(t, p.Note+"\n\n"+site+"/messages/"+ben.ID.String(), valueOf(t, event, "DESCRIPTION"))
	require.Equal(t, "Date with Ben", valueOf(t, event, "SUMMARY"))
	require.Equal(t, "TENTATIVE", valueOf(t, event, "STATUS"))
	starts, err := time.Parse("20060102T150405Z", valueOf(t, event, "DTSTART"))
	require.NoError(t, err)
	require.True(t, starts.Equal(p.At))
	ends, err := time.Parse("20060102T150405Z", valueOf(t, event, "DTEND"))
	require.NoError(t, err)
	require.True(t, ends.After(starts))
	_, err = time.Parse("20060102T150405Z", valueOf(t, event, "DTSTAMP"))
	require.NoError(t, err)
	require.Equal(t, "DISPLAY", valueOf(t, first["VALARM"], "ACTION"))
	for _, p := range event {
		require.NotContains(t, p.value, "test.example", "no member's email address")
	}

	uid, sequence := valueOf(t, event, "UID"), number(t, event)
	_, err = w.s.Accept(t.Context(), ben, result.Date.ID, 1)
	require.NoError(t, err)
	event = read()["VEVENT"]
	require.Equal(t, "CONFIRMED", valueOf(t, event, "STATUS"))
	p.At = p.At.Add(time.Hour)
	_, err = w.s.Change(t.Context(), ben, result.Date.ID, 2, p)
	require.NoError(t, err)
	event = read()["VEVENT"]
	require.Greater(t, number(t, event), sequence)
	sequence = number(t, event)
	_, err = w.s.Cancel(t.Context(), ben, result.Date.ID, 3)
	require.NoError(t, err)
	last := read()
	require.Equal(t, []string{"CANCEL", "CANCELLED", uid},
		[]string{valueOf(t, last["VCALENDAR"], "METHOD"), valueOf(t, last["VEVENT"], "STATUS"), valueOf(t, last["VEVENT"], "UID")})
	require.Greater(t, number(t, last["VEVENT"]), sequence)
	require.Empty(t, last["VALARM"])
}

func number(t *testing.T, event []property) int {
	n, err := strconv.Atoi(valueOf(t, event, "SEQUENCE"))
	require.NoError(t, err)
	return n
}

func TestAccept_EnqueuesReminder(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, ben, date := w.accepted()
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'remind_date' AND args = jsonb_build_object('dateId', $1::text, 'revision', 2)
		AND scheduled_at = $2::timestamptz - interval '3 hours'`, date.ID.String(), date.At))
	newPlan := plan()
	newPlan.At = time.Now().Add(2 * time.Hour)
	changed, err := w.s.Change(t.Context(), ada, date.ID, 2, newPlan)
	require.NoError(t, err)
	_, err = w.s.Accept(t.Context(), ben, date.ID, changed.Revision)
	require.NoError(t, err)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'remind_date'`), "too soon for a reminder")
	require.Equal(t, dates.Proposed, changed.Status)
}
