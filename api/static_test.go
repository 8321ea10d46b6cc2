package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whoever asks and never reads would hold a goroutine and the answer for good.
func TestNoReaderIsWaitedForWithoutEnd(t *testing.T) {
	t.Parallel()
	config := newPages(t, nil, builtApp()).Config()
	for _, wait := range []time.Duration{config.ReadTimeout, config.WriteTimeout, config.IdleTimeout} {
		require.Positive(t, wait)
	}
}
