package guard

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed data/phrases.txt
var phrasesFile string

// The words of data/cues.txt are cues of negation and quotation: a phrase with a cue at
// most maxCueDistance words before it is ignored.

//go:embed data/cues.txt
var cuesFile string

const (
	maxPhraseWords = 10
	maxCueDistance = 4
)

// phrases maps the combined hashes of a phrase's words to its category. Most words
// do not end any phrase; lastWords makes this check fast.
var phrases, lastWords = compilePhrases()

func compilePhrases() (categoryOf map[uint64]int8, last map[uint32]struct{}) {
	categoryOf, last = map[uint64]int8{}, map[uint32]struct{}{}
	category := -1
	for line := range strings.Lines(withoutComments(phrasesFile)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.HasPrefix(line, "[") {
			if category = slices.Index(Categories[:], strings.Trim(line, "[]")); category < 0 {
				panic("guard: phrases of an unknown category: " + line)
			}
			continue
		}
		for _, phrase := range Expand(line) {
			words := strings.Fields(phrase)
			if len(words) == 0 || len(words) > maxPhraseWords {
				panic("guard: a phrase of no words or too many: " + line)
			}
			var sum uint64
			for _, word := range slices.Backward(words) {
				sum = prependHash(sum, hashOf([]byte(word)))
			}
			categoryOf[sum] = int8(category)
			last[hashOf([]byte(words[len(words)-1]))] = struct{}{}
		}
	}
	return categoryOf, last
}

// prependHash returns the combined hash of a word and those after it, which sum
// stands for.
func prependHash(sum uint64, word uint32) uint64 {
	return (sum + uint64(word) + 1) * 0x9e3779b97f4a7c15
}

// Expand returns all texts that a text with {a|b|} stands for.
func Expand(text string) []string {
	open := strings.IndexByte(text, '{')
	if open < 0 {
		return []string{strings.Join(strings.Fields(text), " ")}
	}
	end := open + strings.IndexByte(text[open:], '}')
	if end < open {
		panic("guard: a { without its }: " + text)
	}
	var all []string
	for choice := range strings.SplitSeq(text[open+1:end], "|") {
		all = append(all, Expand(text[:open]+choice+text[end+1:])...)
	}
	return all
}
