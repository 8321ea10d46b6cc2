package seed

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"heartward/api/members"
)

//go:embed cast.json
var castText []byte

// role is a member of the cast in cast.json, with the names of the profile's fields.
// scripts/portraits.mjs reads Look.
type role struct {
	Name, Gender, Town, Occupation, Education, Religion, Bio, LoveReflection string
	Age                                                                      int
	InterestedIn, IntentionTags                                              []string
	HasChildren, WantsChildren                                               *bool
	Prompt                                                                   [2]string // question and answer
	Look                                                                     []any     // head, expression, skin, clothes, glasses, beard
}

// mood returns the expression of the portrait, a key of moods.
func (r role) mood() string { return r.Look[1].(string) }

// cast returns the sixty members of cast.json.
var cast = sync.OnceValue(func() (roles []role) {
	if err := json.Unmarshal(castText, &roles); err != nil {
		panic("seed: cast.json: " + err.Error()) // the file is embedded
	}
	return roles
})

// moreQuestions are second prompts of profiles: questions with their answers.
var moreQuestions = [][2]string{
	{"The best gift I was given", "A list of small things someone had noticed about me."},
	{"I could talk all night about", "Why some songs make rain better."},
	{"My simple pleasures", "Clean sheets, sharp pencils, the first peach."},
	{"Together we could", "Learn one dish from every street we have lived on."},
	{"A green flag for me", "You are kind to people who are in a hurry."},
	{"I am looking for", "Someone who says what they mean, gently."},
	{"The last thing that made me laugh", "My own voicemail greeting from 2014."},
	{"I wind down by", "Washing up slowly with the radio on."},
	{"A place I go back to", "The bench by the water where I made up my mind."},
}

// optional returns nil for an empty text.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// castMember returns the member for a role of the cast.
func (w *dataset) castMember(r role, i int) person {
	city, state, _ := strings.Cut(r.Town, ", ")
	first, last, _ := strings.Cut(r.Name, " ")
	joined := w.ago(w.between(20*day, 200*day))
	p := person{
		id: w.id(joined), email: fmt.Sprintf("member%05d@heartward.test", i+1), first: first, last: last,
		birthDate: w.born(r.Age), created: joined, active: w.randomLastActive(), gender: optional(r.Gender), interestedIn: r.InterestedIn,
		city: city, state: state, intentionTags: r.IntentionTags, bio: r.Bio, loveReflection: r.LoveReflection,
		hasChildren: r.HasChildren, wantsChildren: r.WantsChildren, education: optional(r.Education), religion: optional(r.Religion),
		occupation: r.Occupation, featured: i%15 == 4, code: code(i + 1),
	}
	if i%3 != 2 {
		height := 155 + w.random.IntN(38)
		p.heightCm = &height
	}
	if i%4 == 0 {
		at := joined.Add(w.between(day, 10*day))
		p.verified = &at
	}
	return p
}

var (
	firstNames = strings.Fields("Avery Blake Carmen Diego Elena Farid Gloria Hugo Ines Jamal Kira Liam Mina Nico Olive Paulo Quincy Rhea " +
		"Stefan Talia Umar Vera Wes Ximena Yara Zane Anika Bruno Celia Dmitri Esme Felix")
	lastNames = strings.Fields("Adams Bauer Costa Diaz Evans Fischer Garcia Hansen Ito Jackson Kim Lopez Martin Novak Ortiz Park Quist " +
		"Rossi Silva Tran Ueda Vargas Weber Young Zimmer Abebe Bishop Cohen Dube Ellis")
	towns = []string{"Portland, OR", "Salem, OR", "Seattle, WA", "Tacoma, WA", "San Francisco, CA", "Oakland, CA", "San Jose, CA",
		"Los Angeles, CA", "Long Beach, CA", "San Diego, CA", "Phoenix, AZ", "Tucson, AZ", "Denver, CO", "Boulder, CO", "Austin, TX",
		"Dallas, TX", "Houston, TX", "San Antonio, TX", "Minneapolis, MN", "Saint Paul, MN", "Chicago, IL", "Evanston, IL", "Detroit, MI",
		"Columbus, OH", "Cleveland, OH", "Nashville, TN", "Atlanta, GA", "Miami, FL", "Orlando, FL", "Tampa, FL", "Charlotte, NC",
		"Raleigh, NC", "Washington, DC", "Baltimore, MD", "Philadelphia, PA", "Pittsburgh, PA", "New York, NY", "Brooklyn, NY",
		"Newark, NJ", "Boston, MA", "Providence, RI", "Burlington, VT"}
	tags = []string{"Long-term", "Long-term commitment", "Marriage", "Friendship", "Healing", "Still healing but open",
		"Spiritual Connection", "Personal growth", "Adventure together", "Travel companion"}
	jobs = []string{"Nurse", "Teacher", "Engineer", "Cook", "Gardener", "Designer", "Electrician", "Accountant", "Musician", "Driver"}
)

// generatedMember returns a member for measurements, with realistic values only in the
// fields that search reads.
func (w *dataset) generatedMember(i int) person {
	d := w.random
	joined := w.ago(w.between(day, 300*day))
	city, state, _ := strings.Cut(towns[d.IntN(len(towns))], ", ")
	p := person{
		id: w.id(joined), email: fmt.Sprintf("member%05d@heartward.test", i+1), code: code(i + 1),
		first: firstNames[d.IntN(len(firstNames))], last: lastNames[d.IntN(len(lastNames))],
		birthDate: w.born(19 + d.IntN(48)), created: joined, active: w.randomLastActive(), city: city, state: state,
		occupation: jobs[d.IntN(len(jobs))], interestedIn: []string{}, featured: d.IntN(50) == 0,
	}
	p.bio = fmt.Sprintf("I am a %s who likes long talks and short queues. Ask me about %s.", strings.ToLower(p.occupation), city)
	start := d.IntN(len(tags))
	for n := range 1 + d.IntN(3) {
		p.intentionTags = append(p.intentionTags, tags[(start+n*3)%len(tags)])
	}
	switch d.IntN(10) {
	case 0:
	case 1:
		p.gender = optional("nonbinary")
	case 2, 3, 4, 5:
		p.gender, p.interestedIn = optional("woman"), []string{"man"}
	default:
		p.gender, p.interestedIn = optional("man"), []string{"woman"}
	}
	p.hasChildren, p.wantsChildren = w.maybe(), w.maybe()
	if d.IntN(5) > 0 {
		p.education = &members.Educations[d.IntN(len(members.Educations))]
	}
	if d.IntN(3) > 0 {
		p.religion = &members.Religions[d.IntN(len(members.Religions))]
	}
	return p
}

// maybe returns a random answer to a question about children: nil in one of five cases, otherwise true or false.
func (w *dataset) maybe() *bool {
	n := w.random.IntN(5)
	if n == 0 {
		return nil
	}
	answer := n%2 == 0
	return &answer
}

// demoAccount returns the member of DemoEmail. Gender and interest are empty, so that the
// member finds and is found by members of every gender.
func (w *dataset) demoAccount() person {
	no, yes := false, true
	joined := w.ago(400 * day)
	return person{
		id: w.id(joined), email: DemoEmail, first: "Demo", last: "Rivers", code: "DEMOSTART", birthDate: w.born(32), created: joined,
		active: w.ago(5 * time.Minute), interestedIn: []string{}, city: "Portland", state: "OR", intentionTags: []string{"Long-term", "Healing", "Personal growth"},
		bio:            "I try things out so that others need not. Early walks, slow dinners, honest questions.",
		loveReflection: "Feeling at home with someone before the coats are off.", hasChildren: &no, wantsChildren: &yes,
		education: optional("bachelors"), religion: optional("spiritual"), occupation: "Tour guide",
	}
}

// adminAccount returns the admin. The profile is not approved, so members do not see it.
func (w *dataset) adminAccount() person {
	joined := w.ago(210 * day)
	return person{
		id: w.id(joined), email: AdminEmail, first: "Admin", last: "Heartward", code: "DEMOADMIN", birthDate: w.born(40), created: joined,
		active: w.ago(time.Hour), interestedIn: []string{}, intentionTags: []string{}, city: "Portland", state: "OR", admin: true,
		bio: "I keep this place kind. Write to me when something is not.", occupation: "Community host",
	}
}
