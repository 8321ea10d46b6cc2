package conversations_test

import (
	"testing"

	"heartward/api/messaging/messagingtest"
)

// env has the services of messaging, of which this package's is one.
type env struct{ *messagingtest.Env }

func newEnv(t testing.TB) *env {
	t.Helper()
	return &env{messagingtest.New(t)}
}
