package verification_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
)

// It is not enough that another moderator has opened the selfie.
func TestDecide_RefusedUntilTheModeratorHasOpenedIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	moderator, other := w.Admin("Mia Moss"), w.Admin("Otto Moss")
	for _, approve := range []bool{true, false} {
		_, id := w.submitted("Ann Moss")
		w.openAndRelease(other, id)
		require.Equal(t, "open_first", fault.From(w.Decide(t.Context(), moderator.ID, id, approve, "Seen")).Code)
		w.openAndRelease(moderator, id)
		for range 2 {
			require.NoError(t, w.Decide(t.Context(), moderator.ID, id, approve, "Seen"))
		}
	}
}
