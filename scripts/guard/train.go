// Trains the filter of messages from the corpus beside it and writes its
// weights into the package. The same corpus gives the same weights. From the
// repository's root:
//
//	go run ./scripts/guard
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"heartward/api/messaging/guard"
)

const (
	corpusPath  = "scripts/guard/corpus.tsv"
	weightsPath = "api/messaging/guard/weights.gz"

	folds      = 5
	epochs     = 30
	rate       = 0.5
	shrink     = 2e-5 // keeps weights of what was seen once small
	atMost     = 16   // written out of one line with {a|b}
	falseAlarm = 0.004
)

// example is one passage of a text of the corpus.
type example struct {
	line     int // in the corpus; what comes of one line stays together
	category int // of guard.Categories, -1 for none
	features []uint32
	weight   float64
}

// weights are a logistic regression for one category.
type weights struct {
	of   []float64
	bias float64
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile(corpusPath)
	if err != nil {
		return err
	}
	examples, err := read(string(text))
	if err != nil {
		return err
	}
	fmt.Printf("%d passages\n", len(examples))
	var models [len(guard.Categories)]weights
	var thresholds [len(guard.Categories)]float64
	for i, category := range guard.Categories {
		thresholds[i] = threshold(examples, i)
		models[i] = train(examples, i, func(example) bool { return true })
		fmt.Printf("%-16s threshold %.2f\n", category, thresholds[i])
	}
	return write(sha256.Sum256(text), models, thresholds)
}

// read makes examples of lines "category, tab, text".
func read(corpus string) ([]example, error) {
	var all []example
	for i, line := range strings.Split(corpus, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		name, text, ok := strings.Cut(line, "\t")
		category := slices.Index(guard.Categories[:], name)
		if !ok || category < 0 && name != "ok" {
			return nil, fmt.Errorf("line %d of the corpus is not a category, a tab and a text", i+1)
		}
		for _, variant := range some(guard.Expand(text), uint64(i)) {
			all = append(all, passages(variant, i, category)...)
		}
	}
	return all, nil
}

// some picks a few of many variants, the same ones each time.
func some(variants []string, seed uint64) []string {
	if len(variants) > atMost {
		random := rand.New(rand.NewPCG(seed, 1))
		random.Shuffle(len(variants), func(i, j int) { variants[i], variants[j] = variants[j], variants[i] })
		variants = variants[:atMost]
	}
	return variants
}

func passages(text string, line, category int) (all []example) {
	var features []uint32
	guard.Features(text, func(bucket uint32) { features = append(features, bucket) }, func() {
		all = append(all, example{line, category, features, 1 / math.Sqrt(float64(len(features)))})
		features = nil
	})
	return all
}

// train fits one category against all the rest by AdaGrad. The conversions keep
// compilers from fusing operations, which would round otherwise elsewhere.
func train(examples []example, category int, use func(example) bool) weights {
	w := weights{of: make([]float64, guard.Buckets)}
	seen := make([]float64, guard.Buckets)
	biasSeen := 1e-8
	order := make([]int, 0, len(examples))
	for i, e := range examples {
		if use(e) {
			order = append(order, i)
		}
	}
	random := rand.New(rand.NewPCG(7, uint64(category)))
	for range epochs {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			e := examples[i]
			wrong := w.score(e)
			if e.category == category {
				wrong--
			}
			biasSeen += float64(wrong * wrong)
			w.bias -= float64(rate * 0.1 * wrong / math.Sqrt(biasSeen))
			for _, bucket := range e.features {
				step := float64(wrong*e.weight) + float64(shrink*w.of[bucket])
				seen[bucket] += float64(step * step)
				w.of[bucket] -= float64(rate * step / math.Sqrt(seen[bucket]+1e-8))
			}
		}
	}
	return w
}

func (w weights) score(e example) float64 {
	sum := 0.0
	for _, bucket := range e.features {
		sum += w.of[bucket]
	}
	return 1 / (1 + math.Exp(-w.bias-float64(sum*e.weight)))
}

// threshold is the lowest score at which models that have not seen a text say
// so wrongly of hardly any: a nudge that cries wolf is ignored.
func threshold(examples []example, category int) float64 {
	var wrong []float64
	others := 0
	for fold := range folds {
		held := func(e example) bool { return e.line%folds == fold }
		w := train(examples, category, func(e example) bool { return !held(e) })
		for _, e := range examples {
			if held(e) && e.category == -1 {
				others++
				wrong = append(wrong, w.score(e))
			}
		}
	}
	slices.Sort(wrong)
	at := wrong[len(wrong)-1-int(falseAlarm*float64(others))]
	return math.Ceil(min(0.97, max(0.6, at))*100) / 100
}

// write packs the weights into a byte each, with one scale for all.
func write(corpus [32]byte, models [len(guard.Categories)]weights, thresholds [len(guard.Categories)]float64) error {
	largest := 0.0
	for _, m := range models {
		for _, value := range m.of {
			largest = max(largest, math.Abs(value))
		}
	}
	scale := largest / 127
	var bias [len(guard.Categories)]float64
	cells := make([][len(guard.Categories)]int8, guard.Buckets)
	for i, m := range models {
		bias[i] = m.bias
		for bucket, value := range m.of {
			cells[bucket][i] = int8(math.Round(value / scale))
		}
	}
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, part := range []any{corpus, scale, bias, thresholds, cells} {
		if err := binary.Write(packed, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	if err := packed.Close(); err != nil {
		return err
	}
	fmt.Printf("%d bytes\n", out.Len())
	return os.WriteFile(weightsPath, out.Bytes(), 0o644)
}
