package figures

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// groupsOf returns the groups of the numbers of times.
func groupsOf(times []int) (groups []group) {
	slices.Sort(times)
	for _, n := range times {
		if len(groups) == 0 || groups[len(groups)-1].Times != n {
			groups = append(groups, group{Times: n})
		}
		groups[len(groups)-1].Members++
	}
	return groups
}

// The coefficient by its definition: half the mean difference between two members, relative
// to the mean.
func giniByPairs(times []int) float64 {
	var differences, total float64
	for _, a := range times {
		total += float64(a)
		for _, b := range times {
			differences += math.Abs(float64(a - b))
		}
	}
	return differences / (2 * float64(len(times)) * total)
}

func TestGini_EqualsDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfN(rapid.IntRange(0, 50), 1, 60).Draw(t, "times")
		got := gini(groupsOf(times))
		if slices.Max(times) == 0 {
			require.Nil(t, got)
			return
		}
		require.InDelta(t, giniByPairs(times), *got, 1e-9)
		require.GreaterOrEqual(t, *got, 0.0)
		require.Less(t, *got, 1.0)
	})
}

func TestGini_OfEqualAndUnequalShares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100_000).Draw(t, "members")
		times := rapid.IntRange(1, 10_000).Draw(t, "times")
		require.InDelta(t, 0, *gini([]group{{times, n}}), 1e-9, "all are equal")
		if n > 1 {
			oneGetsAll := *gini([]group{{0, n - 1}, {times, 1}})
			require.InDelta(t, 1-1/float64(n), oneGetsAll, 1e-9)
		}
	})
	require.Nil(t, gini(nil))
	require.Nil(t, gini([]group{{0, 10}}))
}
