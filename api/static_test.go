package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A client that never writes or never reads must not occupy a goroutine and memory for
// ever.
func TestServer_HasTimeouts(t *testing.T) {
	t.Parallel()
	config := newPages(t, nil, builtApp()).Config()
	for _, wait := range []time.Duration{config.ReadTimeout, config.WriteTimeout, config.IdleTimeout} {
		require.Positive(t, wait)
	}
}
