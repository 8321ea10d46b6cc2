package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api"
	"heartward/api/activity"
	"heartward/api/auth"
	"heartward/api/dates"
	"heartward/api/discovery"
	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/messaging/guard"
	"heartward/api/moderation"
	"heartward/api/notifications"
	"heartward/api/platform/bus"
	"heartward/api/platform/config"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/obs"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/referrals"
	"heartward/api/verification"
	"heartward/jobs"
	"heartward/push"
)

// system is what every subcommand that touches data needs, opened in order and
// closed in the opposite one.
type system struct {
	config  config.Config
	pool    *pgxpool.Pool
	bus     *bus.Bus
	files   *files.Store
	mail    mail.Sender
	mailbox *mail.Folder  // nil with a mail server
	ffmpeg  *media.FFmpeg // nil without
	closers []func()
}

// loadConfig reads the environment and sets up the log.
func loadConfig() (config.Config, error) {
	c, err := config.Load()
	if err != nil {
		return c, err
	}
	slog.SetDefault(obs.NewLogger(os.Stderr, c.LogLevel, web.RequestID))
	return c, c.Keys(push.NewKeys)
}

// openDatabase connects to PostgreSQL, our own where none is configured, and
// migrates. With share set it may use the PostgreSQL of a server that runs on
// the same data folder; without, such a server ends the start.
func openDatabase(ctx context.Context, c config.Config, share bool) (s *system, err error) {
	s = &system{config: c}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	address := c.DatabaseURL
	if address == "" {
		if address, err = s.embedded(ctx, share); err != nil {
			return s, err
		}
	}
	if s.pool, err = pg.Open(ctx, address, c.DatabaseConns); err != nil {
		return s, fmt.Errorf("DATABASE_URL: PostgreSQL does not answer: %w", err)
	}
	s.onClose(s.pool.Close)
	return s, pg.Migrate(ctx, s.pool)
}

func (s *system) embedded(ctx context.Context, share bool) (string, error) {
	dir := s.config.Path("postgres")
	if address, ok := pg.RunningEmbedded(dir); ok && share {
		return address, nil
	}
	server, err := pg.StartEmbedded(ctx, pg.EmbeddedOptions{Dir: dir, BinDir: s.config.PostgresBin})
	if err != nil {
		return "", err
	}
	s.onClose(server.Stop)
	return server.URL(), nil
}

// openRest opens bus, files and mail.
func (s *system) openRest(ctx context.Context) (err error) {
	if s.bus, err = bus.Open(s.config.NATSURL); err != nil {
		return fmt.Errorf("NATS_URL: %w", err)
	}
	s.onClose(s.bus.Close)
	if err = s.openFiles(ctx); err != nil {
		return err
	}
	if s.config.SMTPURL != nil {
		s.mail, err = mail.NewSMTP(s.config.SMTPURL, s.config.MailFrom)
		return err
	}
	s.mailbox, err = mail.NewFolder(s.config.Path("mail"))
	s.mail = s.mailbox
	return err
}

// openFiles opens what keeps files and what works on them.
func (s *system) openFiles(ctx context.Context) (err error) {
	if s.ffmpeg, err = media.FindFFmpeg(ctx, s.config.FFmpeg); err != nil {
		return fmt.Errorf("FFMPEG: %w", err)
	}
	if s.ffmpeg == nil {
		slog.Info("without ffmpeg: recordings stay as they are, and some browsers will not play some of them")
	}
	if s.files, err = files.Open(ctx, s.config.BlobURL, s.config.Path("files")); err != nil {
		return fmt.Errorf("BLOB_URL: %w", err)
	}
	s.onClose(func() { _ = s.files.Close() })
	return nil
}

func (s *system) onClose(fn func()) { s.closers = append(s.closers, fn) }

func (s *system) close() {
	for i := len(s.closers) - 1; i >= 0; i-- {
		s.closers[i]()
	}
	s.closers = nil
}

// ready is nil when a call would find everything it needs.
func (s *system) ready(ctx context.Context) error {
	if err := s.pool.Ping(ctx); err != nil {
		return err
	}
	if !s.bus.Ready() {
		return errors.New("the bus is cut")
	}
	return nil
}

func (s *system) notifications() *notifications.Service {
	sender := push.NewSender(push.Options{
		PublicKey: s.config.VAPIDPublic, PrivateKey: s.config.VAPIDPrivate,
		Subject: s.config.VAPIDSubject, Hosts: s.config.Hosts(),
	})
	return notifications.New(s.pool, sender, notifications.Config{
		PublicKey: s.config.VAPIDPublic, Site: s.config.PublicURL.String(), Hosts: s.config.Hosts(),
	})
}

// services builds every feature. With a zero system they describe themselves
// (for the OpenAPI document) but cannot be called.
func (s *system) services(inserter messaging.Inserter, notify *notifications.Service) api.Deps {
	m := members.New(s.pool, s.files)
	m.Watch(referrals.Complete)
	m.WatchHiding(func(ctx context.Context, id uuid.UUID) { live.TellHiding(ctx, s.pool, s.bus, id) })
	match := matching.New(s.pool, s.bus, inserter)
	talk := messaging.New(s.pool, s.bus, inserter, guard.Find)
	if s.config.Moderation != "" {
		talk.ReviewEach()
	}
	return api.Deps{
		Auth: auth.New(s.pool, s.mail, s.bus, m, auth.Config{
			Secret: s.config.Secret, Secure: s.config.Secure(), RateLimitScale: s.config.RateLimitScale,
		}),
		Members: m, Discovery: discovery.New(s.pool), Matching: match,
		Media:     media.New(s.pool, s.files, m, inserter, s.ffmpeg),
		Messaging: talk, Dates: s.dates(inserter, talk), Notifications: notify,
		Moderation: moderation.New(s.pool, s.bus, match, m, inserter), Verification: verification.New(s.pool, m),
		Activity: activity.New(s.pool), Referrals: referrals.New(s.pool),
		PublicURL: s.config.PublicURL, TrustedProxies: s.config.TrustedProxies,
		Ready: s.ready, Version: version, Mailbox: s.mailbox,
	}
}

func (s *system) dates(inserter messaging.Inserter, talk *messaging.Service) *dates.Service {
	return dates.New(s.pool, s.bus, inserter, talk, dates.Config{
		Site: s.config.PublicURL.String(), RateLimitScale: s.config.RateLimitScale,
	})
}

// newHub opens the live side for deps.
func (s *system) newHub(deps api.Deps) (*live.Hub, error) {
	return live.New(live.Deps{
		Pool: s.pool, Bus: s.bus, Messaging: deps.Messaging, Authenticate: deps.Auth.Authenticate, Holds: deps.Auth.Holds,
		Cookie: deps.Auth.CookieName(), Client: api.ClientAddress(s.config.TrustedProxies),
		Origin: s.config.PublicURL.String(), Limits: live.DefaultLimits(s.config.RateLimitScale),
	})
}

// newJobs makes River's client, with workers or for enqueueing only.
func (s *system) newJobs(notify *notifications.Service, work bool) (*jobs.Client, error) {
	m := members.New(s.pool, s.files)
	deps := jobs.Deps{Notifications: notify, Members: m, Media: media.New(s.pool, s.files, m, nil, s.ffmpeg), Mail: s.mail}
	if s.config.Moderation != "" {
		talk := messaging.New(s.pool, s.bus, nil, nil)
		deps.Remote = moderation.NewRemote(talk, s.config.Moderation, s.config.ModerationKey, s.config.ModerationName)
	}
	return jobs.New(s.pool, deps, work)
}
