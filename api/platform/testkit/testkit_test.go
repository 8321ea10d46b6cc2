package testkit_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

// Attributes, groups and levels are those of the logger and of the test's handler. Not parallel, because the handler
// receives the log of the process.
func TestCaptureLog_EndsWithTheTest(t *testing.T) {
	var log bytes.Buffer
	test := &failed{T: t}
	testkit.CaptureLog(test, slog.NewTextHandler(&log, nil))
	logger := slog.Default().With("node", 1).WithGroup("request")
	logger.Debug("not enabled")
	logger.Info("first", "id", 2)
	test.end()
	logger.Info("second")
	require.Regexp(t, `^time=\S+ level=INFO msg=first node=1 request.id=2\n$`, log.String())
}

// failed is a failed test that stores what it prints.
type failed struct {
	*testing.T
	cleanups []func()
	printed  []any
}

func (f *failed) Failed() bool               { return true }
func (f *failed) Cleanup(run func())         { f.cleanups = append(f.cleanups, run) }
func (f *failed) Logf(_ string, args ...any) { f.printed = append(f.printed, args...) }
func (f *failed) end() {
	for i := range f.cleanups {
		f.cleanups[len(f.cleanups)-1-i]()
	}
}

func TestShowLog_PrintsLastWarningsOfFailedTest(t *testing.T) {
	test := &failed{T: t}
	testkit.ShowLog(test)
	for i := range 50 {
		slog.Info("not printed", "i", i)
		slog.Warn("printed", "i", i)
	}
	test.end()
	require.Len(t, test.printed, 1)
	lines := bytes.Split(bytes.TrimSpace(test.printed[0].([]byte)), []byte("\n"))
	require.Len(t, lines, 40)
	require.Contains(t, string(lines[39]), "level=WARN msg=printed i=49")
}

func TestSeed_IsPrintedByFailedTest(t *testing.T) {
	t.Parallel()
	test := &failed{T: t}
	seed := testkit.Seed(test)
	test.end()
	require.Equal(t, []any{"TEST_SEED", seed}, test.printed)
}

func TestSeed_IsThatOfTheEnvironment(t *testing.T) {
	t.Setenv("TEST_SEED", "7")
	require.EqualValues(t, 7, testkit.Seed(t))
	first, again, other := testkit.Rand(t, 1).Uint64(), testkit.Rand(t, 1).Uint64(), testkit.Rand(t, 2).Uint64()
	require.Equal(t, first, again)
	require.NotEqual(t, first, other)
}
