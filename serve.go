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
	"sync"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v3"

	"heartward/api"
	"heartward/api/live"
	"heartward/api/platform/obs"
	"heartward/api/platform/pg"
	"heartward/api/seed"
	"heartward/api/wiring"
	"heartward/jobs"
	"heartward/pwa"
)

// stopTimeout is the time for sockets, requests and jobs to end. exitTimeout also
// includes closing the pool and stopping the embedded PostgreSQL.
const (
	stopTimeout = 14 * time.Second
	exitTimeout = 19 * time.Second
)

// identityInterval is how often the identity of the database is read. A new identity
// means that it was restored; all devices then sync.
const identityInterval = 5 * time.Second

// exitInTime exits the process if the shutdown takes longer than exitTimeout after
// ctx ends. The embedded PostgreSQL then stops by itself, as after a kill.
func exitInTime(ctx context.Context) {
	context.AfterFunc(ctx, func() {
		time.AfterFunc(exitTimeout, func() {
			slog.Error("shutdown timed out; exiting")
			os.Exit(1)
		})
	})
}

type serveCmd struct {
	NoWork bool `help:"Run no workers in this process."`
	Demo   bool `help:"Fill an empty database with demo members first, or move their last activity forward."`
	demoFlags
}

// Run serves until a signal arrives.
func (cmd serveCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	exitInTime(ctx)
	c, err := loadConfig()
	if err != nil {
		return err
	}
	if err := c.CheckMail(); err != nil {
		return err
	}
	if cmd.Demo {
		if err := cmd.check(c); err != nil {
			return err
		}
	}
	// Listen first, so that the command fails at once if the port is in use.
	listener, err := net.Listen("tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port))) //nolint:noctx // does not block
	if err != nil {
		return fmt.Errorf("PORT: %d is taken by another program", c.Port)
	}
	defer listener.Close()
	core, err := openCore(ctx, c, role{serves: true, works: !cmd.NoWork})
	if err != nil {
		return err
	}
	defer core.Close()
	core.DemoPasswords = !c.IsPublic() || cmd.DemoInPublic
	if err := prepareDemo(ctx, core); err != nil {
		return err
	}
	if cmd.Demo {
		if _, err := seedDemo(ctx, c, core.Pool, core.Files, 0); err != nil {
			return err
		}
		if err := seed.RefreshActivity(ctx, core.Pool); err != nil {
			return err
		}
	}
	return serve(ctx, core, listener, !cmd.NoWork)
}

// serve serves on listener until ctx ends, and then stops what it started.
func serve(ctx context.Context, core *Core, listener net.Listener, work bool) error {
	background, end := context.WithCancel(context.Background())
	defer end()
	deps, err := newDeps(background, core)
	if err != nil {
		return err
	}
	server, err := api.New(deps)
	if err != nil {
		return err
	}
	var workers *jobs.Workers // nil if other processes run the jobs
	if work {
		if workers, err = startWorkers(ctx, core, deps.Metrics); err != nil {
			return err
		}
	}
	metrics, err := deps.Metrics.Serve(background, core.Config.MetricsAddr, deps.Ready)
	if err != nil {
		return errors.Join(fmt.Errorf("METRICS_ADDR: %w", err), stopWorkers(ctx, workers))
	}
	published := deps.App.Publish(ctx)
	var tasks sync.WaitGroup
	tasks.Go(func() { deps.App.KeepPublished(background, published) })
	tasks.Go(func() { deps.Discovery.Follow(background) })
	tasks.Go(func() { pg.WatchIdentity(background, core.Pool, identityInterval, deps.Hub.RequestResync) })
	deps.Messaging.Start()
	served := make(chan error, 1)
	go func() { served <- server.Fiber.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	core.printAddresses(ctx, metrics, deps.Mailbox)
	select {
	case err = <-served:
	case <-ctx.Done():
		slog.Info("stopping")
	}
	err = errors.Join(err, shutdown(server, deps, workers))
	end()
	tasks.Wait()
	return err
}

// newDeps returns the dependencies of the HTTP server. Its background work ends with ctx.
func newDeps(ctx context.Context, core *Core) (deps api.Deps, err error) {
	inserter, err := jobs.NewInserter(core.Pool)
	if err != nil {
		return deps, err
	}
	parts := core.wiring(inserter)
	services := wiring.New(parts)
	deps = api.Deps{
		Services: services, Ready: newReadiness(core, services.Discovery.Ready), Version: version,
		PublicURL: core.Config.PublicURL, Proxies: wiring.Proxies(core.Config), Hub: live.New(wiring.Hub(parts, services)),
		Metrics: obs.NewMetrics(core.Pool),
	}
	if core.Mailbox != nil && core.Config.LocalURL() != "" {
		deps.Mailbox = api.NewMailbox(core.Mailbox)
	}
	ui, err := jobs.NewUI(ctx, core.Pool, inserter, jobs.UIPrefix)
	if err != nil {
		return deps, err
	}
	deps.Metrics.Mount(jobs.UIPrefix, ui)
	services.Admin.JobPagesAt(func() string {
		if address := deps.Metrics.Address(); address != "" {
			return "http://" + address + jobs.UIPrefix + jobs.OpenPath
		}
		return ""
	})
	safety, rules := api.SafetyTexts(pwa.Safety()), api.RulesTexts(pwa.Rules())
	deps.SafetyTexts, deps.RulesTexts, deps.ServerPaths = &safety, &rules, pwa.ServerPaths()
	c := core.Config
	deps.Operator = &api.Operator{Contact: c.Contact(), Imprint: c.Imprint, Moderation: c.ModerationURL != "", ModerationPictures: c.ModerationPictures == "on"}
	deps.App, err = api.NewStatic(pwa.Dist(), pwa.Routes(), core.Files)
	addGauges(core, deps)
	return deps, err
}

func addGauges(core *Core, deps api.Deps) {
	m := deps.Metrics
	m.Gauge("heartward_sockets", "Open sockets.", func() float64 { return float64(deps.Hub.Sockets()) })
	m.Gauge("heartward_bus_degraded", "1 while this node has no connection to NATS.", func() float64 {
		if core.Bus.Degraded() {
			return 1
		}
		return 0
	})
	m.Gauge("heartward_bus_lost_events", "Lost events of other nodes.", func() float64 { return float64(core.Bus.Missed()) })
	m.Gauge("heartward_send_queue_depth", "Messages and receipts that wait to be stored or are being stored.",
		func() float64 { return float64(deps.Messaging.QueueStats().Depth) })
	m.Gauge("heartward_send_queue_accepted", "Messages and receipts that were enqueued.",
		func() float64 { return float64(deps.Messaging.QueueStats().Accepted) })
	m.Gauge("heartward_send_queue_batches", "Stored batches of messages and receipts.",
		func() float64 { return float64(deps.Messaging.QueueStats().Batches) })
	m.Gauge("heartward_uploads_receiving", "Upload parts that are being received.", func() float64 { return float64(deps.Media.Receiving()) })
	m.Gauge("heartward_search_members", "Members in the search index.", func() float64 { return float64(deps.Discovery.IndexStats().Members) })
	m.Gauge("heartward_search_bytes", "Memory of the search index.", func() float64 { return float64(deps.Discovery.IndexStats().Bytes) })
	m.Gauge("heartward_search_age_seconds", "Seconds since the search index last read changes.", func() float64 { return deps.Discovery.IndexAge().Seconds() })
}

// startWorkers starts workers with a pool of their own and adds its metrics.
func startWorkers(ctx context.Context, core *Core, metrics *obs.Metrics) (*jobs.Workers, error) {
	jobsCore, err := core.forJobs(ctx)
	if err != nil {
		return nil, err
	}
	workers, err := newWorkers(jobsCore, metrics)
	if err != nil {
		return nil, err
	}
	metrics.Gauge("heartward_jobs_pool_connections_used", "Connections to PostgreSQL that jobs use.",
		func() float64 { return float64(jobsCore.Pool.Stat().AcquiredConns()) })
	return workers, workers.Start(context.Background())
}

// stopWorkers waits until running jobs or ctx end.
func stopWorkers(ctx context.Context, workers *jobs.Workers) error {
	if workers == nil {
		return nil
	}
	return workers.Stop(ctx)
}

// shutdown stops in this order: requests and sockets, which enqueue messages and
// jobs; running jobs; messages being stored. The search index, the bus and the pools,
// which these use, are closed later.
func shutdown(server *api.Server, deps api.Deps, workers *jobs.Workers) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	hubDone := make(chan error, 1)
	go func() { hubDone <- deps.Hub.Shutdown(ctx) }()
	err := server.Fiber.ShutdownWithContext(ctx)
	return errors.Join(err, <-hubDone, stopWorkers(ctx, workers), deps.Messaging.Stop(ctx))
}

// printAddresses prints the URL of the server, the paths of its data and, unless mailbox is
// nil, its URL.
func (c *Core) printAddresses(ctx context.Context, metrics string, mailbox *api.Mailbox) {
	fmt.Printf("Heartward runs on %s\n", c.Config.PublicURL)
	if demo, err := seed.HasMembers(ctx, c.Pool); err == nil && demo && !c.Config.IsPublic() {
		fmt.Printf("Sign in as %s or %s, password %s\n", seed.DemoEmail, seed.AdminEmail, seed.Password)
	}
	if mailbox != nil {
		fmt.Printf("Mails are shown at %s\n", c.Config.LocalURL()+mailbox.Path())
	}
	fmt.Printf("Data is in %s; metrics at %s; Ctrl-C ends everything\n", c.Config.DataDir, metrics)
}
