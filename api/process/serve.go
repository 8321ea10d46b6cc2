package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync"
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

// ExitInTime exits the process if the shutdown takes longer than exitTimeout after
// ctx ends. The embedded PostgreSQL then stops by itself, as after a kill.
func ExitInTime(ctx context.Context) {
	context.AfterFunc(ctx, func() {
		time.AfterFunc(exitTimeout, func() {
			slog.Error("shutdown timed out; exiting")
			os.Exit(1)
		})
	})
}

// Serving says how a process serves.
type Serving struct {
	Listener net.Listener
	Works    bool   // the process runs the workers too
	Version  string // of the program
}

// Serve serves until ctx ends, and then stops what it started.
func Serve(ctx context.Context, core *Core, how Serving) error {
	// Background tasks outlive ctx, because requests that are still running at the shutdown use them.
	background, end := context.WithCancel(context.Background())
	defer end()
	deps, err := newDeps(background, core, how.Version)
	if err != nil {
		return err
	}
	server, err := api.New(deps)
	if err != nil {
		return err
	}
	var workers *jobs.Workers // nil if other processes run the jobs
	if how.Works {
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
	go func() { served <- server.Fiber.Listener(how.Listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
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
func newDeps(ctx context.Context, core *Core, version string) (deps api.Deps, err error) {
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
		func() float64 { return float64(deps.Messaging.Messages.QueueStats().Depth) })
	m.Gauge("heartward_send_queue_accepted", "Messages and receipts that were enqueued.",
		func() float64 { return float64(deps.Messaging.Messages.QueueStats().Accepted) })
	m.Gauge("heartward_send_queue_batches", "Stored batches of messages and receipts.",
		func() float64 { return float64(deps.Messaging.Messages.QueueStats().Batches) })
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
