package pg

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

const throwawayPattern = "heartward-throwaway-"

// openDir makes the folder where needed and locks it for this process. The
// lock ends with the process, however it ends.
func (e *Embedded) openDir(dir string) error {
	if dir == "" {
		removeOldThrowaways()
		made, err := os.MkdirTemp("", throwawayPattern)
		if err != nil {
			return err
		}
		dir = made
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
	// Two ways to write the same folder must give the same lock and socket.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	e.dir, e.data = dir, filepath.Join(dir, "data")
	e.lock, err = lockDir(dir)
	return err
}

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

// removeOldThrowaways deletes what killed test processes left behind. Young
// folders are left alone: their owner may be about to lock them.
func removeOldThrowaways() {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), throwawayPattern+"*"))
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
			for _, base := range runBases() {
				_ = os.RemoveAll(runDir(base, dir))
			}
			_ = os.RemoveAll(dir)
		}
		lock.Close()
	}
}

// runDir is where the socket of the server in dir goes: short, because a
// socket's path may have 107 bytes only, and different for each dir.
func runDir(base, dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(base, "heartward-"+hex.EncodeToString(sum[:6]))
}

func runBases() []string {
	bases := []string{os.TempDir(), "/var/tmp", "/tmp"}
	if os.Geteuid() != 0 {
		if own := os.Getenv("XDG_RUNTIME_DIR"); own != "" {
			bases = append([]string{own}, bases...)
		}
	}
	return bases
}

// makeRunDir makes the private folder of the socket in the first base that the
// server's account can reach. What an earlier run left there is removed.
func (e *Embedded) makeRunDir() error {
	const longestBase = 60 // leaves room for our name, the socket's and .lock
	var problem error
	for _, base := range runBases() {
		if len(base) > longestBase || !filepath.IsAbs(base) || !e.account.reaches(base) || !allowsPrograms(base) {
			continue
		}
		path := runDir(base, e.dir)
		if problem = e.account.removeOwn(path); problem != nil {
			continue
		}
		if problem = os.Mkdir(path, 0o700); problem != nil {
			continue
		}
		e.run = path
		return e.account.own(path)
	}
	return fmt.Errorf("no folder for the PostgreSQL socket; set TMPDIR to a short, writable one: %w", problem)
}

// RunningEmbedded gives the address of the embedded server that some process
// of this machine runs in dir, and false when there is none that answers to
// connections. For subcommands beside a running server.
func RunningEmbedded(dir string) (string, bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	data := filepath.Join(dir, "data")
	file, err := readPidFile(data)
	if err != nil || !file.ready || !serves(file.pid, data) {
		return "", false
	}
	return socketURL(file.socketDir), true
}

// pidFile is what PostgreSQL tells about itself in postmaster.pid.
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

// stopLeftovers ends the processes that an earlier run left on the data: the
// server first and cleanly, when it gets some grace, then all that remains.
// Only call it with the folder's lock held.
func stopLeftovers(ctx context.Context, data string, grace time.Duration) error {
	if len(holders(data)) == 0 {
		return nil
	}
	if file, err := readPidFile(data); err == nil && grace > 0 && serves(file.pid, data) {
		_ = syscall.Kill(file.pid, syscall.SIGINT)
		if awaitNone(ctx, data, grace, 0) {
			return nil
		}
	}
	if awaitNone(ctx, data, patience, syscall.SIGKILL) {
		return nil
	}
	return fmt.Errorf("processes %v of an earlier PostgreSQL in %s do not end", holders(data), filepath.Dir(data))
}

// awaitNone waits until no process holds the data, sending each the signal,
// and reports whether that came true in time.
func awaitNone(ctx context.Context, data string, limit time.Duration, signal syscall.Signal) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		left := holders(data)
		if len(left) == 0 {
			return true
		}
		for _, pid := range left {
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
