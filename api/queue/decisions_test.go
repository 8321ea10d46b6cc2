package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/queue"
)

func TestDecision_Words(t *testing.T) {
	t.Parallel()
	for code, words := range map[queue.Decision]string{
		"approved":                              "approved",
		"no_action":                             "no action",
		"not_of_age":                            "banned, because not of age",
		queue.Decision("warn").WithRemoval():    "warned and removed parts of the profile",
		queue.Decision("suspend").WithRemoval(): "suspended and removed parts of the profile",
		queue.Decision("ban").WithRemoval():     "banned and removed parts of the profile",
	} {
		require.Equal(t, words, code.Words(), code)
	}
}
