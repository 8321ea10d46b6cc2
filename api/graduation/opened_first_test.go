package graduation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
)

// A moderator decides only on a couple that they have opened themselves.
func TestDecide_NeedsThatItWasOpened(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, approve := range []bool{true, false} {
		suffix := map[bool]string{true: "yes", false: "no"}[approve]
		one, two := w.pair("Ann"+suffix, "Ben"+suffix)
		w.ask(one, two)
		couple := w.accept(two)
		_, err := w.Open(t.Context(), w.join("Otto"+suffix), couple, "To see")
		require.NoError(t, err)
		w.Exec(`DELETE FROM queue_claims`)
		require.Equal(t, "open_first", fault.From(w.DecideOpened(t.Context(), w.moderator, couple, approve, "Seen")).Code, "only another moderator has opened it")
		_, err = w.Open(t.Context(), w.moderator, couple, "To see")
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, w.DecideOpened(t.Context(), w.moderator, couple, approve, "Seen"))
		}
	}
}
