package testkit_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// asserted is a test that stores its first failure.
type asserted struct {
	testing.TB
	failure string
}

func (a *asserted) Helper()  {}
func (a *asserted) FailNow() { panic(a) }
func (a *asserted) Errorf(format string, args ...any) {
	a.failure = fmt.Sprintf(format, args...)
}

// failureOf returns what a failed assertion prints, or "".
func failureOf(t testing.TB, assert func(testing.TB)) string {
	t.Helper()
	a := &asserted{TB: t}
	func() {
		defer func() { _ = recover() }()
		assert(a)
	}()
	return a.failure
}

func TestRequireKind_PrintsKindsAndError(t *testing.T) {
	t.Parallel()
	failure := func(err error) string {
		return failureOf(t, func(t testing.TB) { testkit.RequireKind(t, err, fault.NotFound, "of %s", "Ann") })
	}
	require.Empty(t, failure(fmt.Errorf("wrapped: %w", fault.New(fault.NotFound, "There is none."))))
	for _, text := range []string{"conflict", "not_found", "It is taken.", "of Ann"} {
		require.Contains(t, failure(fault.New(fault.Conflict, "It is taken.")), text)
	}
	require.Contains(t, failure(errors.New("unknown")), "internal")
	require.Contains(t, failure(nil), "no error")
}

func TestSameElements_PrintsDifference(t *testing.T) {
	t.Parallel()
	failure := func(want, got []int) string {
		return failureOf(t, func(t testing.TB) { testkit.SameElements(t, want, got) })
	}
	require.Empty(t, failure([]int{1, 2, 2, 3}, []int{2, 3, 2, 1}))
	require.Contains(t, failure([]int{1, 2, 2, 3}, []int{4, 1, 2, 3}), "missing: [2], unexpected: [4]")
}
