package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// process is a running command.
type process struct {
	t     testing.TB
	cmd   *exec.Cmd
	lines []string // output up to the line of start
	log   *bytes.Buffer
	ended chan struct{}
}

// start returns when the process has printed a line that ends with last.
func (p instance) start(last string, args ...string) *process {
	p.t.Helper()
	run := &process{t: p.t, cmd: p.command(context.Background(), nil, args...), log: &bytes.Buffer{}, ended: make(chan struct{})}
	run.cmd.Stderr = run.log
	out, err := run.cmd.StdoutPipe()
	require.NoError(p.t, err)
	require.NoError(p.t, run.cmd.Start())
	p.t.Cleanup(func() {
		_ = run.cmd.Process.Signal(syscall.SIGTERM) // PostgreSQL must stop before its folder is removed
		select {
		case <-run.ended:
		case <-time.After(waitTimeout):
			_ = run.cmd.Process.Kill()
			<-run.ended
		}
	})
	ready := make(chan struct{})
	go func() {
		signalReady := sync.OnceFunc(func() { close(ready) })
		for lines := bufio.NewScanner(out); lines.Scan(); {
			run.lines = append(run.lines, lines.Text())
			if strings.HasSuffix(lines.Text(), last) {
				signalReady()
				break
			}
		}
		_, _ = io.Copy(io.Discard, out)
		_ = run.cmd.Wait()
		close(run.ended)
	}()
	select {
	case <-ready:
	case <-run.ended:
		p.t.Fatalf("%v exited: %s", args, run.log)
	case <-time.After(waitTimeout):
		p.t.Fatalf("%v does not start", args)
	}
	return run
}

// stop sends the signal and waits until the process exits.
func (r *process) stop(signal syscall.Signal) {
	r.t.Helper()
	require.NoError(r.t, r.cmd.Process.Signal(signal))
	select {
	case <-r.ended:
	case <-time.After(waitTimeout):
		r.t.Fatalf("the process does not exit: %s", r.log)
	}
}

// Ends of the lines that serve and work print when they have started.
const serving, working = "Ctrl-C ends everything", "when the running jobs are done"

func (p instance) serve(args ...string) *process {
	return p.start(serving, append([]string{"serve"}, args...)...)
}

// hasEnded reports whether the process has ended. Zombies count as ended.
func hasEnded(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) == syscall.ESRCH || err == nil && strings.Contains(string(stat), ") Z ")
}
