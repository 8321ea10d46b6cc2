package seed

import (
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
)

// randomWords returns minimum to maximum random words of list, in the order of list.
func randomWords(random *rand.Rand, list []string, minimum, maximum int) []string {
	chosen := []string{}
	wanted := minimum + random.IntN(maximum-minimum+1)
	for i, word := range list {
		if random.IntN(len(list)-i) < wanted-len(chosen) {
			chosen = append(chosen, word)
		}
	}
	return chosen
}

// addWords sets the word lists: one to four traits and preferences, one or two goals, the
// languages and habits, and the pronouns of the gender.
func (w *dataset) addWords(p *person) {
	some := func(words []string) []string { return randomWords(w.profileRandom, words, 1, max(1, len(words)*2/5)) }
	p.words.PersonalityTraits = some(members.PersonalityTraits)
	p.words.LifestylePreferences = some(members.LifestylePreferences)
	p.words.RelationshipGoals = some(members.RelationshipGoals)
	p.words.Languages = append([]string{"English"}, randomWords(w.profileRandom, otherLanguages, 0, 2)...)
	p.words.Drinking = randomWords(w.profileRandom, members.Drinking, 0, 1)
	p.words.Smoking = randomWords(w.profileRandom, smoking, 0, 1)
	p.words.Pets = randomWords(w.profileRandom, pets, 0, 2)
	p.words.Pronouns = []string{}
	if p.gender != nil {
		own := map[string]string{"woman": "She/her", "man": "He/him", "nonbinary": "They/them"}[*p.gender]
		p.words.Pronouns = append(p.words.Pronouns, own)
	}
}

// The words of the demo data for languages and habits, in the order of package members.
var (
	otherLanguages = []string{"Spanish", "Mandarin", "Tagalog", "Vietnamese", "French", "Korean", "Portuguese",
		"American Sign Language", "German", "Italian"}
	smoking = []string{"Never smokes", "Smokes sometimes", "Trying to quit smoking"}
	pets    = []string{"Dog", "Cat", "Bird", "Fish"}
)

// hideSome pauses one member of the cast, and makes another incognito. The latter is one of the admirers, so the demo member
// sees the profile all the same.
func (w *dataset) hideSome() {
	since := w.ago(4 * day)
	w.mustFind("Aaron").paused = &since
	w.mustFind("Nora").incognito = true
}

// scene is a picture of a place or hobby.
type scene struct{ name, caption string }

var banners = []scene{
	{"banner-dawn", "Hills before sunrise"}, {"banner-coast", "The coast in the morning"}, {"banner-forest", "Green ridges"},
	{"banner-dusk", "The last light behind the hills"}, {"banner-desert", "Dunes at noon"}, {"banner-snow", "Snow as far as one can see"},
}

var gallery = []scene{
	{"trail", "The trail that I walk on Sundays"}, {"tea", "The cup that has survived four moves"}, {"harbor", "A borrowed boat"},
	{"reading", "This month's books"}, {"rooftops", "My street in the evening"}, {"balcony", "The plant that forgave me"},
	{"summit", "Worth getting up for"}, {"kitchen", "Marmalade weekend"},
}

var voices = []scene{
	{"porch", "What I hum on the porch"}, {"kitchen", "The kitchen song"}, {"ferry", "From the morning ferry"},
}

// voiceAnswers are the recordings that answer some of moreQuestions, by question.
var voiceAnswers = map[string]string{
	"I could talk all night about": "ferry",
	"I wind down by":               "kitchen",
}

// addPrompts adds own, a question and its answer, and one of moreQuestions to the profile
// of p. Some of these are answered by a recording too.
func (w *dataset) addPrompts(p person, own [2]string, i int) error {
	second := moreQuestions[i%len(moreQuestions)]
	var voice *uuid.UUID
	if name, ok := voiceAnswers[second[0]]; ok {
		file, err := w.addFile(p.id, "greetings/"+name, p.created.Add(2*time.Hour))
		if err != nil {
			return err
		}
		voice = &file
	}
	w.prompts = append(w.prompts, []any{p.id, 1, own[0], own[1], nil}, []any{p.id, 2, second[0], second[1], voice})
	return nil
}

// addProfileMedia adds a banner, gallery pictures and greetings to a profile. Which of them
// it adds depends on i.
func (w *dataset) addProfileMedia(p person, i int) error {
	at := p.created.Add(3 * time.Hour)
	add := func(slot string, position int, folder string, s scene) error {
		at = at.Add(time.Minute)
		_, err := w.addMedia(p, slot, position, folder+"/"+s.name, s.caption, at)
		return err
	}
	if i%3 == 0 {
		if err := add("header_banner", 1, "scenes", banners[i/3%len(banners)]); err != nil {
			return err
		}
	}
	if i%4 == 0 {
		for n := range 2 + i/4%3 {
			if err := add("gallery_image", n+1, "scenes", gallery[(i/4+n*3)%len(gallery)]); err != nil {
				return err
			}
		}
	}
	if i%6 == 0 {
		if err := add("audio_greeting", 1, "greetings", voices[i/6%len(voices)]); err != nil {
			return err
		}
	}
	if i%20 == 0 {
		return add("video_greeting", 1, "greetings", scene{"sunrise", "Good morning from my window"})
	}
	return nil
}
