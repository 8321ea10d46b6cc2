package guard

import (
	_ "embed"
	"strings"
)

// A kind is a set of words with the same role in a sentence. "You are a moron" and "du
// bist ein idiot" have no word in common, but the words of both are of the kinds of "you"
// and of insults. The model learns from one of them that the two kinds together are an
// insult.

//go:embed data/kinds.txt
var kindsFile string

// The properties of a word are bits: one for each of its kinds, and two for phrases.
const (
	endsPhrase = 1 << 62
	isCue      = 1 << 63
	kindBits   = endsPhrase - 1
)

// lexicon is a hash table from the hashes of words to their properties. A lookup for
// each word of each message is several times as fast as in a map.
type lexicon [lexiconSize]struct {
	hash       uint32
	properties uint64
}

// lexiconSize is far larger than the number of known words, so that runs of used cells are short.
const (
	lexiconBits = 13
	lexiconSize = 1 << lexiconBits
)

// cellOf returns the cell at which the search for a word begins.
func cellOf(hash uint32) uint32 { return hash * 0x9e3779b1 >> (32 - lexiconBits) }

// lookup returns the properties of a word, 0 for most words.
func (l *lexicon) lookup(hash uint32) uint64 {
	for i := cellOf(hash); ; i = (i + 1) % lexiconSize {
		if cell := &l[i]; cell.hash == hash || cell.properties == 0 {
			return cell.properties
		}
	}
}

func (l *lexicon) add(hash uint32, properties uint64) {
	i := cellOf(hash)
	for l[i].properties != 0 && l[i].hash != hash {
		i = (i + 1) % lexiconSize
	}
	l[i].hash = hash
	l[i].properties |= properties
}

// knownWords contains the kinds, the cues and the last words of phrases.
var knownWords = func() *lexicon {
	all := &lexicon{}
	for i, kind := range paragraphs(kindsFile) {
		for _, word := range strings.Fields(kind) {
			all.add(hashOf([]byte(word)), 1<<i)
		}
	}
	for hash := range lastWords {
		all.add(hash, endsPhrase)
	}
	for _, word := range strings.Fields(withoutComments(cuesFile)) {
		all.add(hashOf([]byte(word)), isCue)
	}
	return all
}()

// paragraphs returns the parts of a data file that empty lines separate.
func paragraphs(file string) (list []string) {
	for part := range strings.SplitSeq(withoutComments(file), "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// withoutComments returns a data file without the lines that begin with #.
func withoutComments(file string) string {
	var kept strings.Builder
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(line, "#") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
