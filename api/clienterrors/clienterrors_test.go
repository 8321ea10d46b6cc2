package clienterrors_test

import (
	"bytes"
	"log/slog"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/clienterrors"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

var failure = clienterrors.Failure{
	ID: "7K3QP9XA", Name: "TypeError", Route: "/profile/:id", Frames: []clienterrors.Frame{"member-a1B2.js:1:204", "start-c3D4.js:2:17"},
}

// logBuffer collects the lines of several goroutines.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

// lines returns how many reports are in the log, and the whole log.
func (l *logBuffer) lines() (int, string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return bytes.Count(l.text.Bytes(), []byte("a screen of the app failed")), l.text.String()
}

// The tests are not parallel, because they read the log of the process.
func TestLog_WritesReportUnderItsID(t *testing.T) {
	log := &logBuffer{}
	testkit.CaptureLog(t, slog.NewTextHandler(log, nil))
	require.NoError(t, clienterrors.New(pgtest.New(t), 1).Log(t.Context(), failure))
	_, text := log.lines()
	require.Contains(t, text, `level=ERROR msg="a screen of the app failed" id=7K3QP9XA error=TypeError route=/profile/:id stack="member-a1B2.js:1:204 start-c3D4.js:2:17"`)
}

func TestLog_IsLimitedForEachNetworkAndForTheProcess(t *testing.T) {
	log := &logBuffer{}
	testkit.CaptureLog(t, slog.NewTextHandler(log, nil))
	s := clienterrors.New(pgtest.New(t), 1)
	home, other := web.WithClient(t.Context(), "192.0.2.1"), web.WithClient(t.Context(), "192.0.2.2")
	for range 20 {
		require.NoError(t, s.Log(home, failure))
	}
	testkit.RequireKind(t, s.Log(home, failure), fault.RateLimited)
	count, _ := log.lines()
	require.Equal(t, 20, count)
	require.NoError(t, s.Log(other, failure), "another network")

	// Many networks at once: the log of this process has at most a burst of lines, and one every two seconds.
	s = clienterrors.New(pgtest.New(t), 1000)
	failures := 0
	for range 200 {
		if err := s.Log(home, failure); err != nil {
			testkit.RequireKind(t, err, fault.RateLimited)
			failures++
		}
	}
	require.Positive(t, failures)
	after, _ := log.lines()
	require.Equal(t, 200-failures, after-count-1)
}
