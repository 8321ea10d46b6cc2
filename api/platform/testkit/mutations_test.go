package testkit_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

func TestMutations_AreReproducible(t *testing.T) {
	t.Parallel()
	texts := testkit.Mutations(1000, `{"type":"ping"}`, "hello")
	require.Equal(t, texts, testkit.Mutations(1000, `{"type":"ping"}`, "hello"))
	slices.Sort(texts)
	require.Greater(t, len(slices.Compact(texts)), 900)
	require.Len(t, testkit.Mutations(3, ""), 3, "an empty seed is a seed")
}
