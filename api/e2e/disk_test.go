package e2e_test

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

// Fills the disk of a server. The server is not ready while it cannot write, a start
// fails with the reason, and the server starts again when there is space.
func TestServe_FullDisk(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	disk := p.mountSmallDisk(p.dir)
	server := p.serve("--no-work")
	p.waitForReadiness(http.StatusOK)

	fill(t, filepath.Join(disk, "filler"))
	p.waitForReadiness(http.StatusServiceUnavailable)
	status, _ := p.get("/healthz")
	require.Equal(t, http.StatusOK, status)
	server.stop(syscall.SIGKILL)
	got := p.run(nil, "serve")
	require.Equal(t, 1, got.code)
	// With a log that could not be written, the start names the free space instead.
	require.Regexp(t, "o space left on device|0 MB are free on its disk", got.err)

	require.NoError(t, os.Remove(filepath.Join(disk, "filler")))
	server = p.serve("--no-work")
	p.waitForReadiness(http.StatusOK)
	server.stop(syscall.SIGTERM)
}

// Fills the disk of the temporary files only: uploads, exports and conversions fail.
func TestServe_FullTemporaryDisk(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	temp := filepath.Join(t.TempDir(), "tmp")
	p.variables = []string{"TMPDIR=" + temp}
	disk := p.mountSmallDisk(temp)
	server := p.serve("--no-work")
	p.waitForReadiness(http.StatusOK)
	fill(t, filepath.Join(disk, "filler"))
	p.waitForReadiness(http.StatusServiceUnavailable)
	require.NoError(t, os.Remove(filepath.Join(disk, "filler")))
	p.waitForReadiness(http.StatusOK)
	server.stop(syscall.SIGTERM)
}

func (p instance) waitForReadiness(status int) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		got, _ := p.get("/readyz")
		return got == status
	}, waitTimeout, 50*time.Millisecond, "/readyz has status %d", status)
}

// mountSmallDisk makes folder, which must not exist, a file system of 250 MB for the
// instance's commands, and returns the path at which the test can access it. It is mounted in a
// mount namespace, which does not require root.
func (p *instance) mountSmallDisk(folder string) (disk string) {
	t := p.t
	t.Helper()
	require.NoError(t, os.Mkdir(folder, 0o755))
	unshare := []string{"--mount"}
	enter := []string{"--mount"}
	if os.Geteuid() != 0 {
		unshare = append(unshare, "--map-current-user", "--keep-caps")
		enter = append(enter, "--user", "--preserve-credentials")
	}
	script := `mount -t tmpfs -o size=250m,mode=0755 disk "$0" && echo mounted && exec sleep infinity`
	namespace := exec.Command("unshare", append(unshare, "sh", "-c", script, folder)...)
	namespace.Stderr = os.Stderr
	out, err := namespace.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, namespace.Start())
	t.Cleanup(func() {
		_ = namespace.Process.Kill()
		_ = namespace.Wait()
	})
	firstOutput := make([]byte, len("mounted"))
	_, err = out.Read(firstOutput)
	require.NoError(t, err)
	require.Equal(t, "mounted", string(firstOutput))
	p.wrapper = append([]string{"nsenter", "--target", strconv.Itoa(namespace.Process.Pid)}, enter...)
	return fmt.Sprintf("/proc/%d/root%s", namespace.Process.Pid, folder)
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
