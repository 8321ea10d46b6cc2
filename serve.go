package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v3"

	"heartward/api"
	"heartward/api/live"
	"heartward/api/platform/obs"
	"heartward/api/seed"
	"heartward/jobs"
	"heartward/pwa"
)

// stopTimeout is how long sockets, requests and jobs may take to end, and
// exitTimeout how long all may take, the pool and our own PostgreSQL included.
const (
	stopTimeout = 14 * time.Second
	exitTimeout = 19 * time.Second
)

// exitInTime ends the process when something does not come to its end after
// ctx. Our PostgreSQL then ends cleanly by itself, as it does when we are killed.
func exitInTime(ctx context.Context) {
	context.AfterFunc(ctx, func() {
		time.AfterFunc(exitTimeout, func() {
			slog.Error("not everything ended in time; leaving it")
			os.Exit(1)
		})
	})
}

type serveCmd struct {
	NoWork bool `help:"Leave the workers to other processes."`
	Demo   bool `help:"Fill an empty database with demo members first."`
}

// Run serves until the process is told to stop.
func (cmd serveCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	exitInTime(ctx)
	c, err := loadConfig()
	if err != nil {
		return err
	}
	// Before anything is started: a port that is taken ends the start at once.
	listener, err := net.Listen("tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port)))
	if err != nil {
		return fmt.Errorf("PORT: %d is taken by another program", c.Port)
	}
	defer listener.Close()
	s, err := openDatabase(ctx, c, false)
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.openRest(ctx); err != nil {
		return err
	}
	if cmd.Demo {
		if _, err := seed.Run(ctx, s.pool, s.files, seed.Options{}); err != nil {
			return err
		}
	}
	return s.serve(ctx, listener, !cmd.NoWork)
}

func (s *system) serve(ctx context.Context, listener net.Listener, work bool) error {
	notify := s.notifications()
	client, err := s.newJobs(notify, work)
	if err != nil {
		return err
	}
	background, end := context.WithCancel(context.Background())
	defer end()
	deps := s.services(client, notify)
	if deps.Hub, err = s.newHub(deps); err != nil {
		return err
	}
	if deps.JobsUI, err = jobs.NewUI(background, client, "/riverui"); err != nil {
		return err
	}
	if deps.App, err = api.NewStatic(pwa.Dist(), s.config.Path("assets")); err != nil {
		return err
	}
	deps.Metrics = obs.NewMetrics(s.pool)
	deps.Metrics.Gauge("heartward_sockets", "Open sockets.", func() float64 { return float64(deps.Hub.Sockets()) })
	deps.Metrics.Gauge("heartward_uploads_receiving", "Parts of uploads that are coming in.", func() float64 { return float64(deps.Media.Receiving()) })
	deps.Metrics.Gauge("heartward_search_members", "Members in the search index.", func() float64 { return float64(deps.Discovery.Index().Members) })
	deps.Metrics.Gauge("heartward_search_bytes", "Memory of the search index.", func() float64 { return float64(deps.Discovery.Index().Bytes) })
	deps.Metrics.Gauge("heartward_search_age_seconds", "Seconds since the search index looked for changes.", func() float64 { return deps.Discovery.IndexAge().Seconds() })
	go deps.Discovery.Follow(background)
	metrics, err := deps.Metrics.Serve(background, s.config.MetricsAddr)
	if err != nil {
		return fmt.Errorf("METRICS_ADDR: %w", err)
	}
	if work {
		if err := client.Start(background); err != nil {
			return err
		}
	}
	server := api.New(deps)
	served := make(chan error, 1)
	go func() { served <- server.Fiber.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	s.sayWhere(ctx, metrics)
	select {
	case err = <-served:
	case <-ctx.Done():
		slog.Info("stopping")
	}
	return errors.Join(err, shutdown(server, deps.Hub, client, work))
}

// shutdown ends what serve began: no new connections, sockets sent elsewhere,
// requests and jobs finished.
func shutdown(server *api.Server, hub *live.Hub, client *jobs.Client, work bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	hubDone := make(chan error, 1)
	go func() { hubDone <- hub.Shutdown(ctx) }()
	err := server.Fiber.ShutdownWithContext(ctx)
	err = errors.Join(err, <-hubDone)
	if work {
		err = errors.Join(err, client.Stop(ctx))
	}
	return err
}

// sayWhere is what whoever started us reads.
func (s *system) sayWhere(ctx context.Context, metrics string) {
	fmt.Printf("Heartward runs on %s\n", s.config.PublicURL)
	var demo bool
	if err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM users WHERE is_demo)`).Scan(&demo); err == nil && demo {
		fmt.Printf("Sign in as %s or %s, password %s; mails are at %s/dev/mailbox\n",
			seed.DemoEmail, seed.AdminEmail, seed.Password, s.config.PublicURL)
	}
	fmt.Printf("Data is in %s; metrics at %s; Ctrl-C ends everything\n", s.config.DataDir, metrics)
}
