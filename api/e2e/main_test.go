// Package e2e_test runs the whole program as processes: its commands, its start and end, and what members notice when
// processes, PostgreSQL, NATS or a disk fail.
package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"heartward/api/platform/testkit"

	_ "heartward/api/cli" // go test runs these tests again when the program has changed
)

// waitTimeout is the timeout of waits, for a busy machine.
const waitTimeout = testkit.Timeout

// binary is the path of the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "heartward-binary-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "heartward")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, "heartward").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
