package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The tests of bad input need valid samples of filters.
func TestSampleBody_FiltersAreValid(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	calls := 0
	for _, op := range s.operations() {
		if op.path == "/api/discovery/filters" || op.path == "/api/discovery/preview" {
			calls++
			got := s.send(s.viewer, op.method, op.path, "application/json", op.sample(s))
			require.Less(t, got.status, http.StatusBadRequest, "%s %s: %s", op.method, op.path, got.body)
		}
	}
	require.Equal(t, 4, calls)
}
