package e2e_test

import (
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Runs the commands of docs/operating.md for a server with the embedded PostgreSQL:
// stop it, copy the data folder, and restore the copy.
func TestBackup_RestoresDataFolder(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	server := p.serve("--no-work", "--demo")
	const members = `SELECT count(*) FROM users`
	before := p.query(members)
	require.Positive(t, before)
	server.stop(syscall.SIGTERM)
	backup := filepath.Join(t.TempDir(), "backup")
	shell(t, `cp -a "$1" "$2"`, p.dir, backup)

	server = p.serve("--no-work")
	p.insertSenders()
	require.Greater(t, p.query(members), before)
	identity := `SELECT count(*) FROM database_identity WHERE id = $1`
	id := p.identity()
	server.stop(syscall.SIGTERM)
	shell(t, `rm -r "$1" && cp -a "$2" "$1"`, p.dir, backup)
	require.Equal(t, "Search indexes and devices will load everything again\n", p.run(nil, "restored").out)

	server = p.serve("--no-work")
	require.Equal(t, before, p.query(members))
	require.Zero(t, p.query(identity, id), "the identity is new, so devices sync")
	server.stop(syscall.SIGTERM)
}

func (p instance) identity() (id string) {
	p.t.Helper()
	conn := p.connect()
	defer conn.Close(p.t.Context())
	require.NoError(p.t, conn.QueryRow(p.t.Context(), `SELECT id::text FROM database_identity`).Scan(&id))
	return id
}

// shell runs a command line of the document, with its folders as arguments.
func shell(t *testing.T, line string, args ...string) {
	t.Helper()
	out, err := exec.Command("sh", append([]string{"-c", line, "sh"}, args...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
