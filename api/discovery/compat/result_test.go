package compat

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestExplain_DescribesPublicFields(t *testing.T) {
	t.Parallel()
	viewer := Person{
		Age: 31, Town: NewTown("Portland", "OR"), IntentionTags: []string{"Healing", "Marriage", "Friendship", "healing"},
		HasChildren: ref(false), WantsChildren: ref(true), Education: ref("masters"), Religion: ref("hindu"),
	}
	other := Person{
		Age: 33, Town: NewTown("Gresham", "Oregon"), IntentionTags: []string{"friendship", "HEALING", "Long-term commitment"},
		HasChildren: ref(false), WantsChildren: ref(false), Education: ref("bachelors"), Religion: ref("hindu"),
	}
	r := Explain(viewer, other)
	assert.Equal(t, Compatibility{
		Overall: 87, IntentionMatch: 77, LifestyleMatch: 95, LocationMatch: 90, AgeCompatibility: 100,
		DistanceBand: ref("within 25 miles"),
		Breakdown: Breakdown{
			Intentions: PartScore{77, []string{"You both chose Healing and Friendship.", "Long-term commitment and marriage go well together."}},
			Lifestyle: PartScore{95, []string{"Neither of you has children.", "You see having children differently; worth a talk.",
				"You have a similar education."}},
			Location: PartScore{90, []string{"Your towns are within 25 miles of each other."}},
			Age:      PartScore{100, []string{"You are 2 years apart."}},
		},
	}, r)
}

func TestDescribe_SentencesOfEveryCase(t *testing.T) {
	t.Parallel()
	portland := NewTown("Portland", "OR")
	for _, c := range []struct {
		got  []string
		want string
	}{
		{describeIntentions(nil, []string{"A"}), "Choose your intentions to see what you share."},
		{describeIntentions([]string{"A"}, nil), "They haven't chosen their intentions yet."},
		{describeIntentions([]string{"A"}, []string{"B"}), "You came with different intentions."},
		{describeIntentions([]string{"A"}, []string{"A"}), "You both chose A."},
		{describeIntentions([]string{"A", "B", "C"}, []string{"C", "B", "A"}), "You both chose A, B and C."},
		{describeLifestyle(Person{}, Person{}), "Not known yet: the score is a guess until you've both filled this in."},
		{describeLifestyle(Person{HasChildren: ref(true)}, Person{HasChildren: ref(true)}), "You both have children."},
		{describeLifestyle(Person{HasChildren: ref(true)}, Person{HasChildren: ref(false)}), "One of you has children."},
		{describeLifestyle(Person{WantsChildren: ref(true)}, Person{WantsChildren: ref(true)}), "You both want children."},
		{describeLifestyle(Person{WantsChildren: ref(false)}, Person{WantsChildren: ref(false)}), "Neither of you is looking to have children."},
		{describeLifestyle(Person{Education: ref("high_school")}, Person{Education: ref("masters")}), "Your paths through education were different."},
		{describeLocation(Town{}, portland), "Add your town to see how far apart you live."},
		{describeLocation(portland, Town{}), "They haven't said where they live."},
		{describeLocation(portland, NewTown("portland", "oregon")), "You both live in portland."},
		{describeLocation(portland, NewTown("Xyzzy", "OR")), "We can't tell how far apart your towns are."},
		{describeLocation(portland, NewTown("Seattle", "WA")), "Your towns are more than 100 miles apart."},
		{describeAge(30, 30), "You are the same age."},
		{describeAge(31, 30), "You are a year apart."},
	} {
		assert.Equal(t, []string{c.want}, c.got)
	}
}

// The band is shown only for measured distances.
func TestBand_IsNilForAssumedDistance(t *testing.T) {
	t.Parallel()
	portland := NewTown("Portland", "OR")
	assert.Nil(t, band(portland, NewTown("Portland Meadows Park", "OR")))
	assert.Nil(t, band(portland, NewTown("", "")))
	assert.Equal(t, "within 5 miles", *band(NewTown("Xyzzy", "OR"), NewTown("Xyzzy", "OR")))
	assert.Equal(t, "over 100 miles away", *band(portland, NewTown("Seattle", "WA")))
}

func TestExplain_SentencesDoNotDependOnReligion(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := person(t, "a"), person(t, "b")
		details := Explain(a, b).Breakdown.Lifestyle.Details
		b.Religion = nil
		require.Equal(t, details, Explain(a, b).Breakdown.Lifestyle.Details)
	})
}
