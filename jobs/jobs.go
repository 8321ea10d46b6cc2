// Package jobs runs what happens after a call: River's client, its queues, the
// periodic jobs, and one thin worker for each kind. What a job does is the
// feature's; a worker only fits it to the queue.
package jobs

import (
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
)

// Deps are what the workers work with.
type Deps struct {
	Notifications *notifications.Service
	Members       *members.Service
	Media         *media.Service
	Mail          mail.Sender
	Remote        *moderation.Remote // nil: none is configured
	Logger        *slog.Logger       // nil: slog.Default()
}

// Client is River's client for our driver.
type Client = river.Client[pgx.Tx]

// New makes a client on pool. With work set it runs jobs between Start and
// Stop, which waits up to 10 s for running ones; without, it only enqueues and
// needs no Start and no services.
func New(pool *pgxpool.Pool, deps Deps, work bool) (*Client, error) {
	logger := deps.Logger
	if logger == nil {
		logger = slog.Default()
	}
	config := &river.Config{Logger: slog.New(quiet{logger.Handler()})}
	if work {
		config.Workers = workers(pool, deps)
		config.PeriodicJobs = periodic()
		Tune(config)
		config.Queues[notifications.PushQueue] = river.QueueConfig{MaxWorkers: 20}
		config.Queues[messaging.ReviewQueue] = river.QueueConfig{MaxWorkers: 4}
		if deps.Media != nil && deps.Media.Normalises() { // one a core
			config.Queues[media.Queue] = river.QueueConfig{MaxWorkers: runtime.GOMAXPROCS(0)}
		}
		config.JobTimeout = time.Minute
		config.RescueStuckJobsAfter = 5 * time.Minute
		config.SoftStopTimeout = 10 * time.Second
	}
	return river.NewClient(riverpgxv5.New(pool), config)
}

// Tune sets how eagerly jobs are fetched. River asks ten times a second at most
// and gets as many jobs as it has workers, which for jobs of a millisecond is
// what limits it. Ours are short, and some members wait for them: we ask
// again as soon as workers are free. Jobs use the database, so there are fewer
// workers than connections. A lone job comes by notification; should one be
// lost, it is found a moment later.
func Tune(config *river.Config) {
	config.FetchCooldown = 2 * time.Millisecond
	config.FetchPollInterval = 100 * time.Millisecond
	config.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 20}}
}

func workers(pool *pgxpool.Pool, deps Deps) *river.Workers {
	all := river.NewWorkers()
	addDecisions(all, pool, deps.Notifications)
	addPush(all, deps.Notifications.Deliver)
	addPush(all, deps.Notifications.DeliverMatch)
	addPush(all, deps.Notifications.DeliverNews)
	river.AddWorker(all, &normaliseWorker{s: deps.Media})
	river.AddWorker(all, &reviewWorker{remote: deps.Remote})
	river.AddWorker(all, &warnWorker{pool: pool, mail: deps.Mail})
	river.AddWorker(all, &cleanupWorker{pool: pool, members: deps.Members, media: deps.Media})
	return all
}

func periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(10*time.Minute),
			func() (river.JobArgs, *river.InsertOpts) { return CleanupArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "cleanup"}),
	}
}
