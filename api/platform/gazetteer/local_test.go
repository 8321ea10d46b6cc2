package gazetteer

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each is a name that people write, with the name under which the town is listed.
func TestLookup_LocalNames(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"München", "Germany", "Munich", "Germany"},
		{"Muenchen", "DE", "Munich", "Germany"},
		{"münchen", "Deutschland", "Munich", "Germany"},
		{"München", "Bayern", "Munich", "Germany"},
		{"Munich", "Bavaria", "Munich", "Germany"},
		{"München", "", "Munich", "Germany"},
		{"Praha", "Czechia", "Prague", "Czechia"},
		{"Praha", "Česko", "Prague", "Czechia"},
		{"Roma", "Italia", "Rome", "Italy"},
		{"Roma", "Lazio", "Rome", "Italy"},
		{"Roma", "", "Rome", "Italy"},
		{"Roma", "Texas", "Roma", "Texas"},
		{"Wien", "Österreich", "Vienna", "Austria"},
		{"Wien", "", "Vienna", "Austria"},
		{"Москва", "Россия", "Moscow", "Russia"},
		{"Москва", "", "Moscow", "Russia"},
		{"Київ", "Україна", "Kyiv", "Ukraine"},
		{"東京", "日本", "Tokyo", "Japan"},
		{"서울", "대한민국", "Seoul", "South Korea"},
		{"Αθήνα", "Ελλάδα", "Athens", "Greece"},
		{"القاهرة", "مصر", "Cairo", "Egypt"},
		{"København", "Danmark", "Copenhagen", "Denmark"},
		{"Firenze", "Toscana", "Florence", "Italy"},
		{"Köln", "NRW", "Köln", "Germany"},
		{"Cologne", "Germany", "Köln", "Germany"},
		{"Lisboa", "Portugal", "Lisbon", "Portugal"},
		{"Milano", "IT", "Milan", "Italy"},
	} {
		lat, lon, ok := Lookup(c[0], c[1])
		require.True(t, ok, "%v", c)
		usualLat, usualLon, ok := Lookup(c[2], c[3])
		require.True(t, ok, "%v", c)
		assert.InDelta(t, usualLat, lat, 0.001, "%v", c)
		assert.InDelta(t, usualLon, lon, 0.001, "%v", c)
		if c[1] != "" {
			assert.Equal(t, TownKey(c[2], c[3]), TownKey(c[0], c[1]), "%v", c)
			place, ok := Find(c[0], c[1])
			require.True(t, ok, "%v", c)
			assert.Equal(t, Fold(c[2]), Fold(place.City), "%v", c)
		}
	}
	for _, c := range [][2]string{{"Springfield", "Narnia"}, {"Wien", "Texas"}, {"Wels", "Narnia"}} {
		_, _, ok := Lookup(c[0], c[1])
		assert.False(t, ok, "%v", c)
	}
}

func TestComplete_LocalNames(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Münch": "Munich, Germany", "Muenchen": "Munich, Germany", "praha": "Prague, Czechia", "wien": "Vienna, Austria", "roma": "Rome, Italy",
		"roma, tex": "Roma, Texas", "Моск": "Moscow, Russia", "東京": "Tokyo, Japan", "firenze": "Florence, Italy", "köln, deu": "Köln, Germany",
	} {
		found := Complete(text, "", 8)
		require.NotEmpty(t, found, text)
		assert.Equal(t, want, found[0].Label, "%s: %v", text, found)
	}
	assert.Equal(t, "Portland, Oregon", Complete("portl", "US", 8)[0].Label, "other names do not displace usual ones")
}

func TestNames_HasUsualOnes(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"munchen", "munich"}, Names("München"))
	assert.Contains(t, Names("Roma"), "rome")
	assert.Equal(t, []string{"nowhere creek"}, Names("Nowhere  Creek"))
	assert.Equal(t, "munich|de", TownKey("München", "Bayern"))
}

// The script that writes the names folds and sorts them as this package does, and their lines are those of the towns.
func TestLocalNames_AreFoldedSortedAndOfTheirTowns(t *testing.T) {
	t.Parallel()
	a, names := load(), loadLocal()
	require.Greater(t, len(names), 100_000)
	require.True(t, slices.IsSortedFunc(names, func(x, y localName) int { return strings.Compare(x.folded, y.folded) }))
	for _, n := range names {
		if Fold(n.folded) != n.folded {
			t.Fatalf("%q is folded to %q", n.folded, Fold(n.folded))
		}
	}
	i := slices.IndexFunc(names, func(n localName) bool { return n.folded == "munchen" })
	require.Equal(t, "Munich", a.names[names[i].town].shown)
}
