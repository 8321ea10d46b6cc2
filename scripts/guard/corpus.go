package main

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"heartward/api/messaging/guard"
)

const categories = len(guard.Categories)

// atMost texts are written out of one line with {a|b}.
const atMost = 12

// folds are how many parts the corpus is in: a text's judge is a model that was
// trained with the other parts.
const folds = 5

// example is one passage of a text of the corpus.
type example struct {
	text     string
	fold     int // what comes of one line stays together
	category int // of guard.Categories, -1 for none
	features []uint32
	weight   float64 // of each feature
	counts   float64 // of the passage: a line is a line, however many texts it stands for
	seen     guard.PassageInfo
}

// line is one of the corpus, written out.
type line struct {
	category int
	seed     uint64
	texts    []string
}

func (l line) fold() int { return int(l.seed >> 32 % folds) }

// read makes examples of lines "category, tab, text", and of pairs of them:
// what is meant badly often comes with a kind word before or after it, and most
// kind words come in twos and threes.
func read(corpus string) ([]example, error) {
	var lines []line
	var harmless [folds][]string
	for i, raw := range strings.Split(corpus, "\n") {
		if raw == "" || raw[0] == '#' {
			continue
		}
		name, text, ok := strings.Cut(raw, "\t")
		category := slices.Index(guard.Categories[:], name)
		if !ok || category < 0 && name != "ok" {
			return nil, fmt.Errorf("line %d of the corpus is not a category, a tab and a text", i+1)
		}
		sum := fnv.New64a()
		sum.Write([]byte(raw))
		l := line{category, sum.Sum64(), nil}
		l.texts = some(guard.Expand(text), l.seed)
		lines = append(lines, l)
		if category < 0 {
			harmless[l.fold()] = append(harmless[l.fold()], l.texts...)
		}
	}
	var all []example
	for _, l := range lines {
		texts := slices.Concat(l.texts, l.joined(harmless[l.fold()]))
		for _, text := range texts {
			for _, e := range passages(text) {
				e.fold, e.category = l.fold(), l.category
				e.counts = math.Pow(float64(len(texts)), -evenness)
				all = append(all, e)
			}
		}
	}
	return all, nil
}

// pairs is how many texts of a line are also joined with a harmless one.
const pairs = 3

// joined are texts of the line with harmless ones of its fold before or after
// them, where both are looked at as one passage.
func (l line) joined(harmless []string) (all []string) {
	random := rand.New(rand.NewPCG(l.seed, 2))
	for range pairs {
		text, other := l.texts[random.IntN(len(l.texts))], harmless[random.IntN(len(harmless))]
		if random.IntN(2) == 0 {
			text, other = other, text
		}
		text += [...]string{". ", ", ", "! ", " "}[random.IntN(4)] + other
		if len(passages(text)) == 1 {
			all = append(all, text)
		}
	}
	return all
}

// evenness is how much less each of many texts of one line counts: 0 would
// count texts, 1 lines.
const evenness = 0.5

// some picks a few of many variants, the same ones each time.
func some(variants []string, seed uint64) []string {
	if len(variants) > atMost {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(variants), func(i, j int) { variants[i], variants[j] = variants[j], variants[i] })
		variants = variants[:atMost]
	}
	return variants
}

func passages(text string) (all []example) {
	var features []uint32
	guard.Features(text, func(bucket uint32) { features = append(features, bucket) }, func(seen guard.PassageInfo) {
		all = append(all, example{text: text, features: features, weight: 1 / math.Sqrt(float64(len(features))), seen: seen})
		features = nil
	})
	return all
}
