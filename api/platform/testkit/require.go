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

// RequireInvalid fails the test unless err is of the kind Invalid and about the field.
func RequireInvalid(t testing.TB, err error, field string) {
	t.Helper()
	RequireKind(t, err, fault.Invalid)
	require.Equal(t, field, fault.From(err).Field, "the field of: %v", err)
}

// SameElements fails the test unless both lists have the same values equally often, in any order. It prints only the
// difference and the message, because a failure must be readable when the lists are long.
func SameElements[T comparable](t require.TestingT, want, got []T, message ...any) {
	if missing, extra := surplus(want, got), surplus(got, want); len(missing)+len(extra) > 0 {
		require.FailNow(t, fmt.Sprintf("missing: %v, unexpected: %v", missing, extra), message...)
	}
}

// surplus returns the values that list has more often than other.
func surplus[T comparable](list, other []T) (more []T) {
	left := map[T]int{}
	for _, value := range other {
		left[value]++
	}
	for _, value := range list {
		if left[value]--; left[value] < 0 {
			more = append(more, value)
		}
	}
	return more
}
