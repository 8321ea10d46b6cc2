// Package process opens what a process of the program needs, and runs it until its context ends: a server, workers or both.
package process

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/media"
	"heartward/api/platform/bus"
	"heartward/api/platform/config"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/obs"
	"heartward/api/platform/pg"
	"heartward/api/platform/tempdir"
	"heartward/api/platform/web"
	"heartward/push"
)

// Core has the resources that servers and workers use. Open opens all of them or
// returns an error.
type Core struct {
	Config  config.Config
	Pool    *pgxpool.Pool
	Bus     *bus.Bus
	Files   *files.Store
	Mail    mail.Sender
	Mailbox *mail.Folder  // nil if a mail server is configured
	FFmpeg  *media.FFmpeg // nil without ffmpeg

	DemoPasswords bool // demo members may sign in by password

	database *Database
	closers  []func()
}

// Role says what a process does with its Core.
type Role struct{ Serves, Works bool }

// LoadConfig reads the environment and configures what the whole process shares: the log and
// the secret of the cursors. It is called once.
func LoadConfig() (config.Config, error) {
	c, err := config.Load()
	if err != nil {
		return c, err
	}
	slog.SetDefault(obs.NewLogger(os.Stderr, c.LogLevel, web.RequestID))
	if err := c.LoadKeys(push.NewKeys); err != nil {
		return c, err
	}
	web.SetCursorSecret(c.Secret)
	return c, nil
}

// Open opens the parts in order; Close closes them in reverse order. Only a
// process that does not serve may use the embedded PostgreSQL of another process.
func Open(ctx context.Context, c config.Config, r Role) (*Core, error) {
	core := &Core{Config: c}
	for _, open := range []func(context.Context) error{
		func(ctx context.Context) error { return core.openPool(ctx, r) },
		core.openTemp, core.openBus, core.openFiles, core.openMail, core.findFFmpeg,
	} {
		if err := open(ctx); err != nil {
			core.Close()
			return nil, err
		}
	}
	return core, nil
}

func (c *Core) openPool(ctx context.Context, r Role) (err error) {
	if c.database, err = OpenDatabase(ctx, c.Config, !r.Serves); err != nil {
		return err
	}
	c.onClose(c.database.Close)
	if err := c.database.PrepareSchema(ctx); err != nil {
		return err
	}
	conns, jobs := c.Config.Conns(r.Serves, r.Works)
	if !r.Serves {
		conns = jobs
	}
	if c.Pool, err = c.database.OpenPool(ctx, conns); err != nil {
		return err
	}
	c.onClose(c.Pool.Close)
	warnOfAuditRole(ctx, c.Pool)
	return nil
}

// forJobs returns a copy of the Core with a pool of its own for the workers in a
// process that serves as well, so that a backlog of jobs takes no connection from
// requests. Closing c closes it.
func (c *Core) forJobs(ctx context.Context) (*Core, error) {
	_, conns := c.Config.Conns(true, true)
	pool, err := c.database.OpenPool(ctx, conns)
	if err != nil {
		return nil, err
	}
	c.onClose(pool.Close)
	jobsCore := *c
	jobsCore.Pool, jobsCore.closers = pool, nil
	return &jobsCore, nil
}

// openTemp is called after openPool, because the embedded PostgreSQL has its socket
// in the original TMPDIR.
func (c *Core) openTemp(context.Context) error {
	temp, err := tempdir.Open()
	if err != nil {
		return err
	}
	c.onClose(func() { _ = temp.Close() })
	return nil
}

func (c *Core) openBus(context.Context) (err error) {
	if c.Bus, err = bus.Open(bus.Options{URL: c.Config.NATSURL, DB: c.Pool}); err != nil {
		return fmt.Errorf("NATS_URL: %w", err)
	}
	c.onClose(c.Bus.Close)
	return nil
}

func (c *Core) openFiles(ctx context.Context) (err error) {
	if c.Files, err = OpenFiles(ctx, c.Config); err != nil {
		return err
	}
	c.onClose(func() { _ = c.Files.Close() })
	return nil
}

// OpenFiles opens the configured file store.
func OpenFiles(ctx context.Context, c config.Config) (*files.Store, error) {
	store, err := files.Open(ctx, c.BlobURL, c.Path("files"))
	if err != nil {
		return nil, fmt.Errorf("BLOB_URL: %w", err)
	}
	return store, nil
}

func (c *Core) openMail(context.Context) (err error) {
	if c.Config.SMTPURL != nil {
		c.Mail, err = mail.NewSMTP(c.Config.SMTPURL, c.Config.MailFrom)
		return err
	}
	c.Mailbox, err = mail.NewFolder(c.Config.Path("mail"))
	c.Mail = c.Mailbox
	return err
}

func (c *Core) findFFmpeg(ctx context.Context) (err error) {
	if c.FFmpeg, err = media.FindFFmpeg(ctx, c.Config.FFmpeg); err != nil {
		return fmt.Errorf("FFMPEG: %w", err)
	}
	if c.FFmpeg == nil {
		slog.Warn("ffmpeg not found: recordings are not converted, some browsers cannot play some of them, and videos that members choose from their devices are refused")
		return nil
	}
	if err := c.FFmpeg.CheckVersion(); err != nil {
		slog.Warn("ffmpeg is too old: conversions are not tested with this version", "error", err)
	}
	return nil
}

// warnOfAuditRole logs a warning if the database role of the pool may change the audit log.
func warnOfAuditRole(ctx context.Context, pool *pgxpool.Pool) {
	if can, err := pg.CanChangeAuditLog(ctx, pool); err == nil && can {
		slog.WarnContext(ctx, "the database role can change the audit log; use "+pg.ServingRole+" for serving, see docs/operating.md")
	}
}

func (c *Core) onClose(fn func()) { c.closers = append(c.closers, fn) }

// Close closes the parts in reverse order.
func (c *Core) Close() {
	for i := len(c.closers) - 1; i >= 0; i-- {
		c.closers[i]()
	}
	c.closers = nil
}
