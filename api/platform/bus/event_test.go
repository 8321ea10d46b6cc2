package bus_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/bus"
)

func TestEvent_ExcludesASocket(t *testing.T) {
	t.Parallel()
	frame := map[string]any{"type": "new_message", "content": `{"except":"no",`}
	for _, except := range []string{"", "0192f0c1"} {
		data := bus.Event(except, frame)
		before := string(data)
		got, plain := bus.SplitEvent(data)
		require.Equal(t, except, got)
		require.JSONEq(t, `{"type":"new_message","content":"{\"except\":\"no\","}`, string(plain))
		require.Equal(t, before, string(data), "shared data must not change")
	}
}
