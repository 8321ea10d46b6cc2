package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"heartward/api/messaging/guard"
)

const guardTests = "api/messaging/guard/testdata/test.tsv"

// labelled is a text of the test set with its category.
type labelled struct{ category, text string }

// benchGuard prints the accuracy and the speed of the message filter on texts outside
// of its training set, and of a list of words.
func benchGuard(context.Context, string) error {
	out := os.Stdout
	texts, err := readLabelled(guardTests)
	if err != nil {
		return err
	}
	benign := 0
	for _, t := range texts {
		if t.category == guard.None {
			benign++
		}
	}
	fmt.Fprintf(out, "\nMessage filter, %d texts, %d of them harmless\n", len(texts), benign)
	for _, classifier := range []struct {
		name string
		find func(string) string
	}{{"the filter", guard.Category}, {"a list of words", matchWords}} {
		fmt.Fprintf(out, "\n%s\n", classifier.name)
		printQuality(out, texts, classifier.find)
	}
	fmt.Fprintf(out, "\n%-24s %12s %14s %12s\n", "processor time", "µs filter", "µs word list", "allocations")
	for _, length := range []int{50, 500, 4000} {
		text := strings.Repeat("are you free on saturday, i found a place? ", 100)[:length]
		fmt.Fprintf(out, "%-24s %12.1f %14.1f %12.1f\n", fmt.Sprintf("%d characters", length),
			micros(text, guard.Category), micros(text, matchWords), testing.AllocsPerRun(100, func() { guard.Category(text) }))
	}
	return nil
}

func printQuality(out io.Writer, texts []labelled, find func(string) string) {
	names := append([]string{guard.None}, guard.Categories[:]...)
	var confusion [len(guard.Categories) + 1][len(guard.Categories) + 1]int
	anyCorrect, anyFound, anyActual := 0, 0, 0
	for _, t := range texts {
		found := find(t.text)
		confusion[slices.Index(names, t.category)][slices.Index(names, found)]++
		anyActual += count(t.category != guard.None)
		anyFound += count(found != guard.None)
		anyCorrect += count(found != guard.None && t.category != guard.None)
	}
	fmt.Fprintf(out, "%-16s %9s %7s   %s\n", "", "precision", "recall", "found as: none, "+strings.Join(guard.Categories[:], ", "))
	for i, name := range names {
		found, actual := 0, 0
		for j := range names {
			found += confusion[j][i]
			actual += confusion[i][j]
		}
		if i == 0 {
			name = "none"
		}
		fmt.Fprintf(out, "%-16s %8.1f%% %6.1f%%   %v\n", name, percent(confusion[i][i], found), percent(confusion[i][i], actual), confusion[i])
	}
	fmt.Fprintf(out, "%-16s %8.1f%% %6.1f%%\n", "anything", percent(anyCorrect, anyFound), percent(anyCorrect, anyActual))
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// micros returns the processor time of find, so that other processes do not matter.
func micros(text string, find func(string) string) float64 {
	times := 20_000_000 / (len(text) * 200)
	before := processorTime()
	for range times {
		find(text)
	}
	return float64((processorTime() - before).Microseconds()) / float64(times)
}

// words is a simple list of words per category.
var words = map[string][]string{
	guard.Harassment:     {"bitch", "whore", "slut", "ugly", "stupid", "fuck you", "kill", "die", "pathetic", "idiot", "worthless"},
	guard.SexualPressure: {"nude", "naked", "sex", "dick", "cock", "tits", "boobs", "horny", "fuck"},
	guard.Money:          {"money", "$", "cashapp", "gift card", "bitcoin", "crypto", "loan", "paypal"},
	guard.OffPlatform:    {"whatsapp", "telegram", "instagram", "snapchat", "my number", "phone number", "call me", "text me"},
	guard.Spam:           {"http", "www.", "click", "free", "subscribe", "link", "code", "offer"},
}

func matchWords(text string) string {
	text = strings.ToLower(text)
	for _, category := range guard.Categories {
		for _, word := range words[category] {
			if strings.Contains(text, word) {
				return category
			}
		}
	}
	return guard.None
}

func readLabelled(path string) ([]labelled, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []labelled
	for line := range strings.SplitSeq(string(raw), "\n") {
		category, text, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		if category == "ok" {
			category = guard.None
		}
		all = append(all, labelled{category, text})
	}
	return all, nil
}
