package compat

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func ref[T any](v T) *T { return &v }

func TestIntentions_Points(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b []string
		want int // hundredths
	}{
		"neither has tags":                     {nil, nil, 5000},
		"one has none":                         {[]string{"Healing"}, nil, 5000},
		"blank tags are none":                  {[]string{" "}, []string{"Healing"}, 5000},
		"all shared":                           {[]string{"Healing", "Friendship"}, []string{"Friendship", "Healing"}, 10000},
		"one of two":                           {[]string{"Healing", "Friendship"}, []string{"Friendship"}, 5000},
		"two of three":                         {[]string{"A", "B", "C"}, []string{"A", "B"}, 6667},
		"one of three":                         {[]string{"A", "B", "C"}, []string{"A"}, 3333},
		"case and space do not matter":         {[]string{"Spiritual  Connection"}, []string{"spiritual connection"}, 10000},
		"a tag given twice counts once":        {[]string{"A", "a", "B"}, []string{"A", "C"}, 5000},
		"nothing shared":                       {[]string{"Healing"}, []string{"Friendship"}, 2000},
		"complements, nothing shared":          {[]string{"Long-term commitment"}, []string{"Marriage"}, 3000},
		"complements with sides swapped":       {[]string{"Marriage"}, []string{"Long-term commitment"}, 3000},
		"growth and spirit":                    {[]string{"Personal growth"}, []string{"Spiritual connection"}, 3000},
		"spirit and growth":                    {[]string{"Spiritual connection"}, []string{"Personal growth"}, 3000},
		"adventure and travel":                 {[]string{"Adventure together"}, []string{"Travel companion"}, 3000},
		"travel and adventure":                 {[]string{"Travel companion"}, []string{"Adventure together"}, 3000},
		"two complements":                      {[]string{"Marriage", "Travel companion"}, []string{"Long-term commitment", "Adventure together"}, 4000},
		"a pair of complements counts once":    {[]string{"Marriage", "Long-term commitment"}, []string{"Marriage", "Long-term commitment"}, 10000},
		"shared and complement":                {[]string{"A", "Marriage"}, []string{"A", "Long-term commitment"}, 6000},
		"clamped to 100":                       {[]string{"Marriage", "Long-term commitment"}, []string{"Long-term commitment", "Marriage"}, 10000},
		"complements on one side do not count": {[]string{"Marriage", "Long-term commitment"}, []string{"Healing"}, 2000},
	} {
		assert.Equal(t, c.want, Intentions(c.a, c.b), name)
	}
}

func TestLifestyle_Points(t *testing.T) {
	t.Parallel()
	yes, no := ref(true), ref(false)
	for name, c := range map[string]struct {
		a, b Person
		want int // whole points
	}{
		"nothing answered":                  {Person{}, Person{}, 70},
		"only one answered":                 {Person{HasChildren: yes, WantsChildren: yes, Education: ref("masters"), Religion: ref("hindu")}, Person{}, 70},
		"same children":                     {Person{HasChildren: yes}, Person{HasChildren: yes}, 85},
		"both without children":             {Person{HasChildren: no}, Person{HasChildren: no}, 85},
		"different children":                {Person{HasChildren: yes}, Person{HasChildren: no}, 60},
		"same wish":                         {Person{WantsChildren: no}, Person{WantsChildren: no}, 85},
		"different wish":                    {Person{WantsChildren: yes}, Person{WantsChildren: no}, 50},
		"same education":                    {Person{Education: ref("masters")}, Person{Education: ref("masters")}, 80},
		"one level apart":                   {Person{Education: ref("high_school")}, Person{Education: ref("some_college")}, 80},
		"two levels apart":                  {Person{Education: ref("some_college")}, Person{Education: ref("masters")}, 70},
		"three levels apart":                {Person{Education: ref("some_college")}, Person{Education: ref("doctorate")}, 65},
		"four levels apart":                 {Person{Education: ref("doctorate")}, Person{Education: ref("high_school")}, 65},
		"unknown education":                 {Person{Education: ref("hogwarts")}, Person{Education: ref("high_school")}, 70},
		"same religion":                     {Person{Religion: ref("jewish")}, Person{Religion: ref("jewish")}, 90},
		"spiritual and buddhist":            {Person{Religion: ref("spiritual")}, Person{Religion: ref("buddhist")}, 75},
		"buddhist and spiritual":            {Person{Religion: ref("buddhist")}, Person{Religion: ref("spiritual")}, 75},
		"agnostic and atheist":              {Person{Religion: ref("agnostic")}, Person{Religion: ref("atheist")}, 75},
		"atheist and agnostic":              {Person{Religion: ref("atheist")}, Person{Religion: ref("agnostic")}, 75},
		"christian and spiritual":           {Person{Religion: ref("christian")}, Person{Religion: ref("spiritual")}, 75},
		"spiritual and christian":           {Person{Religion: ref("spiritual")}, Person{Religion: ref("christian")}, 75},
		"christian and buddhist":            {Person{Religion: ref("christian")}, Person{Religion: ref("buddhist")}, 60},
		"all answers equal is clamped":      {all(yes, yes, "masters", "hindu"), all(yes, yes, "masters", "hindu"), 100},
		"all different":                     {all(yes, yes, "doctorate", "hindu"), all(no, no, "high_school", "muslim"), 25},
		"same children, different religion": {all(yes, yes, "masters", "hindu"), all(yes, yes, "masters", "muslim"), 100},
		"only the wishes differ":            {all(no, yes, "bachelors", "other"), all(no, no, "masters", "other"), 95},
	} {
		assert.Equal(t, c.want*point, Lifestyle(c.a, c.b), name)
		assert.Equal(t, c.want*point, Lifestyle(c.b, c.a), name+", sides swapped")
	}
}

func all(has, wants *bool, education, religion string) Person {
	return Person{HasChildren: has, WantsChildren: wants, Education: &education, Religion: &religion}
}

func TestLocation_Points(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b Town
		want int
	}{
		"same town":                      {NewTown("Portland", "OR"), NewTown(" portland", "Oregon"), 100},
		"same name, other state":         {NewTown("Portland", "OR"), NewTown("Portland", "ME"), 30},
		"same unknown town":              {NewTown("Xyzzy", "OR"), NewTown("xyzzy", "or"), 100},
		"missing on one side":            {NewTown("", "OR"), NewTown("Portland", "OR"), 60},
		"missing on both sides":          {NewTown("", ""), NewTown(" ", ""), 60},
		"up to 25 miles":                 {NewTown("Portland", "OR"), NewTown("Gresham", "OR"), 90},
		"up to 50 miles":                 {NewTown("Portland", "OR"), NewTown("Salem", "OR"), 70},
		"up to 100 miles":                {NewTown("Portland", "OR"), NewTown("Corvallis", "OR"), 50},
		"more":                           {NewTown("Portland", "OR"), NewTown("Seattle", "WA"), 30},
		"unknown, one name in the other": {NewTown("Portland", "OR"), NewTown("Portland Meadows Park", "OR"), 90},
		"unknown":                        {NewTown("Portland", "OR"), NewTown("Xyzzy", "OR"), 30},
		"both unknown":                   {NewTown("Plugh", "OR"), NewTown("Xyzzy", "OR"), 30},
		"exactly 25 miles":               {at(0), at(25), 90},
		"just over 25 miles":             {at(0), at(25.01), 70},
		"exactly 50 miles":               {at(0), at(50), 70},
		"just over 50 miles":             {at(0), at(50.01), 50},
		"exactly 100 miles":              {at(0), at(100), 50},
		"just over 100 miles":            {at(0), at(100.01), 30},
	} {
		assert.Equal(t, c.want*point, Location(c.a, c.b), name)
		assert.Equal(t, c.want*point, Location(c.b, c.a), name+", sides swapped")
	}
}

// at returns a town the given miles north of the equator, minus a small amount so that
// rounding does not matter at the limits of a distance.
func at(miles float64) Town {
	const milesPerDegree = 3958.8 * 3.14159265358979 / 180
	north := miles / milesPerDegree
	return KnownTown("Mile "+big.NewFloat(miles).String(), "XX", north*(1-1e-9), 0)
}

func TestAge_Points(t *testing.T) {
	t.Parallel()
	for gap, want := range map[int]int{0: 100, 2: 100, 3: 90, 5: 90, 6: 80, 8: 80, 9: 70, 12: 70, 13: 60, 15: 60, 16: 40, 60: 40} {
		assert.Equal(t, want*point, Age(30, 30+gap), "gap %d", gap)
		assert.Equal(t, want*point, Age(30+gap, 30), "gap -%d", gap)
	}
}

func TestOverall_RoundsHalfPointUp(t *testing.T) {
	t.Parallel()
	// 0.4·100 + 0.3·85 + 0.2·50 + 0.1·90 = 84.5, which binary fractions lose.
	a := Person{Age: 30, Town: NewTown("Portland", "OR"), IntentionTags: []string{"Healing"}, HasChildren: ref(true)}
	b := Person{Age: 34, Town: NewTown("Corvallis", "OR"), IntentionTags: []string{"Healing"}, HasChildren: ref(true)}
	assert.Equal(t, Score{Overall: 85, Intentions: 10000, Lifestyle: 8500, Location: 5000, Age: 9000}, Of(a, b))

	nothing := Of(Person{Age: 30}, Person{Age: 30})
	assert.Equal(t, 63, nothing.Overall, "20 + 21 + 12 + 10")
}

var tags = []string{"Healing", "Friendship", "Long-term", "Spiritual Connection", "Marriage", "Long-term commitment",
	"Personal growth", "Adventure together", "Travel companion", "Still healing but open"}

func person(t *rapid.T, name string) Person {
	return rapid.Custom(func(t *rapid.T) Person {
		towns := []Town{NewTown("Portland", "OR"), NewTown("Salem", "OR"), NewTown("Corvallis", "OR"), NewTown("Gresham", "OR"),
			NewTown("Seattle", "WA"), NewTown("", ""), NewTown("Xyzzy", "OR"), NewTown("Portland Meadows", "")}
		return Person{
			Age:           rapid.IntRange(18, 99).Draw(t, "age"),
			Town:          rapid.SampledFrom(towns).Draw(t, "town"),
			IntentionTags: rapid.SliceOfN(rapid.SampledFrom(tags), 0, 10).Draw(t, "tags"),
			HasChildren:   rapid.Ptr(rapid.Bool(), true).Draw(t, "has"),
			WantsChildren: rapid.Ptr(rapid.Bool(), true).Draw(t, "wants"),
			Education:     rapid.Ptr(rapid.SampledFrom([]string{"high_school", "some_college", "bachelors", "masters", "doctorate"}), true).Draw(t, "education"),
			Religion:      rapid.Ptr(rapid.SampledFrom([]string{"christian", "spiritual", "buddhist", "agnostic", "atheist", "other"}), true).Draw(t, "religion"),
		}
	}).Draw(t, name)
}

func TestOf_IsSymmetricAndWithinBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := person(t, "a"), person(t, "b")
		s := Of(a, b)
		require.Equal(t, s, Of(b, a))
		for _, part := range []int{s.Intentions, s.Lifestyle, s.Location, s.Age} {
			require.GreaterOrEqual(t, part, 0)
			require.LessOrEqual(t, part, maxPart)
		}
		require.GreaterOrEqual(t, s.Overall, 0)
		require.Equal(t, exactly(a, b, s), s.Overall)
	})
}

// exactly returns the overall score computed in fractions and rounded once.
func exactly(a, b Person, s Score) int {
	part := big.NewRat(int64(s.Intentions), point)
	tagsA, tagsB := distinct(a.IntentionTags), distinct(b.IntentionTags)
	shared := 0
	for _, tag := range tagsA {
		if has(tagsB, tag) {
			shared++
		}
	}
	if shared > 0 {
		part = big.NewRat(int64(100*shared), int64(max(len(tagsA), len(tagsB))))
		part.Add(part, big.NewRat(int64(10*len(complementary(tagsA, tagsB))), 1))
		if part.Cmp(big.NewRat(100, 1)) > 0 {
			part = big.NewRat(100, 1)
		}
	}
	sum := new(big.Rat).Mul(part, big.NewRat(40, 100))
	sum.Add(sum, big.NewRat(int64(30*s.Lifestyle+20*s.Location+10*s.Age), 100*point))
	sum.Add(sum, big.NewRat(1, 2))
	return int(new(big.Int).Quo(sum.Num(), sum.Denom()).Int64())
}

func TestMinWeighted_IsInverseOfOverall(t *testing.T) {
	t.Parallel()
	for overall := range 101 {
		assert.Equal(t, overall, Overall(max(0, MinWeighted(overall))), "%d", overall)
		if overall > 0 {
			assert.Equal(t, overall-1, Overall(MinWeighted(overall)-1), "%d", overall)
		}
	}
}
