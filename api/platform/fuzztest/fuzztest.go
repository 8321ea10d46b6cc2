// Package fuzztest makes inputs for fuzz targets, so that a plain "go test"
// runs them on more than their hand-written seeds.
package fuzztest

import (
	"math/rand/v2"
	"unicode/utf8"
)

// Mutations returns n texts made of the seeds, of which there must be one: parts
// of two seeds are joined, and bytes and characters are inserted, replaced,
// repeated and deleted. The texts need not be valid UTF-8. The same arguments
// always give the same texts.
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

// maxLength keeps texts that were repeated again and again small, in bytes.
const maxLength = 4096

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
		insert = text[at:end] // repeated
		end = at
	case 3:
		insert = []byte(special[random.IntN(len(special))])
	case 4:
		insert = []byte(seeds[random.IntN(len(seeds))])
	}
	mutated := append(append(append([]byte{}, text[:at]...), insert...), text[end:]...)
	return mutated[:min(len(mutated), maxLength)]
}

// special are strings that parsers and renderers often get wrong.
var special = []string{
	"\x00", "\xff", "\ufeff", "\u200d", "\ufe0f", "\u202e", "\u2028", "\U0001f468", "\U0001f3fd", "\U0001f1e6", "e\u0301",
	"\"", "\\", "\\u", "\\ud800", "{", "}", "[", "null", "-1", "1e999", "9223372036854775808", "</", "\r\n",
}
