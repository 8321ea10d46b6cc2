package seed

import (
	"time"

	"github.com/google/uuid"
)

// graduates are three couples of the cast who left dating together and are on the Legacy Wall.
var graduates = []struct {
	one, two string        // first names of the cast
	ago      time.Duration // of the graduation
	message  string
}{
	{"Mei", "Julian", 245 * day, "We argued about dumplings for three weeks before we met, and about nothing important since. " +
		"To whoever reads this: write the first message. The worst that can happen is a good story."},
	{"Adaeze", "Patrick", 370 * day, "He asked what I was reading and then read it. That was the whole trick."},
	{"Naomi", "Gabriel", 95 * day, "Two careful people, one very long walk. We still take it every Sunday, in any weather."},
}

var (
	coupleColumns        = []string{"id", "user_one_id", "user_two_id", "status", "legacy_message", "requested_at", "accepted_at", "approved_at"}
	coupleMemberColumns  = []string{"user_id", "couple_id", "on_wall"}
	couplePictureColumns = []string{"couple_id", "user_id", "position", "file_id", "is_agreed"}
)

// addGraduates adds the couples with their matches and conversations without messages. It runs after fillProfiles, which sets
// the photos of the Legacy Wall.
func (w *dataset) addGraduates() {
	for _, g := range graduates {
		one, two := w.mustFind(g.one), w.mustFind(g.two)
		one.graduated, two.graduated = true, true
		met := w.ago(g.ago + 90*day)
		for _, p := range []*person{one, two} {
			p.created = met.Add(-10 * day)
		}
		w.like(one.id, two.id, false, met.Add(-time.Hour))
		w.like(two.id, one.id, false, met)
		a, b := one.id, two.id
		if a.String() > b.String() {
			a, b = b, a
		}
		match := w.id(met)
		w.matches = append(w.matches, []any{match, a, b, true, true, met})
		w.conversations = append(w.conversations, []any{w.id(met), a, b, match, 0, 0, 0, 0, 0, 0, 0, nil, met, false, false, 0, nil, nil, nil, nil, nil, nil, nil, nil})

		couple, at := uuid.New(), w.ago(g.ago)
		w.couples = append(w.couples, []any{couple, one.id, two.id, "graduated", g.message, at.Add(-2 * day), at.Add(-day), at})
		for _, p := range []*person{one, two} {
			w.coupleOf[p.id] = couple
			w.coupleMembers = append(w.coupleMembers, []any{p.id, couple, true})
			w.couplePictures = append(w.couplePictures, []any{couple, p.id, 1, w.firstPhotos[p.id], true})
		}
	}
}
