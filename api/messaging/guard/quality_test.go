package guard_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/guard"
)

type labelled struct{ category, text string }

func readSet(t *testing.T, name string) (all []labelled) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	for line := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		if line[0] == '#' {
			continue
		}
		category, text, ok := strings.Cut(line, "\t")
		require.True(t, ok, line)
		if category == "ok" {
			category = guard.None
		}
		all = append(all, labelled{category, text})
	}
	return all
}

// quality is in percent, rounded to the nearest.
type quality struct{ precision, recall int }

// The filter has the same results on every machine, so the bounds are its present quality:
// any change for the worse fails. False positives are worse than false negatives, because
// members ignore warnings that are often wrong.
func TestCategory_QualityDoesNotFall(t *testing.T) {
	t.Parallel()
	for _, set := range []struct {
		file           string
		texts          int
		falsePositives int // at most
		least          map[string]quality
	}{
		{"test.tsv", 600, 10, map[string]quality{
			guard.Harassment:     {91, 82},
			guard.SexualPressure: {96, 82},
			guard.Money:          {96, 87},
			guard.OffPlatform:    {100, 93},
			guard.Spam:           {98, 88},
		}},
		// Written after the rules were finished, and never used to improve them.
		{"second.tsv", 269, 4, map[string]quality{
			guard.Harassment:     {92, 73},
			guard.SexualPressure: {100, 60},
			guard.Money:          {100, 57},
			guard.OffPlatform:    {95, 84},
			guard.Spam:           {95, 84},
		}},
	} {
		t.Run(set.file, func(t *testing.T) {
			t.Parallel()
			texts := readSet(t, set.file)
			labelled, found, correct := map[string]int{}, map[string]int{}, map[string]int{}
			var wrong []string
			for _, one := range texts {
				got := guard.Category(one.text)
				labelled[one.category]++
				found[got]++
				if got == one.category {
					correct[got]++
				} else if one.category == guard.None {
					wrong = append(wrong, got+": "+one.text)
				}
			}
			require.GreaterOrEqual(t, len(texts), set.texts)
			require.LessOrEqual(t, len(wrong), set.falsePositives, "false positives of %d harmless texts:\n%s", labelled[guard.None], strings.Join(wrong, "\n"))
			for category, least := range set.least {
				require.GreaterOrEqual(t, percent(correct[category], found[category]), least.precision, "precision of %s", category)
				require.GreaterOrEqual(t, percent(correct[category], labelled[category]), least.recall, "recall of %s", category)
			}
		})
	}
}

func percent(part, whole int) int { return int(math.Round(100 * float64(part) / float64(whole))) }

func TestModel_IsTrainedOnCorpusOfRepository(t *testing.T) {
	t.Parallel()
	corpus, err := os.ReadFile("../../../scripts/guard/corpus.tsv")
	require.NoError(t, err)
	sum := sha256.Sum256(corpus)
	require.Equal(t, hex.EncodeToString(sum[:]), guard.Corpus(), "run go run ./scripts/guard")
	for _, one := range readSet(t, "test.tsv") {
		require.NotContains(t, string(corpus), one.text+"\n", "the test set and the training corpus have no text in common")
	}
}

func TestCategory_DoesNotAllocate(t *testing.T) {
	text := strings.Repeat("are you free on saturday? ", 150)
	require.Zero(t, testing.AllocsPerRun(100, func() { guard.Category(text) }))
}
