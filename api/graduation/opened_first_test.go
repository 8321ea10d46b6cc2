package graduation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
)

// It is not enough that another moderator has opened the couple.
func TestDecideOpened_RefusedUntilTheModeratorHasOpenedIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, approve := range []bool{true, false} {
		suffix := map[bool]string{true: "yes", false: "no"}[approve]
		one, two := w.pair("Ann"+suffix, "Ben"+suffix)
		w.ask(one, two)
		couple := w.accept(two)
		_, err := w.Open(t.Context(), w.join("Otto"+suffix), couple, "To see")
		require.NoError(t, err)
		w.Exec(`DELETE FROM queue_claims`) // of the other moderator, which would keep this one out
		require.Equal(t, "open_first", fault.From(w.DecideOpened(t.Context(), w.moderator, couple, approve, "Seen")).Code)
		_, err = w.Open(t.Context(), w.moderator, couple, "To see")
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, w.DecideOpened(t.Context(), w.moderator, couple, approve, "Seen"))
		}
	}
}
