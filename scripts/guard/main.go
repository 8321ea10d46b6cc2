// Trains the message filter from the corpus beside it and writes its
// weights into the package. The same corpus gives the same weights. From the
// repository's root:
//
//	go run ./scripts/guard             trains
//	go run ./scripts/guard -mistakes   prints the misclassified texts of the corpus, and writes nothing
//
// Mistakes are found by cross-validation, with models that were not trained with
// the line. Thresholds are chosen by the same scores. The test sets are used for
// neither.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"

	"heartward/api/messaging/guard"
)

const (
	corpusPath  = "scripts/guard/corpus.tsv"
	weightsPath = "api/messaging/guard/weights.gz"
)

func main() {
	mistakes := flag.Bool("mistakes", false, "print the misclassified texts, and write nothing")
	flag.Parse()
	if err := run(*mistakes); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(mistakes bool) error {
	text, err := os.ReadFile(corpusPath)
	if err != nil {
		return err
	}
	examples, err := parseCorpus(string(text))
	if err != nil {
		return err
	}
	fmt.Printf("%d passages\n", len(examples))
	all := crossValidate(examples)
	chosen := thresholds(all)
	report(os.Stdout, all, &chosen, mistakes)
	if mistakes {
		return nil
	}
	return write(sha256.Sum256(text), train(examples, func(example) bool { return true }), &chosen)
}

// write packs the weights into a byte each, with one scale for all.
func write(corpus [32]byte, m *model, thresholds *[guard.LengthClasses][categories]float64) error {
	largest := 0.0
	for _, weights := range m.weights {
		for _, value := range weights {
			largest = max(largest, math.Abs(value))
		}
	}
	scale := largest / 127
	cells := make([][categories]int8, len(m.weights))
	for bucket, weights := range m.weights {
		for c, value := range weights {
			cells[bucket][c] = int8(math.Round(value / scale))
		}
	}
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, part := range []any{corpus, scale, m.bias, thresholds, cells} {
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
