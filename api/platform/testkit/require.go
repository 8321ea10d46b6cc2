package testkit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
)

// RequireKind fails the test unless err is of the kind. It prints both kinds, the text of err and the message, which is a
// format with its arguments, or empty.
func RequireKind(t testing.TB, err error, kind fault.Kind, message ...any) {
	t.Helper()
	if err == nil {
		require.FailNow(t, "no error instead of one of the kind "+string(kind), message...)
	}
	if got := fault.From(err).Kind; got != kind {
		require.FailNow(t, fmt.Sprintf("an error of the kind %s instead of %s: %v", got, kind, err), message...)
	}
}
