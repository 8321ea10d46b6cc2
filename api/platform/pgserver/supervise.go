package pgserver

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

// stopGrace is the time a server gets to shut down before it is killed.
const stopGrace = 10 * time.Second

// supervise runs the server until Stop and restarts it when it exits. It locks its OS
// thread, because the kernel sends the parent-death signal when the thread that started
// the child ends, and Go may end idle threads.
func (s *Server) supervise() {
	runtime.LockOSThread()
	defer close(s.ended)
	for pause := time.Duration(0); ; { // before the next start; grows while starts fail
		began := time.Now()
		err := s.runOnce()
		select {
		case <-s.stopping:
			return
		default:
		}
		select {
		case <-s.healthy:
		default:
			s.failed <- err
			return
		}
		slog.Warn("PostgreSQL exited unexpectedly; restarting it", "error", err)
		if time.Since(began) > 10*time.Second {
			pause = 0
		}
		select {
		case <-time.After(pause):
		case <-s.stopping:
			return
		}
		pause = min(2*pause+100*time.Millisecond, 5*time.Second)
	}
}

// runOnce starts the server and returns when it has ended. The error is nil after
// Stop.
func (s *Server) runOnce() error {
	// Child processes of a killed server may still use its shared memory.
	if err := stopLeftovers(context.Background(), s.data, 0); err != nil {
		return err
	}
	for _, stale := range []string{
		filepath.Join(s.data, "postmaster.pid"),
		filepath.Join(s.socketDir, ".s.PGSQL."+socketPort),
		filepath.Join(s.socketDir, ".s.PGSQL."+socketPort+".lock"),
	} {
		if err := os.Remove(stale); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	log, err := openLog(filepath.Join(s.dir, "postgres.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	stopSignal := syscall.SIGINT
	if s.throwaway {
		stopSignal = syscall.SIGQUIT // no checkpoint: the data is deleted
	}
	cmd, closeFiles, err := s.command(context.Background(), "postgres", s.data, stopSignal, s.settings()...)
	if err != nil {
		return err
	}
	defer closeFiles()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting PostgreSQL: %w", err)
	}
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	select {
	case err := <-exited:
		reason, found := log.exitReason()
		if !found {
			reason = strings.TrimPrefix(reason+"; "+diskProblem(s.dir), "; ")
		}
		return fmt.Errorf("PostgreSQL in %s exited (%w): %s", s.dir, err, reason)
	case <-s.stopping:
		s.endProcess(cmd.Process, stopSignal, exited)
		return nil
	}
}

// endProcess sends the first signal to the server, and SIGQUIT and SIGKILL if it
// does not exit in time.
func (s *Server) endProcess(server *os.Process, first syscall.Signal, exited <-chan error) {
	for _, signal := range []syscall.Signal{first, syscall.SIGQUIT, syscall.SIGKILL} {
		_ = server.Signal(signal)
		wait := stopGrace
		if signal != first {
			wait = 3 * time.Second
		}
		select {
		case <-exited:
			_ = stopLeftovers(context.Background(), s.data, 0)
			return
		case <-time.After(wait):
		}
	}
}

// settings returns the server's settings as command line arguments. They are not
// written to postgresql.conf, so that a newer version of this program can change
// them for existing data.
func (s *Server) settings() []string {
	values := []string{
		"listen_addresses=", "unix_socket_directories=" + s.socketDir, "port=" + socketPort,
		"shared_buffers=128MB", "log_timezone=UTC", "timezone=UTC", "logging_collector=off",
		"max_logical_replication_workers=0",
	}
	if s.throwaway {
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

// initialise creates the data folder on the first run. initdb writes to a temporary
// folder that is renamed at the end, so that an interrupted run leaves no incomplete data.
func (s *Server) initialise(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(s.data, "PG_VERSION")); err == nil {
		return nil
	}
	if stale, err := filepath.Glob(filepath.Join(s.dir, "init-*")); err == nil {
		for _, path := range stale {
			_ = os.RemoveAll(path)
		}
	}
	temp, err := os.MkdirTemp(s.dir, "init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := s.account.chown(temp); err != nil {
		return err
	}
	args := []string{"--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"}
	if s.program.major >= 17 {
		args = append(args, "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
	}
	if s.throwaway {
		args = append(args, "--no-sync")
	}
	cmd, closeFiles, err := s.command(ctx, "initdb", temp, syscall.SIGKILL, args...)
	if err != nil {
		return err
	}
	defer closeFiles()
	// The parent-death signal is sent when this thread ends; see supervise.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		reason, _ := exitReason(out.String())
		return fmt.Errorf("creating the database in %s (%w): %s", s.dir, err, reason)
	}
	return os.Rename(temp, s.data)
}

// command returns the command that runs the named program on the data folder. The
// caller must call the returned function after the program has started.
func (s *Server) command(ctx context.Context, name, data string, onParentDeath syscall.Signal, args ...string) (*exec.Cmd, func(), error) {
	folder, err := os.Open(data)
	if err != nil {
		return nil, nil, err
	}
	path, files := dataPath(folder)
	cmd := exec.CommandContext(ctx, filepath.Join(s.program.bin, name), append([]string{"-D", path}, args...)...)
	cmd.ExtraFiles = files
	cmd.Dir = "/"
	// The environment of this process contains secrets, which are not passed on.
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = childAttributes(onParentDeath, s.account)
	return cmd, func() { _ = folder.Close() }, nil
}

// serverLog is the log file of the server.
type serverLog struct {
	*os.File
	from int64 // offset at which the current run begins
}

// openLog opens the log file for appending, after it has renamed one that is
// larger than 16 MB.
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

// exitReason returns the result of exitReason for the log of the current run, of which it reads the first 64 kB.
func (l *serverLog) exitReason() (reason string, found bool) {
	text := make([]byte, 64<<10)
	n, _ := l.ReadAt(text, l.from)
	return exitReason(string(text[:n]))
}

// diskProblem describes the state of the disk, for a server whose log does not contain
// the reason for its exit, which happens if it cannot write its log.
func diskProblem(dir string) string {
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
	return fmt.Sprintf("its log contains no error; %d MB are free on its disk", disk.Bavail*uint64(disk.Bsize)>>20)
}

// exitReason returns the first line with a fatal error, and true. Without one it returns
// the last line, which is "" for an empty log, and false. It skips the lines about clients
// that connected too early: the server logs them as fatal, and continues.
func exitReason(text string) (reason string, found bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "FATAL:") && strings.Contains(line, "the database system is ") {
			continue
		}
		if strings.Contains(line, "FATAL:") || strings.Contains(line, "PANIC:") || strings.Contains(line, "error:") {
			return line, true
		}
		if line != "" {
			reason = line
		}
	}
	return reason, false
}
