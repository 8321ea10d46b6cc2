package dates

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Folding a line at any position cuts no character and loses no space: a calendar that unfolds it gets the place as it was
// written (ical4j #800, ical-generator #221, ProtonMail/WebClients #513).
func TestCalendar_FoldingKeepsEachCharacter(t *testing.T) {
	t.Parallel()
	for shift := range 90 {
		place := strings.Repeat("a", shift) + " 🤔 Café Jazz für alle; \\ b, 👩‍👩‍👧‍👦 " + strings.Repeat("ж ", 40) + "end"
		file := calendar(Date{ID: uuid.New(), At: time.Date(2027, 7, 1, 19, 0, 0, 0, time.UTC), Place: place, Status: Accepted, Revision: 1},
			"https://heartward.example", time.Now())
		for line := range strings.SplitSeq(strings.TrimSuffix(file, "\r\n"), "\r\n") {
			require.LessOrEqual(t, len(line), 75)
			require.True(t, utf8.ValidString(line), "%q", line)
		}
		_, rest, found := strings.Cut(strings.ReplaceAll(file, "\r\n ", ""), "\r\nLOCATION:")
		require.True(t, found)
		value, _, _ := strings.Cut(rest, "\r\n")
		require.Equal(t, place, strings.NewReplacer(`\\`, `\`, `\;`, ";", `\,`, ",").Replace(value))
	}
}
