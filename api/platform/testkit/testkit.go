// Package testkit has helpers for the tests of all packages: rows of members and matches, assertions that print the
// difference, waits for signals, reproducible random numbers and the log.
package testkit

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"
)

// Timeout limits the waits of tests for a signal. A wait ends with its signal, so that the limit can be long enough for
// any busy machine.
const Timeout = time.Minute

// seedVariable repeats the random choices of a failed test.
const seedVariable = "TEST_SEED"

// Seed returns the seed in TEST_SEED, or another one at each call. A test that fails prints it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(seedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("%s: %v", seedVariable, err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s=%d repeats the random choices of this test", seedVariable, seed)
		}
	})
	return seed
}

// Rand returns a random generator with Seed. Generators of one test differ by stream.
func Rand(t testing.TB, stream uint64) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(Seed(t), stream))
}

// Receive returns the next value of a channel. The test fails if there is none in time; what names it.
func Receive[T any](t testing.TB, from <-chan T, what string) T {
	t.Helper()
	select {
	case value := <-from:
		return value
	case <-time.After(Timeout):
		t.Fatalf("waited %s for %s", Timeout, what)
		panic("unreachable")
	}
}

// Missing returns the values that are not in listed. A test that requires the result to be empty prints only these values,
// not both lists.
func Missing[T comparable](values, listed []T) (missing []T) {
	for _, value := range values {
		if !slices.Contains(listed, value) {
			missing = append(missing, value)
		}
	}
	return missing
}
