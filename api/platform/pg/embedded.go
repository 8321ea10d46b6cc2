package pg

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// EmbeddedOptions says where an embedded server lives and what runs it.
type EmbeddedOptions struct {
	// Dir holds the data (in Dir/data), the log and the lock. Made when
	// missing. Empty only with Throwaway: then a temporary folder is used.
	Dir string
	// BinDir is the folder of the postgres and initdb to use. Empty searches
	// the npm package below the checkout, then PATH, then Debian's folders.
	BinDir string
	// Throwaway trades durability for speed, for tests: no fsync, and Stop
	// deletes Dir.
	Throwaway bool
}

// Embedded is a PostgreSQL server that belongs to this process: it listens on
// a private Unix socket only, is started again when it dies, and ends with the
// process, also when that is killed. Safe for concurrent use.
type Embedded struct {
	dir       string
	data      string
	run       string   // the socket, and a copy of the programs where needed
	account   *account // nil unless we are root
	lock      *os.File
	program   program
	throwaway bool

	healthy  chan struct{} // closed once the first start has succeeded
	failed   chan error    // why the first start did not
	stopping chan struct{}
	ended    chan struct{} // the supervisor has returned
	once     sync.Once
}

const (
	embeddedDatabase = "heartward"
	embeddedPort     = "5432" // part of the socket's file name; nothing listens on TCP
)

// StartEmbedded starts the server in opts.Dir, after making its data on the
// first run, and returns when it answers. ctx bounds the start only. It is
// refused with one clear line when another process holds the folder, when no
// PostgreSQL is found, or when the data is of another major version. As root
// the server runs as the owner of the data, at first `nobody`.
func StartEmbedded(ctx context.Context, opts EmbeddedOptions) (*Embedded, error) {
	e := &Embedded{
		throwaway: opts.Throwaway,
		healthy:   make(chan struct{}), failed: make(chan error, 1),
		stopping: make(chan struct{}), ended: make(chan struct{}),
	}
	if err := e.openDir(opts.Dir); err != nil {
		return nil, err
	}
	if err := e.prepare(ctx, opts.BinDir); err != nil {
		e.release()
		return nil, err
	}
	go e.supervise()
	if err := e.awaitFirstStart(ctx); err != nil {
		e.Stop()
		return nil, err
	}
	return e, nil
}

// prepare does all that comes before the server itself can be started.
func (e *Embedded) prepare(ctx context.Context, binDir string) error {
	var err error
	if e.account, err = serverAccount(e.data); err != nil {
		return err
	}
	if err := stopLeftovers(ctx, e.data, patience); err != nil {
		return err
	}
	if e.program, err = findProgram(binDir, majorOf(e.data)); err != nil {
		return err
	}
	if err := e.makeRunDir(); err != nil {
		return err
	}
	if e.program, err = e.program.usableBy(e.account, filepath.Join(e.run, "program")); err != nil {
		return err
	}
	return e.initialise(ctx)
}

// URL is the address of the database `heartward`, for this machine only. It
// stays the same while the server is started again.
func (e *Embedded) URL() string { return socketURL(e.run) }

// The host and password before the question mark are for parsers that insist
// on them: the socket's folder is what counts, and only its owner gets in.
func socketURL(dir string) string {
	query := url.Values{"host": {dir}, "sslmode": {"disable"}}
	return "postgres://postgres:postgres@localhost:" + embeddedPort + "/" + embeddedDatabase + "?" + query.Encode()
}

// Stop ends the server cleanly and returns when it is gone and its socket is
// removed, at the latest after about fifteen seconds. Safe to call twice.
func (e *Embedded) Stop() {
	e.once.Do(func() {
		close(e.stopping)
		<-e.ended
		e.release()
	})
}

// release gives back everything that StartEmbedded took but the server.
func (e *Embedded) release() {
	if e.run != "" {
		_ = os.RemoveAll(e.run)
	}
	if e.throwaway {
		_ = os.RemoveAll(e.dir)
	}
	_ = e.lock.Close()
}

func (e *Embedded) awaitFirstStart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := e.ensureDatabase(ctx)
		if err == nil {
			close(e.healthy)
			return nil
		}
		select {
		case failure := <-e.failed:
			return failure
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL in %s did not get ready: %w", e.dir, errors.Join(ctx.Err(), err))
		case <-tick.C:
		}
	}
}

func (e *Embedded) ensureDatabase(ctx context.Context) error {
	config, err := pgx.ParseConfig(e.URL())
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
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", embeddedDatabase).Scan(&found)
	if err != nil || found {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+embeddedDatabase)
	return err
}
