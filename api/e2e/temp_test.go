package e2e_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Kills a server and a worker. The next start removes their temporary files and leaves
// those of a running worker.
func TestServe_RemovesTemporaryFilesOfAKilledServer(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	temp := filepath.Join(t.TempDir(), "tmp")
	require.NoError(t, os.Mkdir(temp, 0o755))
	p.variables = []string{"TMPDIR=" + temp}
	server := p.serve("--no-work")
	worker := p.start(working, "work")
	folders := p.temporary(temp, "heartward-tmp-*")
	require.Len(t, folders, 2)

	for _, folder := range folders { // as ffmpeg does
		require.NoError(t, os.WriteFile(filepath.Join(folder, "copy.mp4"), []byte("half"), 0o600))
	}
	worker.stop(syscall.SIGKILL) // before its database stops
	server.stop(syscall.SIGKILL)
	require.Len(t, p.temporary(temp, "heartward-tmp-*/copy.mp4"), 2)

	again := p.serve("--no-work")
	left := p.temporary(temp, "heartward-tmp-*")
	require.Len(t, left, 1)
	require.NotContains(t, folders, left[0])
	running := p.start(working, "work")
	require.Len(t, p.temporary(temp, "heartward-tmp-*"), 2, "the folder of the running process remains")
	running.stop(syscall.SIGTERM)
	again.stop(syscall.SIGTERM)
	require.Empty(t, p.temporary(temp, "*"))
}

func (p instance) temporary(folder, pattern string) []string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	require.NoError(p.t, err)
	return found
}
