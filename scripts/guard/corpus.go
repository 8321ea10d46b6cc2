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

// maxVariants is the maximum number of texts that are expanded from a line with {a|b}.
const maxVariants = 12

// folds is the number of parts of the corpus for the cross-validation: a text is scored by
// a model that was trained with the other parts.
const folds = 5

// example is one passage of a text of the corpus.
type example struct {
	text     string
	fold     int // the same for all texts of a line
	category int // of guard.Categories, -1 for none
	features []uint32
	value    float64           // of each feature
	weight   float64           // of the passage; lower if its line has many texts
	info     guard.PassageInfo // what the filter's other rules know about the passage
}

// line is a line of the corpus with the texts expanded from it.
type line struct {
	category int
	seed     uint64
	texts    []string
}

// fold returns the part of the corpus to which the line belongs, chosen by its content.
func (l line) fold() int { return int((l.seed >> 32) % folds) }

// parseCorpus converts lines of a category, a tab and a text to examples. It also adds
// texts that are joined with a harmless one, because a harmful text often has a friendly
// phrase before or after it, and most friendly phrases are used two or three at a time.
// It returns an error that names the first invalid line.
func parseCorpus(corpus string) ([]example, error) {
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
		l := line{category: category, seed: sum.Sum64()}
		l.texts = sample(guard.Expand(text), l.seed)
		lines = append(lines, l)
		if category < 0 {
			harmless[l.fold()] = append(harmless[l.fold()], l.texts...)
		}
	}
	var all []example
	for _, l := range lines {
		texts := slices.Concat(l.texts, l.joinHarmless(harmless[l.fold()]))
		for _, text := range texts {
			for _, e := range passages(text) {
				e.fold, e.category = l.fold(), l.category
				e.weight = math.Pow(float64(len(texts)), -evenness)
				all = append(all, e)
			}
		}
	}
	return all, nil
}

// pairs is the number of texts of a line that are also joined with a harmless one.
const pairs = 3

// joinHarmless returns texts of the line with a harmless one of its fold before or after
// them. It omits those that are not classified as one passage.
func (l line) joinHarmless(harmless []string) (all []string) {
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

// evenness determines the weight of a text by the number of texts of its line: with 0 all
// texts have the same weight, with 1 all lines.
const evenness = 0.5

// sample returns at most maxVariants of the variants, chosen by seed.
func sample(variants []string, seed uint64) []string {
	if len(variants) > maxVariants {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(variants), func(i, j int) { variants[i], variants[j] = variants[j], variants[i] })
		variants = variants[:maxVariants]
	}
	return variants
}

// passages returns the passages of a text, without fold, category and weight.
func passages(text string) (all []example) {
	var features []uint32
	guard.Features(text, func(bucket uint32) { features = append(features, bucket) }, func(info guard.PassageInfo) {
		all = append(all, example{text: text, features: features, value: 1 / math.Sqrt(float64(len(features))), info: info})
		features = nil
	})
	return all
}
