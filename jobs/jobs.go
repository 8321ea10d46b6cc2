// Package jobs contains River's client, its queues, the periodic jobs and one thin
// worker for each kind of job. A worker adapts a function of its feature to the
// queue.
package jobs

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"heartward/api/auth"
	"heartward/api/badges"
	"heartward/api/delivery"
	"heartward/api/digest"
	"heartward/api/discovery"
	"heartward/api/export"
	"heartward/api/figures"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/moments"
	"heartward/api/notifications"
	"heartward/api/platform/blobs"
	"heartward/api/platform/feature"
	"heartward/api/platform/nilcheck"
	"heartward/api/profilereview"
	"heartward/api/referrals"
)

// Deps are the workers' dependencies. External and Logger are optional.
type Deps struct {
	Notifications  *notifications.Service
	Blobs          *blobs.Service
	Media          *media.Service
	Mail           *delivery.Service
	Auth           *auth.Service
	Digest         *digest.Service
	Moderation     *moderation.Service
	Export         *export.Service
	ProfileReview  *profilereview.Service
	Referrals      *referrals.Service
	Badges         *badges.Service
	Moments        *moments.Service
	Data           []feature.Data       // of all features, for the clean-up and the deletion of accounts
	Site           string               // the public address, for links in mails
	OutsideContact string               // gets mails about reports of staff that no one in the team may decide; empty: no one does
	Contact        string               // the address that mails ask members to write to; empty: mails name none
	External       *moderation.External // nil: no moderation endpoint is configured
	Logger         *slog.Logger         // nil: slog.Default()
	GoneAfter      time.Duration        // 0: 30 s; for tests
}

// Client is River's client for pgx.
type Client = river.Client[pgx.Tx]

// NewInserter returns a client that only enqueues jobs. It needs no Start.
func NewInserter(pool *pgxpool.Pool) (*Client, error) {
	if err := nilcheck.Check("jobs.NewInserter", nilcheck.Deps{"pool": pool}); err != nil {
		return nil, err
	}
	return river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: riverLogger(nil)})
}

// New returns workers that run jobs of every kind between Start and Stop,
// which waits up to 10 s for running ones. It returns an error when a
// dependency is nil.
func New(pool *pgxpool.Pool, deps Deps) (*Workers, error) {
	if err := nilcheck.Check("jobs.New", nilcheck.Deps{
		"pool": pool, "Notifications": deps.Notifications, "Blobs": deps.Blobs, "Media": deps.Media, "Mail": deps.Mail,
		"Auth": deps.Auth, "Export": deps.Export, "Digest": deps.Digest, "Moderation": deps.Moderation,
		"ProfileReview": deps.ProfileReview, "Referrals": deps.Referrals, "Badges": deps.Badges, "Moments": deps.Moments, "Data": deps.Data,
	}); err != nil {
		return nil, err
	}
	registry := register(pool, deps)
	config := &river.Config{
		Logger: riverLogger(deps.Logger), Workers: registry.workers, PeriodicJobs: periodic(),
		Middleware: []rivertype.Middleware{&mailRetries{}},
		JobTimeout: time.Minute, RescueStuckJobsAfter: 5 * time.Minute, SoftStopTimeout: 10 * time.Second,
	}
	Tune(config)
	var err error
	if config.Queues, err = queues(int(pool.Config().MaxConns), deps.Media.CanNormalise()); err != nil {
		return nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(pool), config)
	if err != nil {
		return nil, err
	}
	return &Workers{Client: client, takeover: &takeover{
		pool: pool, client: client.ID(), kinds: registry.urgent, goneAfter: cmp.Or(deps.GoneAfter, defaultGoneAfter),
	}}, nil
}

func riverLogger(logger *slog.Logger) *slog.Logger {
	return slog.New(warnings{cmp.Or(logger, slog.Default()).Handler()})
}

// Tune sets how often jobs are fetched. By default River fetches at most ten times a
// second, each time as many jobs as there are free workers, which limits the throughput of
// jobs that take milliseconds. With this cooldown it fetches as soon as workers are free.
// A new job is announced by NOTIFY; polling finds jobs whose notification was lost or sent
// before their commit.
func Tune(config *river.Config) {
	config.FetchCooldown = 2 * time.Millisecond
	config.FetchPollInterval = 500 * time.Millisecond
}

// reservedConns is the number of connections for River itself: one listens for new jobs,
// one runs River's queries.
const reservedConns = 2

// queues divides the connections of the workers' pool among the queues. There are fewer
// workers than connections, so that no worker waits for a connection. Transcoding a
// recording uses a whole core, so its queue has at most one worker for each core.
func queues(conns int, recordings bool) (map[string]river.QueueConfig, error) {
	workers := conns - reservedConns
	if workers < 4 {
		return nil, fmt.Errorf("jobs: a pool of %d connections is too small for workers; %d are needed", conns, reservedConns+4)
	}
	eighth := max(1, workers/8)
	sizes := map[string]int{media.ReviewQueue: eighth, digest.Queue: eighth}
	if recordings {
		sizes[media.Queue] = min(eighth, runtime.GOMAXPROCS(0))
	}
	// At least one worker each for pushes and for other jobs. In the smallest pool that is one more than planned, which is
	// acceptable because the worker of digests mostly waits for mail servers.
	rest := max(2, workers-sizes[media.ReviewQueue]-sizes[digest.Queue]-sizes[media.Queue])
	sizes[notifications.PushQueue] = rest / 2
	sizes[river.QueueDefault] = rest - rest/2
	all := map[string]river.QueueConfig{}
	for name, size := range sizes {
		all[name] = river.QueueConfig{MaxWorkers: size}
	}
	return all, nil
}

// registry holds the workers of a client and the kinds of their jobs.
type registry struct {
	workers *river.Workers
	kinds   []string
	urgent  []string // of these, the kinds of addUrgent
}

// register returns a registry with one worker for each kind of job.
func register(pool *pgxpool.Pool, deps Deps) *registry {
	r := &registry{workers: river.NewWorkers()}
	addNotifications(r, pool, deps.Notifications)
	addUrgent(r, &pushWorker{s: deps.Notifications})
	addWorker(r, &wakeWorker{s: deps.Notifications})
	addWorker(r, &normaliseWorker{s: deps.Media})
	addWorker(r, &reviewWorker{external: deps.External})
	addWorker(r, &pictureReviewWorker{external: deps.External})
	addMail(r, pool, deps.Auth.SendNotice)
	addWorker(r, &adminNoticeWorker{pool: pool, auth: deps.Auth})
	addUrgent(r, &endedWorker{auth: deps.Auth})
	addEmailChange(r, pool, deps.Auth)
	addReports(r, pool, deps)
	addBans(r, pool, deps.Moderation)
	addProfileReview(r, pool, deps)
	addCommunity(r, pool, deps)
	addVerification(r, pool, deps)
	addGraduation(r, pool, deps)
	addDelivery(r, pool, deps.Mail)
	addChanges(r, pool, deps.Badges, deps.Moments)
	addDeletion(r, pool, deps)
	addWorker(r, newExportWorker(deps.Export))
	addMail(r, pool, func(ctx context.Context, args export.ReadyArgs) error {
		return export.SendReady(ctx, pool, deps.Mail, deps.Site, args)
	})
	addDigest(r, deps.Digest)
	addWorker(r, &pulseWorker{s: deps.Notifications})
	addWorker(r, &invitationWorker{s: deps.Referrals})
	addWorker(r, &figuresWorker{pool: pool})
	addNear(r, pool, deps)
	addStartReminder(r, pool, deps)
	addWorker(r, &townsWorker{pool: pool})
	addWorker(r, &cleanupWorker{pool: pool, blobs: deps.Blobs, media: deps.Media, data: deps.Data})
	return r
}

// addWorker adds the worker of a kind of job.
func addWorker[T river.JobArgs](r *registry, worker river.Worker[T]) {
	var args T
	r.kinds = append(r.kinds, args.Kind())
	river.AddWorker(r.workers, worker)
}

// addUrgent adds a worker whose jobs alert admins or notify members, and therefore run again soon after their process was
// killed. They may run twice.
func addUrgent[T river.JobArgs](r *registry, worker river.Worker[T]) {
	var args T
	r.urgent = append(r.urgent, args.Kind())
	addWorker(r, worker)
}

// Kinds returns the kinds of jobs that a client of New runs.
func Kinds() []string { return register(nil, Deps{}).kinds }

// periodic returns the jobs that run on a schedule.
func periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{
		river.NewPeriodicJob(river.PeriodicInterval(10*time.Minute),
			func() (river.JobArgs, *river.InsertOpts) { return CleanupArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "cleanup"}),
		river.NewPeriodicJob(river.PeriodicInterval(time.Minute),
			func() (river.JobArgs, *river.InsertOpts) { return notifications.RemindPulsesArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "remind_pulses"}),
		river.NewPeriodicJob(hourly{},
			func() (river.JobArgs, *river.InsertOpts) { return digest.TickArgs{}, nil },
			&river.PeriodicJobOpts{ID: "weekly_digest"}),
		river.NewPeriodicJob(hourly{},
			func() (river.JobArgs, *river.InsertOpts) { return figures.StoreArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "figures"}),
		river.NewPeriodicJob(hourly{},
			func() (river.JobArgs, *river.InsertOpts) { return discovery.CheckWaitsArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "check_near_waits"}),
		river.NewPeriodicJob(river.PeriodicInterval(24*time.Hour),
			func() (river.JobArgs, *river.InsertOpts) { return members.LocateTownsArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "locate_towns"}),
		river.NewPeriodicJob(river.PeriodicInterval(24*time.Hour),
			func() (river.JobArgs, *river.InsertOpts) { return moderation.HashPhotosArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true, ID: "hash_photos"}),
	}
}

// hourly is the schedule of jobs that run at each full hour, whenever the process started.
type hourly struct{}

func (hourly) Next(now time.Time) time.Time { return now.Truncate(time.Hour).Add(time.Hour) }
