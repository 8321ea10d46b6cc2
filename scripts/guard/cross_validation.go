package main

import (
	"fmt"
	"io"
	"math"
	"sort"

	"heartward/api/messaging/guard"
)

// The conditions for the thresholds, by category. Members ignore a warning that is often
// wrong, so the share of harmless texts that are flagged is limited, and so is the share of
// wrong categories. The limits are widest for requests for money and narrowest for spam.
var (
	maxFalseAlarms = [categories]float64{0.0025, 0.002, 0.003, 0.002, 0.0015}
	minPrecision   = [categories]float64{0.97, 0.965, 0.94, 0.96, 0.98}
)

// The minimum thresholds of short passages and of others.
var minThresholds = [guard.LengthClasses]float64{0.9, 0.5}

// scoredExample is an example with the scores of a model that was not trained with its
// line.
type scoredExample struct {
	example
	scores [categories]float64
}

// crossValidate scores each example by a model trained with the other folds.
func crossValidate(examples []example) []scoredExample {
	all := make([]scoredExample, 0, len(examples))
	for fold := range folds {
		m := train(examples, func(e example) bool { return e.fold != fold })
		for _, e := range examples {
			if e.fold == fold {
				all = append(all, scoredExample{e, m.score(e)})
			}
		}
	}
	return all
}

// fallbackThreshold is the threshold if no score meets the conditions.
const fallbackThreshold = 0.97

// thresholds returns for each category the lowest score with which both maxFalseAlarms and
// minPrecision are met, or fallbackThreshold if there is none. It is at least minThresholds.
func thresholds(all []scoredExample) (found [guard.LengthClasses][categories]float64) {
	for length := range found {
		candidates := make([]scoredExample, 0, len(all))
		harmless := 0.0
		for _, e := range all {
			if guard.LengthClass(e.info.Words) != length {
				continue
			}
			if e.category == -1 {
				harmless += e.weight
			}
			if e.info.Words > 1 && !e.matchesPhrase() {
				candidates = append(candidates, e)
			}
		}
		for c := range found[length] {
			found[length][c] = math.Ceil(max(minThresholds[length], threshold(candidates, c, harmless))*100) / 100
		}
	}
	return found
}

// threshold returns the threshold of a category for candidates, which it sorts. harmless is the weight of all harmless texts.
func threshold(candidates []scoredExample, category int, harmless float64) float64 {
	sort.SliceStable(candidates, func(a, b int) bool { return candidates[a].scores[category] > candidates[b].scores[category] })
	lowest, correct, reported, alarms := fallbackThreshold, 0.0, 0.0, 0.0
	for _, e := range candidates {
		reported += e.weight
		switch e.category {
		case category:
			correct += e.weight
		case -1:
			alarms += e.weight
		}
		if alarms <= maxFalseAlarms[category]*harmless && correct >= minPrecision[category]*reported {
			lowest = e.scores[category]
		}
	}
	return lowest
}

// matchesPhrase reports whether the passage has a fixed phrase of a category, which needs no threshold.
func (e scoredExample) matchesPhrase() bool {
	for _, found := range e.info.Phrase {
		if found {
			return true
		}
	}
	return false
}

// classify returns the category that the filter reports for the passage, or -1 for none.
func (e scoredExample) classify(thresholds *[guard.LengthClasses][categories]float64) int {
	best, bestScore := -1, 0.0
	for c, score := range e.scores {
		if e.info.Phrase[c] && !guard.PhraseIsUncertain(c, e.info.Words, score) {
			score = 0.99 + score/100
		} else if e.info.Words < 2 || score < thresholds[guard.LengthClass(e.info.Words)][c] {
			continue
		}
		if score > bestScore {
			best, bestScore = c, score
		}
	}
	return best
}

// report prints the precision and recall of the filter for texts with which it was not
// trained and, with mistakes, the misclassified texts.
func report(out io.Writer, all []scoredExample, thresholds *[guard.LengthClasses][categories]float64, mistakes bool) {
	var actual, reported, correct [categories + 1]float64
	for _, e := range all {
		predicted := e.classify(thresholds)
		actual[e.category+1] += e.weight
		reported[predicted+1] += e.weight
		if predicted == e.category {
			correct[predicted+1] += e.weight
		} else if mistakes {
			fmt.Fprintf(out, "%s\t%s\t%.2f\t%s\n", name(e.category), name(predicted), e.scores, e.text)
		}
	}
	for c := range actual {
		fmt.Fprintf(out, "%-16s precision %5.1f %%  recall %5.1f %%", name(c-1), 100*correct[c]/reported[c], 100*correct[c]/actual[c])
		for length := 0; c > 0 && length < guard.LengthClasses; length++ {
			fmt.Fprintf(out, "  threshold %.2f", thresholds[length][c-1])
		}
		fmt.Fprintln(out)
	}
}

func name(category int) string {
	if category < 0 {
		return "ok"
	}
	return guard.Categories[category]
}
