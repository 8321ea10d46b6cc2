package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// runFresh runs "scripts/run --fresh" on a data folder with a PATH that lacks Go, so that it
// ends before it builds.
func runFresh(t *testing.T, data string, variables ...string) (output string) {
	t.Helper()
	readTree()
	tools := t.TempDir()
	for _, name := range []string{"bash", "dirname", "env", "flock", "mkdir", "rm"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(tools, name)))
	}
	cmd := exec.Command("../../scripts/run", "--fresh")
	cmd.Env = append([]string{"PATH=" + tools, "DATA_DIR=" + data}, variables...)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	return string(out)
}

const goIsMissing = "heartward: go is missing: install Go 1.26 or newer from https://go.dev/dl\n"

func TestRunFresh_DeletesTheDataFolder(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	require.Equal(t, goIsMissing, runFresh(t, p.dir), "there is no folder")
	server := p.serve("--no-work")
	require.Equal(t, "heartward: --fresh does not delete "+p.dir+": a server runs on it\n", runFresh(t, p.dir))
	server.stop(syscall.SIGTERM)
	require.Equal(t, "heartward: --fresh does not delete "+p.dir+": the members are in the database at DATABASE_URL\n",
		runFresh(t, p.dir, "DATABASE_URL=postgres://db.test/heartward"))
	require.DirExists(t, p.dir)
	require.Equal(t, "Deleting "+p.dir+"\n"+goIsMissing, runFresh(t, p.dir))
	require.NoDirExists(t, p.dir)
}

func TestRunFresh_RefusesOtherFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.Equal(t, "heartward: --fresh does not delete "+dir+": it has no database of Heartward\n", runFresh(t, dir))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "postgres", "data"), 0o755))
	for _, name := range []string{"postgres/data/PG_VERSION", "postgres/lock", ".profile"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.Equal(t, "heartward: --fresh does not delete "+dir+": it has .profile, which Heartward did not create\n", runFresh(t, dir))
	require.NoError(t, os.Rename(filepath.Join(dir, ".profile"), filepath.Join(dir, "thesis.odt")))
	require.Equal(t, "heartward: --fresh does not delete "+dir+": it has thesis.odt, which Heartward did not create\n", runFresh(t, dir))
	require.FileExists(t, filepath.Join(dir, "thesis.odt"))
}
