package pg

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// patience is how long a server may take to end cleanly before it is ended.
const patience = 10 * time.Second

// supervise runs the server until Stop, and starts it again when it dies. It
// keeps its thread for itself, because the kernel ties "end with the parent"
// to the thread that started the child, and Go may end idle threads.
func (e *Embedded) supervise() {
	runtime.LockOSThread()
	defer close(e.ended)
	for pause := time.Duration(0); ; {
		began := time.Now()
		err := e.runOnce()
		select {
		case <-e.stopping:
			return
		default:
		}
		select {
		case <-e.healthy:
		default:
			e.failed <- err
			return
		}
		slog.Warn("PostgreSQL ended unexpectedly; starting it again", "error", err)
		if time.Since(began) > 10*time.Second {
			pause = 0
		}
		select {
		case <-time.After(pause):
		case <-e.stopping:
			return
		}
		pause = min(2*pause+100*time.Millisecond, 5*time.Second)
	}
}

// runOnce starts the server and returns when it has ended: nil after Stop.
func (e *Embedded) runOnce() error {
	// Processes of a killed server may linger and hold its shared memory.
	if err := stopLeftovers(context.Background(), e.data, 0); err != nil {
		return err
	}
	for _, stale := range []string{
		filepath.Join(e.data, "postmaster.pid"),
		filepath.Join(e.run, ".s.PGSQL."+embeddedPort),
		filepath.Join(e.run, ".s.PGSQL."+embeddedPort+".lock"),
	} {
		if err := os.Remove(stale); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	log, err := openLog(filepath.Join(e.dir, "postgres.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	quick := syscall.SIGINT
	if e.throwaway {
		quick = syscall.SIGQUIT // no checkpoint: nobody reads this data again
	}
	cmd, closeFiles, err := e.command(context.Background(), "postgres", e.data, quick, e.settings()...)
	if err != nil {
		return err
	}
	defer closeFiles()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting PostgreSQL: %w", err)
	}
	gone := make(chan error, 1)
	go func() { gone <- cmd.Wait() }()
	select {
	case err := <-gone:
		reason := log.reason()
		if reason == "" {
			reason = reasonOfDisk(e.dir)
		}
		return fmt.Errorf("PostgreSQL in %s ended (%v): %s", e.dir, err, reason)
	case <-e.stopping:
		e.end(cmd.Process, quick, gone)
		return nil
	}
}

// end stops the server: cleanly, else at once, else by force.
func (e *Embedded) end(server *os.Process, first syscall.Signal, gone <-chan error) {
	for _, signal := range []syscall.Signal{first, syscall.SIGQUIT, syscall.SIGKILL} {
		_ = server.Signal(signal)
		wait := patience
		if signal != first {
			wait = 3 * time.Second
		}
		select {
		case <-gone:
			_ = stopLeftovers(context.Background(), e.data, 0)
			return
		case <-time.After(wait):
		}
	}
}

// settings are given on the command line, so that they follow the program and
// not the version that made the data.
func (e *Embedded) settings() []string {
	values := []string{
		"listen_addresses=", "unix_socket_directories=" + e.run, "port=" + embeddedPort,
		"shared_buffers=128MB", "log_timezone=UTC", "timezone=UTC", "logging_collector=off",
		"max_logical_replication_workers=0",
	}
	if e.throwaway {
		values = append(values, "max_connections=400", "fsync=off", "synchronous_commit=off",
			"full_page_writes=off", "wal_level=minimal", "max_wal_senders=0")
	} else {
		values = append(values, "max_connections=150")
	}
	var args []string
	for _, value := range values {
		args = append(args, "-c", value)
	}
	return args
}

// initialise makes the data folder on the first run. It is made under another
// name and then renamed, so that an interrupted run leaves nothing half made.
func (e *Embedded) initialise(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(e.data, "PG_VERSION")); err == nil {
		return nil
	}
	if left, err := filepath.Glob(filepath.Join(e.dir, "init-*")); err == nil {
		for _, path := range left {
			_ = os.RemoveAll(path)
		}
	}
	fresh, err := os.MkdirTemp(e.dir, "init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := e.account.own(fresh); err != nil {
		return err
	}
	args := []string{"--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"}
	if e.program.major >= 17 {
		args = append(args, "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
	}
	if e.throwaway {
		args = append(args, "--no-sync")
	}
	cmd, closeFiles, err := e.command(ctx, "initdb", fresh, syscall.SIGKILL, args...)
	if err != nil {
		return err
	}
	defer closeFiles()
	// The parent-death signal follows this thread, so it must not end before.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("making the database in %s (%v): %s", e.dir, err, lastProblem(out.String()))
	}
	return os.Rename(fresh, e.data)
}

// command prepares one of the programs to work on the data folder. The caller
// calls the returned function after the program has started.
func (e *Embedded) command(ctx context.Context, name, data string, onParentDeath syscall.Signal, args ...string) (*exec.Cmd, func(), error) {
	folder, err := os.Open(data)
	if err != nil {
		return nil, nil, err
	}
	path, files := dataPath(folder)
	cmd := exec.CommandContext(ctx, filepath.Join(e.program.bin, name), append([]string{"-D", path}, args...)...)
	cmd.ExtraFiles = files
	cmd.Dir = "/"
	// Our own environment holds secrets that are not for this program.
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = childAttributes(onParentDeath, e.account)
	return cmd, func() { _ = folder.Close() }, nil
}

// serverLog is the server's log file and where this run's part of it begins.
type serverLog struct {
	*os.File
	from int64
}

func openLog(path string) (*serverLog, error) {
	const limit = 16 << 20
	if info, err := os.Stat(path); err == nil && info.Size() > limit {
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	from, err := file.Seek(0, 2)
	return &serverLog{file, from}, err
}

// reason is the line that says why the run ended, as far as the log tells.
func (l *serverLog) reason() string {
	text := make([]byte, 64<<10)
	n, _ := l.ReadAt(text, l.from)
	return lastProblem(string(text[:n]))
}

// reasonOfDisk says why a server may have ended without a line in its log: it
// could not write one.
func reasonOfDisk(dir string) string {
	probe, err := os.CreateTemp(dir, "probe-")
	if err == nil {
		_ = os.Remove(probe.Name())
		_, err = probe.Write(make([]byte, 64<<10))
		_ = probe.Close()
	}
	if err != nil {
		return err.Error()
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("its log says nothing; %d MB are free on its disk", disk.Bavail*uint64(disk.Bsize)>>20)
}

func lastProblem(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if strings.Contains(line, "FATAL:") || strings.Contains(line, "error:") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(lines[len(lines)-1])
}
