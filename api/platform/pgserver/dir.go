package pgserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// temporaryPrefix begins the names of the folders of servers without Options.Dir.
const temporaryPrefix = "heartward-throwaway-"

// openDir creates the folder, or a temporary one if dir is empty, and locks it for this process.
// The kernel releases the lock when the process ends, even if it is killed.
func (s *Server) openDir(dir string) error {
	if dir == "" {
		removeTemporaryServers()
		created, err := os.MkdirTemp("", temporaryPrefix)
		if err != nil {
			return err
		}
		dir = created
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o711); err != nil && !os.IsExist(err) {
		return err
	}
	// Different paths to the same folder must give the same lock and socket.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	s.dir, s.data = dir, filepath.Join(dir, "data")
	s.lock, err = lockDir(dir)
	return err
}

// lockDir locks the folder and writes the process id into the lock file. The
// caller closes the file to release the lock.
func lockDir(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder := make([]byte, 32)
		n, _ := file.ReadAt(holder, 0)
		file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("another server (process %s) is already running on %s", strings.TrimSpace(string(holder[:n])), dir)
		}
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	if err := file.Truncate(0); err == nil {
		_, _ = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return file, nil
}

// removeTemporaryServers ends the servers of killed processes that had temporary folders,
// and deletes the folders. It skips folders younger than a minute: their owner may not have
// locked them yet.
func removeTemporaryServers() {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), temporaryPrefix+"*"))
	for _, dir := range found {
		info, err := os.Stat(dir)
		if err != nil || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		lock, err := lockDir(dir)
		if err != nil {
			continue
		}
		if stopLeftovers(context.Background(), filepath.Join(dir, "data"), 0) == nil {
			for _, base := range socketBases() {
				_ = os.RemoveAll(socketDir(base, dir))
			}
			_ = os.RemoveAll(dir)
		}
		lock.Close()
	}
}

// socketDir returns the folder for the socket of the server on dir. It differs for
// each dir, and is short because the path of a socket is limited to 107 bytes.
func socketDir(base, dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(base, "heartward-"+hex.EncodeToString(sum[:6]))
}

// socketBases returns the folders in which makeSocketDir may create the socket's
// folder, in order of preference.
func socketBases() []string {
	bases := []string{os.TempDir(), "/var/tmp", "/tmp"}
	if os.Geteuid() != 0 {
		if own := os.Getenv("XDG_RUNTIME_DIR"); own != "" {
			bases = append([]string{own}, bases...)
		}
	}
	return bases
}

// makeSocketDir creates the private folder of the socket in the first of socketBases that the
// server's account can reach. It deletes the folder of an earlier run.
func (s *Server) makeSocketDir() error {
	const longestBase = 60 // leaves room for the names of the folder and the socket, and .lock
	var lastErr error
	for _, base := range socketBases() {
		if len(base) > longestBase || !filepath.IsAbs(base) || !s.account.canReach(base) || !allowsExec(base) {
			continue
		}
		path := socketDir(base, s.dir)
		if lastErr = s.account.removeOwn(path); lastErr != nil {
			continue
		}
		if lastErr = os.Mkdir(path, 0o700); lastErr != nil {
			continue
		}
		s.socketDir = path
		return s.account.chown(path)
	}
	return fmt.Errorf("no folder for the PostgreSQL socket; set TMPDIR to a short, writable one: %w", lastErr)
}

// FindRunning returns the address of the server that runs on dir on this machine,
// and false if there is none that accepts connections. Subcommands use it to
// share the database of a running server.
func FindRunning(dir string) (string, bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	data := filepath.Join(dir, "data")
	file, err := readPidFile(data)
	if err != nil || !file.ready || !isServer(file.pid, data) {
		return "", false
	}
	return socketURL(file.socketDir), true
}

// pidFile holds the fields of PostgreSQL's postmaster.pid that are used here.
type pidFile struct {
	pid       int
	socketDir string
	ready     bool
}

func readPidFile(data string) (pidFile, error) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return pidFile{}, err
	}
	lines := strings.Split(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || pid <= 1 {
		return pidFile{}, fmt.Errorf("postmaster.pid names no process")
	}
	file := pidFile{pid: pid}
	if len(lines) >= 8 {
		file.socketDir = strings.TrimSpace(lines[4])
		file.ready = strings.TrimSpace(lines[7]) == "ready"
	}
	return file, nil
}

// stopLeftovers ends the processes of an earlier run that still use the data folder. If
// grace is positive, it first requests a shutdown and waits for that long; then it kills
// the remaining processes. The caller must hold the folder's lock.
func stopLeftovers(ctx context.Context, data string, grace time.Duration) error {
	if len(processesIn(data)) == 0 {
		return nil
	}
	if file, err := readPidFile(data); err == nil && grace > 0 && isServer(file.pid, data) {
		_ = syscall.Kill(file.pid, syscall.SIGINT)
		if awaitExit(ctx, data, grace, 0) {
			return nil
		}
	}
	if awaitExit(ctx, data, stopGrace, syscall.SIGKILL) {
		return nil
	}
	return fmt.Errorf("processes %v of an earlier PostgreSQL in %s do not exit", processesIn(data), filepath.Dir(data))
}

// awaitExit sends signal, unless it is 0, to the processes that use the data folder and
// waits until they have exited. It returns false if some remain after limit.
func awaitExit(ctx context.Context, data string, limit time.Duration, signal syscall.Signal) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		running := processesIn(data)
		if len(running) == 0 {
			return true
		}
		for _, pid := range running {
			if signal != 0 {
				_ = syscall.Kill(pid, signal)
			}
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}
