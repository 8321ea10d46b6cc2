package gazetteer_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"heartward/api/platform/gazetteer"
)

func TestLookup_AllSpellings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		city, state string
		lat, lon    float64
	}{
		{"Portland", "OR", 45.52, -122.68},
		{"portland ", " oregon", 45.52, -122.68},
		{"Portland", "ME", 43.66, -70.26},
		{"Portland", "", 45.52, -122.68},
		{"St. Paul", "Minnesota", 44.94, -93.09},
		{"SAINT PAUL", "mn", 44.94, -93.09},
		{"New York", "NY", 40.71, -74.01},
		{"Washington", "DC", 38.90, -77.04},
		{"Washington, D.C.", "District of Columbia", 38.90, -77.04},
		{"Zurich", "Switzerland", 47.37, 8.55},
		{"Zürich", "CH", 47.37, 8.55},
		{"Toronto", "Ontario", 43.70, -79.42},
		{"Toronto", "CA", 43.70, -79.42},
		{"London", "England", 51.51, -0.13},
		{"Coeur d’Alene", "ID", 47.68, -116.78},
		{"Łódź", "Poland", 51.77, 19.47},
	} {
		lat, lon, ok := gazetteer.Lookup(c.city, c.state)
		require.True(t, ok, "%s, %s", c.city, c.state)
		assert.InDelta(t, c.lat, lat, 0.05, "%s, %s", c.city, c.state)
		assert.InDelta(t, c.lon, lon, 0.05, "%s, %s", c.city, c.state)
	}
}

func TestLookup_UnknownTowns(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"", "OR"}, {"  ", ""}, {"Atlantis", "OR"}, {"Portland", "Narnia"}, {"!?", "OR"}} {
		_, _, ok := gazetteer.Lookup(c[0], c[1])
		assert.False(t, ok, "%q, %q", c[0], c[1])
	}
}

func TestTownKey_EqualForAllSpellings(t *testing.T) {
	t.Parallel()
	assert.Equal(t, gazetteer.TownKey("Saint Paul", "MN"), gazetteer.TownKey(" st.  paul", "minnesota"))
	assert.Equal(t, gazetteer.TownKey("Nowhere Creek", "Narnia"), gazetteer.TownKey("nowhere  creek", " NARNIA"))
	assert.NotEqual(t, gazetteer.TownKey("Portland", "OR"), gazetteer.TownKey("Portland", "ME"))
	assert.Empty(t, gazetteer.TownKey(" ", "OR"))
}

func TestMiles_KnownDistances(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 2446, gazetteer.Miles(40.714, -74.006, 34.052, -118.244), 5) // New York to Los Angeles
	assert.Zero(t, gazetteer.Miles(45, -122, 45, -122))
	assert.InDelta(t, 12437, gazetteer.Miles(0, 0, 0, 180), 5)
}

func TestBand_RoundsUp(t *testing.T) {
	t.Parallel()
	for miles, band := range map[float64]string{
		0: "within 5 miles", 5: "within 5 miles", 5.1: "within 10 miles", 25: "within 25 miles",
		50: "within 50 miles", 50.01: "within 100 miles", 100: "within 100 miles", 100.5: "over 100 miles away",
	} {
		assert.Equal(t, band, gazetteer.Band(miles), "%v miles", miles)
	}
}

// A box that excludes a near town would exclude its members from a search.
func TestBox_ContainsAllNearPositions(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lat, lon := rapid.Float64Range(-89, 89).Draw(t, "lat"), rapid.Float64Range(-180, 180).Draw(t, "lon")
		miles := rapid.Float64Range(1, 500).Draw(t, "miles")
		lat2 := lat + rapid.Float64Range(-8, 8).Draw(t, "north")
		lon2 := lon + rapid.Float64Range(-20, 20).Draw(t, "east")
		if lat2 < -90 || lat2 > 90 || lon2 < -180 || lon2 > 180 || gazetteer.Miles(lat, lon, lat2, lon2) > miles {
			t.Skip("the position is farther than miles")
		}
		south, west, north, east := gazetteer.Box(lat, lon, miles)
		const slack = 1e-9
		if lat2 < south-slack || lat2 > north+slack || lon2 < west-slack || lon2 > east+slack {
			t.Fatalf("(%v, %v) is outside of (%v, %v)-(%v, %v)", lat2, lon2, south, west, north, east)
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	gazetteer.Lookup("Portland", "OR")
	for b.Loop() {
		gazetteer.Lookup("Saint Paul", "MN")
	}
}

func TestFind_ReturnsUsualSpelling(t *testing.T) {
	t.Parallel()
	for town, label := range map[[2]string]string{
		{" lisbon", "PORTUGAL"}: "Lisbon, Portugal", {"st. paul", "mn"}: "Saint Paul, Minnesota", {"london", "Ontario"}: "London, Ontario",
		{"nyc", "NY"}: "New York, New York", {"Tbilisi", "Georgia"}: "Tbilisi, Georgia",
	} {
		p, ok := gazetteer.Find(town[0], town[1])
		require.True(t, ok, "%v", town)
		require.Equal(t, label, p.Label)
		_, _, ok = gazetteer.Lookup(p.City, p.State)
		require.True(t, ok, "%v", town)
	}
	for _, town := range [][2]string{{"", "Oregon"}, {"Lisbon", ""}, {"Lisbo", "Portugal"}, {"Springfield", "Narnia"}, {"Lisbon", "France"}} {
		_, ok := gazetteer.Find(town[0], town[1])
		require.False(t, ok, "%v", town)
	}
}
