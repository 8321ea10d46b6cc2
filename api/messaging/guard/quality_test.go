package guard_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/messaging/guard"
)

type judged struct{ category, text string }

func testSet(t *testing.T) (all []judged) {
	t.Helper()
	raw, err := os.ReadFile("testdata/test.tsv")
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
		all = append(all, judged{category, text})
	}
	return all
}

// TestItIsRightOftenEnough keeps the filter from growing worse unseen. Being
// wrong about harmless words is worse than missing others: who is asked without
// a cause no longer listens.
func TestItIsRightOftenEnough(t *testing.T) {
	t.Parallel()
	texts := testSet(t)
	there, found, right := map[string]int{}, map[string]int{}, map[string]int{}
	wrong := []string{}
	for _, one := range texts {
		got := guard.Find(one.text)
		there[one.category]++
		found[got]++
		if got == one.category {
			right[got]++
		} else if one.category == guard.None {
			wrong = append(wrong, got+": "+one.text)
		}
	}
	require.GreaterOrEqual(t, len(texts), 600)
	require.GreaterOrEqual(t, there[guard.None], len(texts)/2)
	require.LessOrEqual(t, len(wrong)*100, there[guard.None]*3, "harmless texts taken for others:\n%s", strings.Join(wrong, "\n"))
	for category, least := range map[string]struct{ precision, recall int }{
		guard.Harassment:     {88, 78},
		guard.SexualPressure: {94, 78},
		guard.Money:          {93, 83},
		guard.OffPlatform:    {97, 90},
		guard.Spam:           {95, 85},
	} {
		require.GreaterOrEqual(t, right[category]*100, found[category]*least.precision, "precision of %s", category)
		require.GreaterOrEqual(t, right[category]*100, there[category]*least.recall, "recall of %s", category)
	}
}

func TestTheModelIsOfTheCorpusInTheRepository(t *testing.T) {
	t.Parallel()
	corpus, err := os.ReadFile("../../../scripts/guard/corpus.tsv")
	require.NoError(t, err)
	sum := sha256.Sum256(corpus)
	require.Equal(t, hex.EncodeToString(sum[:]), guard.Corpus(), "run go run ./scripts/guard")
	for _, one := range testSet(t) {
		require.NotContains(t, string(corpus), one.text+"\n", "what it is judged by is not what it learned from")
	}
}

func TestLookingTakesNoMemory(t *testing.T) {
	text := strings.Repeat("are you free on saturday? ", 150)
	require.Zero(t, testing.AllocsPerRun(100, func() { guard.Find(text) }))
}
