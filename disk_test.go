package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Fills the disk of a server. It is not ready while it cannot write, a start reports
// why it fails, and everything continues when there is space.
func TestServe_FullDisk(t *testing.T) {
	t.Parallel()
	p, disk := newSmallDisk(t)
	server := p.serve("--no-work")
	p.becomes(http.StatusOK)

	fill(t, filepath.Join(disk, "filler"))
	p.becomes(http.StatusServiceUnavailable)
	status, _ := p.get("/healthz")
	require.Equal(t, http.StatusOK, status)
	server.stop(syscall.SIGKILL)
	got := p.run(nil, "serve")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.err, "o space left on device")

	require.NoError(t, os.Remove(filepath.Join(disk, "filler")))
	server = p.serve("--no-work")
	p.becomes(http.StatusOK)
	server.stop(syscall.SIGTERM)
}

func (p instance) becomes(status int) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		got, _ := p.get("/readyz")
		return got == status
	}, waitTimeout, 50*time.Millisecond, "/readyz becomes %d", status)
}

// newSmallDisk returns an instance whose data folder is on a file system of 250 MB, and
// the path of it for this process. It is mounted in a mount namespace, which does not
// require root.
func newSmallDisk(t *testing.T) (p instance, disk string) {
	t.Helper()
	p = newInstance(t)
	require.NoError(t, os.Mkdir(p.dir, 0o755))
	unshare := []string{"--mount"}
	enter := []string{"--mount"}
	if os.Geteuid() != 0 {
		unshare = append(unshare, "--map-current-user", "--keep-caps")
		enter = append(enter, "--user", "--preserve-credentials")
	}
	script := `mount -t tmpfs -o size=250m,mode=0755 disk "$0" && echo mounted && exec sleep infinity`
	holder := exec.Command("unshare", append(unshare, "sh", "-c", script, p.dir)...)
	holder.Stderr = os.Stderr
	out, err := holder.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, holder.Start())
	t.Cleanup(func() {
		_ = holder.Process.Kill()
		_ = holder.Wait()
	})
	said := make([]byte, len("mounted"))
	_, err = out.Read(said)
	require.NoError(t, err)
	require.Equal(t, "mounted", string(said))
	p.wrapper = append([]string{"nsenter", "--target", strconv.Itoa(holder.Process.Pid)}, enter...)
	return p, fmt.Sprintf("/proc/%d/root%s", holder.Process.Pid, p.dir)
}

// fill writes to path until the file system is full.
func fill(t *testing.T, path string) {
	t.Helper()
	file, err := os.Create(path)
	require.NoError(t, err)
	defer file.Close()
	for block := make([]byte, 1<<20); len(block) > 0; {
		if _, err = file.Write(block); err != nil {
			require.ErrorIs(t, err, syscall.ENOSPC)
			block = block[:len(block)/2]
		}
	}
}
