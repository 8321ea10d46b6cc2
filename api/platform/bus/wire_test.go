package bus

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDecodeEvent_RefusesTruncatedEvents(t *testing.T) {
	t.Parallel()
	event := encodeEvent(1<<40+3, "member.x", []byte("data"))
	number, subject, data, ok := decodeEvent(event)
	require.Equal(t, []any{uint64(1<<40 + 3), "member.x", "data", true}, []any{number, subject, string(data), ok})
	for length := range 10 + len("member.x") {
		_, _, _, ok := decodeEvent(event[:length])
		require.False(t, ok, "truncated after %d bytes", length)
	}
}
