package verification_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
)

// An admin decides only on a selfie that they have opened themselves.
func TestDecide_NeedsThatItWasOpened(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	admin, other := w.Admin("Admin Moss"), w.Admin("Otto Moss")
	for _, approve := range []bool{true, false} {
		_, id := w.submitted("Ann Moss")
		_, err := w.Open(t.Context(), other.ID, id, "To see")
		require.NoError(t, err)
		w.Exec(`DELETE FROM queue_claims`)
		require.Equal(t, "open_first", fault.From(w.DecideOpened(t.Context(), admin.ID, id, approve, "Seen")).Code, "only the other admin has opened it")
		_, err = w.Open(t.Context(), admin.ID, id, "To see")
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, w.DecideOpened(t.Context(), admin.ID, id, approve, "Seen"))
		}
	}
}
