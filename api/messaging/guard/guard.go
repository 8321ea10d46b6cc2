// Package guard looks at the words of a message for what often hurts: insults,
// sexual pressure, requests for money, leaving for elsewhere, and advertising.
//
// It is a first look by a machine and nothing more: it decides what a member is
// asked before and after, and what a person looks at. It never drops a message
// and does nothing to a member.
//
// Two layers look at the same words, put in order first (case, accents, letters
// of other alphabets, figures for letters, words pulled apart): phrases, and a
// small linear model over hashed words and parts of words. scripts/guard trains
// the model from the corpus beside it.
package guard

// What may be found. None is the empty text.
const (
	None           = ""
	Harassment     = "harassment"
	SexualPressure = "sexual_pressure"
	Money          = "money"
	OffPlatform    = "off_platform"
	Spam           = "spam"
)

// Categories in the order of the model's weights.
var Categories = [...]string{Harassment, SexualPressure, Money, OffPlatform, Spam}

const categories = len(Categories)

// Verdict is what Look found, and how sure it is, from 0 to 1.
type Verdict struct {
	Category string
	Score    float64
}

// Look says what a text most likely is. The zero Verdict, which most texts get,
// says that nothing was found. Of a text of more than 4,096 characters it looks
// at the beginning.
func Look(text string) Verdict {
	var folded [most]byte
	words := reader{text: folded[:fold(text, &folded)]}
	var found Verdict
	for p := (passage{}); p.next(&words); {
		if v := p.verdict(&trained); v.Score > found.Score {
			found = v
		}
	}
	return found
}

// Find is Look for whoever needs the category alone.
func Find(text string) string { return Look(text).Category }

// Passages of fewWords or less say little, and the model would judge them by one
// word of many meanings: it has to be surer of them. A word alone is left to
// the phrases.
const fewWords = 3

// verdict is a phrase's where there is one, else the model's.
func (p *passage) verdict(m *model) Verdict {
	best := Verdict{}
	for i, category := range Categories {
		score := m.score(p, i)
		if p.phrase[i] && !Doubted(i, p.words, score) {
			score = 0.99 + score/100
		} else if p.words < 2 || score < m.threshold[Length(p.words)][i] {
			continue
		}
		if score > best.Score {
			best = Verdict{Category: category, Score: score}
		}
	}
	return best
}

// doubt is the score below which the model is sure of an insult's absence.
const doubt = 0.2

// Doubted reports that a phrase alone does not say what it says elsewhere:
// insults and threats are quoted and made in jest, and the words around them,
// where there are some, tell.
func Doubted(category, words int, score float64) bool {
	return Categories[category] == Harassment && words > 5 && score < doubt
}

// Lengths is how many lengths of passages have thresholds of their own.
const Lengths = 2

// Length says which thresholds a passage of so many words has.
func Length(words int) int {
	if words <= fewWords {
		return 0
	}
	return 1
}
