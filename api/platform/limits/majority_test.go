package limits_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/limits"
)

func TestMajority_ReportsAtTheEndOfAWindow(t *testing.T) {
	t.Parallel()
	m := limits.Majority{Window: 10}
	for same, want := range map[int]bool{3: false, 5: false, 6: true, 10: true} {
		for i := range 10 {
			key := "same"
			if i >= same {
				key = strconv.Itoa(i)
			}
			reported := m.Add(key)
			require.Equal(t, want && i == 9, reported, "%d of 10, call %d", same, i)
		}
	}
}
