// Package jobs runs what happens after a call: River's client, its queues, the
// periodic jobs, and one thin worker for each kind. What a job does is the
// feature's; a worker only fits it to the queue.
package jobs

import (
	"cmp"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/moderation"
	"heartward/api/notifications"
	"heartward/api/platform/mail"
	"heartward/api/platform/nilcheck"
)

// Deps are what the workers work with. All are needed but Remote and Logger.
type Deps struct {
	Notifications *notifications.Service
	Members       *members.Service
	Media         *media.Service
	Mail          mail.Sender
	Remote        *moderation.Remote // nil: no moderation endpoint is configured
	Logger        *slog.Logger       // nil: slog.Default()
}

// Client is River's client for our driver.
type Client = river.Client[pgx.Tx]

// NewInserter returns a client that enqueues jobs on pool and runs none. It
// needs no Start.
func NewInserter(pool *pgxpool.Pool) (*Client, error) {
	if err := nilcheck.Check("jobs.NewInserter", nilcheck.Deps{"pool": pool}); err != nil {
		return nil, err
	}
	return river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: riverLogger(nil)})
}

// New returns a client that runs jobs of every kind between Start and Stop,
// which waits up to 10 s for running ones. It returns an error when a
// dependency is nil.
func New(pool *pgxpool.Pool, deps Deps) (*Client, error) {
	if err := nilcheck.Check("jobs.New", nilcheck.Deps{
		"pool": pool, "Notifications": deps.Notifications, "Members": deps.Members, "Media": deps.Media, "Mail": deps.Mail,
	}); err != nil {
		return nil, err
	}
	config := &river.Config{
		Logger: riverLogger(deps.Logger), Workers: register(pool, deps).workers, PeriodicJobs: periodic(),
		JobTimeout: time.Minute, RescueStuckJobsAfter: 5 * time.Minute, SoftStopTimeout: 10 * time.Second,
	}
	Tune(config)
	var err error
	if config.Queues, err = queues(int(pool.Config().MaxConns), deps.Media.Normalises()); err != nil {
		return nil, err
	}
	return river.NewClient(riverpgxv5.New(pool), config)
}

func riverLogger(logger *slog.Logger) *slog.Logger {
	return slog.New(quiet{cmp.Or(logger, slog.Default()).Handler()})
}

// Tune sets how eagerly jobs are fetched. River asks ten times a second at most
// and gets as many jobs as it has workers, which for jobs of a millisecond is
// what limits it. Ours are short, and some members wait for them: we ask
// again as soon as workers are free. A lone job comes by notification; one whose
// notification was sent before its commit, or was lost, is found by the poll.
func Tune(config *river.Config) {
	config.FetchCooldown = 2 * time.Millisecond
	config.FetchPollInterval = 500 * time.Millisecond
}

// Connections of the pool that no worker uses: one listens for new jobs, and one
// is for what River itself reads and writes.
const reservedConns = 2

// queues divides the connections of the workers' pool among the queues, so that
// there are fewer workers than connections and no worker waits for another's.
// Recordings keep a core busy each, so they have at most one worker a core.
func queues(conns int, recordings bool) (map[string]river.QueueConfig, error) {
	workers := conns - reservedConns
	if workers < 4 {
		return nil, fmt.Errorf("jobs: a pool of %d connections is too small for workers; %d are needed", conns, reservedConns+4)
	}
	eighth := max(1, workers/8)
	sizes := map[string]int{messaging.ReviewQueue: eighth}
	if recordings {
		sizes[media.Queue] = min(eighth, runtime.GOMAXPROCS(0))
	}
	rest := workers - sizes[messaging.ReviewQueue] - sizes[media.Queue]
	sizes[notifications.PushQueue] = rest / 2
	sizes[river.QueueDefault] = rest - rest/2
	all := map[string]river.QueueConfig{}
	for name, size := range sizes {
		all[name] = river.QueueConfig{MaxWorkers: size}
	}
	return all, nil
}

// registry is the workers of a client and the kinds of their jobs.
type registry struct {
	workers *river.Workers
	kinds   []string
}

// register returns a registry with one worker for each kind of job.
func register(pool *pgxpool.Pool, deps Deps) *registry {
	r := &registry{workers: river.NewWorkers()}
	addDecisions(r, pool, deps.Notifications)
	addPush(r, deps.Notifications.Deliver)
	addPush(r, deps.Notifications.DeliverMatch)
	addPush(r, deps.Notifications.DeliverNews)
	addWorker(r, &wakeWorker{s: deps.Notifications})
	addWorker(r, &normaliseWorker{s: deps.Media})
	addWorker(r, &reviewWorker{remote: deps.Remote})
	addWorker(r, &warnWorker{pool: pool, mail: deps.Mail})
	addWorker(r, &cleanupWorker{pool: pool, members: deps.Members, media: deps.Media})
	return r
}

func addWorker[T river.JobArgs](r *registry, worker river.Worker[T]) {
	var args T
	r.kinds = append(r.kinds, args.Kind())
	river.AddWorker(r.workers, worker)
}

// Kinds returns the kinds of jobs that a client of New runs.
func Kinds() []string { return register(nil, Deps{}).kinds }

func periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(10*time.Minute),
			func() (river.JobArgs, *river.InsertOpts) { return CleanupArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "cleanup"}),
	}
}
