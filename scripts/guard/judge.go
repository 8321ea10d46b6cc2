package main

import (
	"fmt"
	"io"
	"math"
	"sort"

	"heartward/api/messaging/guard"
)

// What thresholds are chosen for. A nudge that cries wolf is ignored, so few
// harmless texts may be taken for others, and few texts for what they are not.
// What hurts most may be wrong most often.
var (
	falseAlarm = [categories]float64{0.0025, 0.002, 0.003, 0.002, 0.0015}
	precise    = [categories]float64{0.97, 0.965, 0.94, 0.96, 0.98}
)

// The least of the thresholds of short passages and of others.
var least = [guard.LengthClasses]float64{0.9, 0.5}

// judged is an example with the scores of a model that has not seen its line.
type judged struct {
	example
	scores [categories]float64
}

// crossed judges each example by a model trained with the other folds.
func crossed(examples []example) []judged {
	all := make([]judged, 0, len(examples))
	for fold := range folds {
		m := train(examples, func(e example) bool { return e.fold != fold })
		for _, e := range examples {
			if e.fold == fold {
				all = append(all, judged{e, m.score(e)})
			}
		}
	}
	return all
}

// thresholds are the lowest scores from which on a category is named wrongly
// seldom enough, both of harmless texts and of all that are given its name.
func thresholds(all []judged) (found [guard.LengthClasses][categories]float64) {
	for length := range found {
		asked := make([]judged, 0, len(all))
		harmless := 0.0
		for _, j := range all {
			if guard.LengthClass(j.seen.Words) != length {
				continue
			}
			if j.category == -1 {
				harmless += j.counts
			}
			if j.seen.Words > 1 && !j.phrase() {
				asked = append(asked, j)
			}
		}
		for c := range found[length] {
			found[length][c] = math.Ceil(max(least[length], threshold(asked, c, harmless))*100) / 100
		}
	}
	return found
}

func threshold(asked []judged, category int, harmless float64) float64 {
	sort.SliceStable(asked, func(a, b int) bool { return asked[a].scores[category] > asked[b].scores[category] })
	lowest, right, named, alarms := 0.97, 0.0, 0.0, 0.0
	for _, j := range asked {
		named += j.counts
		switch j.category {
		case category:
			right += j.counts
		case -1:
			alarms += j.counts
		}
		if alarms <= falseAlarm[category]*harmless && right >= precise[category]*named {
			lowest = j.scores[category]
		}
	}
	return lowest
}

func (j judged) phrase() bool {
	for _, found := range j.seen.Phrase {
		if found {
			return true
		}
	}
	return false
}

// found is what the filter says of a passage, -1 for nothing.
func (j judged) found(thresholds *[guard.LengthClasses][categories]float64) int {
	best, sure := -1, 0.0
	for c, score := range j.scores {
		if j.seen.Phrase[c] && !guard.PhraseIsUncertain(c, j.seen.Words, score) {
			score = 0.99 + score/100
		} else if j.seen.Words < 2 || score < thresholds[guard.LengthClass(j.seen.Words)][c] {
			continue
		}
		if score > sure {
			best, sure = c, score
		}
	}
	return best
}

// report prints how the filter does with texts it has not seen, and, where
// asked, what it gets wrong.
func report(out io.Writer, all []judged, thresholds *[guard.LengthClasses][categories]float64, mistakes bool) {
	var there, found, right [categories + 1]float64
	for _, j := range all {
		got := j.found(thresholds)
		there[j.category+1] += j.counts
		found[got+1] += j.counts
		if got == j.category {
			right[got+1] += j.counts
		} else if mistakes {
			fmt.Fprintf(out, "%s\t%s\t%.2f\t%s\n", name(j.category), name(got), j.scores, j.text)
		}
	}
	for c := range there {
		fmt.Fprintf(out, "%-16s precision %5.1f %%  recall %5.1f %%", name(c-1), 100*right[c]/found[c], 100*right[c]/there[c])
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
