package gazetteer_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/gazetteer"
)

func labels(text string, limit int) []string {
	found := []string{}
	for _, p := range gazetteer.Complete(text, "", limit) {
		found = append(found, p.Label)
	}
	return found
}

func TestComplete_FindsTowns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"portl": "Portland, Oregon", "PORTLAND": "Portland, Oregon", "portland, me": "Portland, Maine", "Portland, Maine": "Portland, Maine",
		"portland me": "Portland, Maine", "portland,or": "Portland, Oregon", "lyo": "Lyon, France", "zur": "Zürich, Switzerland",
		"Zür": "Zürich, Switzerland", "lodz": "Łódź, Poland", "toronto": "Toronto, Ontario", "london": "London, United Kingdom",
		"london, on": "London, Ontario", "london, canada": "London, Ontario", "paris, tex": "Paris, Texas", "nyc": "New York, New York",
		"new york": "New York, New York", "new york city": "New York, New York", "new york ny": "New York, New York",
		"coeur d’a": "Coeur d'Alene, Idaho", "washington, d.c.": "Washington, District of Columbia", "washington dc": "Washington, District of Columbia",
		"birmingham, uk": "Birmingham, United Kingdom", "birmingham, al": "Birmingham, Alabama",
	} {
		found := labels(text, 8)
		require.NotEmpty(t, found, text)
		require.Equal(t, want, found[0], "%s: %v", text, found)
	}
	for _, spelling := range []string{"saint paul, mn", "st. paul, Minnesota", "St Paul mn", " ST.  PAUL ,MN"} {
		require.Equal(t, []string{"Saint Paul, Minnesota"}, labels(spelling, 1), spelling)
	}
	require.Equal(t, labels("saint p", 8), labels("st. p", 8))
	require.Equal(t, "Stockholm, Sweden", labels("sto", 8)[0])
	st := strings.Join(labels("st", 20), "|")
	require.True(t, strings.Contains(st, "Stockholm") && strings.Contains(st, "Saint Paul"), st)
	require.NotContains(t, labels("st.", 20), "Stockholm, Sweden")
	require.Equal(t, 1, strings.Count(strings.Join(labels("new york", 8), "|"), "New York, New York"))
}

func TestComplete_EmptyText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "!?", ",", ", or", "\x00", "narniaville", "portland, narnia", strings.Repeat("a ", 50), "\xff\xfe"} {
		require.Equal(t, []gazetteer.Place{}, gazetteer.Complete(text, "", 8), "%q", text)
	}
}

func TestComplete_PrefersTownsOfTheCountry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, country, want string }{
		{"port", "US", "Portland, Oregon"},
		{"port", "us", "Portland, Oregon"},
		{"port", "BR", "Porto Alegre, Brazil"},
		{"port", "", "Porto Alegre, Brazil"},
		{"london", "US", "London, United Kingdom"},
		{"birmingham", "US", "Birmingham, Alabama"},
		{"birmingham", "GB", "Birmingham, United Kingdom"},
	} {
		require.Equal(t, c.want, gazetteer.Complete(c.text, c.country, 8)[0].Label, "%+v", c)
	}
}

// Lookup finds every town that Complete returns, and the largest is first.
func TestComplete_ResultsAreFoundByLookup(t *testing.T) {
	t.Parallel()
	for _, prefix := range strings.Split("a b c d e f g h i j k l m n o p q r s t u v w x y z", " ") {
		places := gazetteer.Complete(prefix, "", 20)
		require.Len(t, places, 20)
		for _, p := range places {
			_, _, ok := gazetteer.Lookup(p.City, p.State)
			require.True(t, ok, "%+v", p)
			require.Equal(t, p.City+", "+p.State, p.Label)
			require.NotEmpty(t, p.Country)
		}
		require.Equal(t, places[:5], gazetteer.Complete(prefix, "", 5))
	}
	require.Equal(t, gazetteer.Place{City: "Portland", State: "Oregon", Country: "United States", Label: "Portland, Oregon"}, gazetteer.Complete("portl", "", 1)[0])
	require.Equal(t, gazetteer.Place{City: "Lyon", State: "France", Country: "France", Label: "Lyon, France"}, gazetteer.Complete("lyon", "", 1)[0])
}

// BenchmarkComplete completes the names of towns letter by letter.
func BenchmarkComplete(b *testing.B) {
	var inputs []string
	for _, name := range []string{"san francisco, ca", "saint paul mn", "springfield, il", "coeur d'alene", "münchen", "s", "st", "new york ny"} {
		for i := range name {
			inputs = append(inputs, name[:i+1])
		}
	}
	gazetteer.Complete("a", "US", 8)
	var durations []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		gazetteer.Complete(inputs[i%len(inputs)], "US", 8)
		durations = append(durations, time.Since(began))
	}
	slices.Sort(durations)
	b.ReportMetric(float64(durations[len(durations)*99/100].Microseconds()), "p99-µs")
}
