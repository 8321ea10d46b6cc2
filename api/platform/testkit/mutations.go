package testkit

import (
	"math/rand/v2"
	"unicode/utf8"
)

// Mutations returns n texts for a fuzz target, so that a plain "go test" runs it on more than its seeds. They are made from
// the seeds, at least one of which is required:
// parts of two seeds are joined, and bytes and characters are inserted, replaced,
// repeated and deleted. The texts may be invalid UTF-8. The result depends only on
// the arguments.
func Mutations(n int, seeds ...string) []string {
	random := rand.New(rand.NewPCG(1, uint64(len(seeds))))
	texts := make([]string, n)
	for i := range texts {
		text := []byte(seeds[random.IntN(len(seeds))])
		for range 1 + random.IntN(8) {
			text = mutate(random, text, seeds)
		}
		texts[i] = string(text)
	}
	return texts
}

// maxMutation limits the texts, in bytes, because repetitions would make them long.
const maxMutation = 4096

func mutate(random *rand.Rand, text []byte, seeds []string) []byte {
	at := random.IntN(len(text) + 1)
	end := at + random.IntN(min(len(text)-at, 16)+1)
	var insert []byte
	switch random.IntN(6) {
	case 0:
		insert = []byte{byte(random.Uint32())}
	case 1:
		insert = utf8.AppendRune(nil, rune(random.IntN(utf8.MaxRune+1)))
	case 2:
		insert = text[at:end] // repeat
		end = at
	case 3:
		insert = []byte(specialTexts[random.IntN(len(specialTexts))])
	case 4:
		insert = []byte(seeds[random.IntN(len(seeds))])
	}
	mutated := append(append(append([]byte{}, text[:at]...), insert...), text[end:]...)
	return mutated[:min(len(mutated), maxMutation)]
}

// specialTexts are strings that parsers and renderers often handle incorrectly.
var specialTexts = []string{
	"\x00", "\xff", "\ufeff", "\u200d", "\ufe0f", "\u202e", "\u2028", "\U0001f468", "\U0001f3fd", "\U0001f1e6", "e\u0301",
	"\"", "\\", "\\u", "\\ud800", "{", "}", "[", "null", "-1", "1e999", "9223372036854775808", "</", "\r\n",
}
