// Package guard classifies the texts of messages: insults, sexual pressure, requests
// for money, moves to other platforms, and advertising.
//
// A category decides what the sender and the recipient are asked and what the
// moderators see. It never prevents a message, nor does it penalize a member.
//
// A text is normalized first (case, accents, letters of other alphabets, digits for
// letters, spaces within words). Two classifiers use the result: phrases, and a small
// linear model over hashed words and parts of words, which scripts/guard trains from
// its corpus.
package guard

// The categories. None is the empty string.
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

// Verdict is a category with its score, from 0 to 1.
type Verdict struct {
	Category string
	Score    float64
}

// Classify returns the category with the highest score, or the zero Verdict when
// nothing is found. Of a long text it reads the first 4,096 characters.
func Classify(text string) Verdict {
	var folded [maxText]byte
	words := reader{text: folded[:fold(text, &folded)]}
	var found Verdict
	for p := (passage{}); p.next(&words); {
		if v := p.verdict(&trained); v.Score > found.Score {
			found = v
		}
	}
	return found
}

// Category returns the category of Classify.
func Category(text string) string { return Classify(text).Category }

// Passages of up to maxShortPassage words have higher thresholds, because the model
// would classify them by a single word with many meanings. Single words are left to
// the phrases.
const maxShortPassage = 3

// verdict returns the category of a phrase, if there is one, or that of the model.
func (p *passage) verdict(m *model) Verdict {
	best := Verdict{}
	for i, category := range Categories {
		score := m.score(p, i)
		if p.phrase[i] && !PhraseIsUncertain(i, p.words, score) {
			score = 0.99 + score/100
		} else if p.words < 2 || score < m.threshold[LengthClass(p.words)][i] {
			continue
		}
		if score > best.Score {
			best = Verdict{Category: category, Score: score}
		}
	}
	return best
}

// minInsultScore is the score of the model below which a passage is no insult.
const minInsultScore = 0.2

// PhraseIsUncertain reports whether a phrase does not decide by itself. Insults and
// threats are also quoted and made in jest; in a longer passage the model decides by
// the other words.
func PhraseIsUncertain(category, words int, score float64) bool {
	return Categories[category] == Harassment && words > 5 && score < minInsultScore
}

// LengthClasses is the number of classes of passages with thresholds of their own.
const LengthClasses = 2

// LengthClass returns the class of a passage of so many words.
func LengthClass(words int) int {
	if words <= maxShortPassage {
		return 0
	}
	return 1
}
