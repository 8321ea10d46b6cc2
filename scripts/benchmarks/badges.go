package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"golang.org/x/sync/errgroup"

	"heartward/api/badges"
	"heartward/api/platform/pg"
	"heartward/jobs"
)

const badgesWorkers = 20

// bareArgs are the arguments of a job that does no more than one query in its transaction.
type bareArgs struct {
	MemberID uuid.UUID `json:"memberId"`
}

func (bareArgs) Kind() string { return "bare" }

// txWorker runs a function in the transaction that completes the job.
type txWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	pool *pgxpool.Pool
	run  func(ctx context.Context, tx pgx.Tx, args T) error
}

func (w *txWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if err := w.run(ctx, tx, job.Args); err != nil {
			return err
		}
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

// benchBadges runs checks of members with a history, beside bare updates and jobs with one query each.
func benchBadges(ctx context.Context, base string) error {
	database, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	pool, err := pg.Open(ctx, database, badgesWorkers+5)
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := newPopulation()
	if err != nil {
		return err
	}
	if err := w.addMembers(ctx, database, badgeMembers); err != nil {
		return err
	}
	if err := addLikes(ctx, pool, w.ids); err != nil {
		return err
	}
	inserter, err := jobs.NewInserter(pool)
	if err != nil {
		return err
	}
	service := badges.New(pool, inserter)
	fmt.Printf("\nBadges: %d jobs of %d members with %d likes each, by %d workers\n\n", badgeJobs, badgeMembers, badgeLikes, badgesWorkers)
	updates, err := timeBareUpdates(ctx, pool, w.ids)
	if err != nil {
		return err
	}
	table := badgeTable{pool: pool, upperBound: updates}
	fmt.Println("| transactions with | a second | of the upper bound |")
	fmt.Println("|---|---:|---:|")
	fmt.Printf("| a bare UPDATE of a row: the upper bound | %.0f | |\n", updates)
	bare := func(ctx context.Context, tx pgx.Tx, args bareArgs) error {
		var n int
		return tx.QueryRow(ctx, `SELECT count(*) FROM user_badges WHERE user_id = $1`, args.MemberID).Scan(&n)
	}
	if err := runBadgeJobs(ctx, table, "a job of one query", bare, func(i int) bareArgs { return bareArgs{w.ids[i%badgeMembers]} }); err != nil {
		return err
	}
	award := func(ctx context.Context, tx pgx.Tx, args badges.CheckArgs) error {
		_, err := service.Award(ctx, tx, args)
		return err
	}
	for _, cause := range []badges.Cause{badges.LikeSent, badges.MessageSent, badges.ProfileSaved, badges.PostPublished} {
		name := "a job that checks after a " + string(cause)
		if err := runBadgeJobs(ctx, table, name, award, func(i int) badges.CheckArgs { return badges.CheckArgs{MemberID: w.ids[i%badgeMembers], Cause: cause} }); err != nil {
			return err
		}
	}
	begun := time.Now()
	if _, err := service.Recompute(ctx); err != nil {
		return err
	}
	fmt.Printf("\nRecomputing: %.0f members/s\n", float64(badgeMembers)/time.Since(begun).Seconds())
	return nil
}

func addLikes(ctx context.Context, pool *pgxpool.Pool, ids []uuid.UUID) error {
	_, err := pool.Exec(ctx, `
		INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		SELECT gen_random_uuid(), ($1::uuid[])[m], ($1::uuid[])[1 + (m + n) % $2], 'like', now() - n * interval '1 hour'
		FROM generate_series(1, $2) m
		CROSS JOIN generate_series(1, $3) n`, ids, badgeMembers, badgeLikes)
	return err
}

// badgeTable prints the rates of jobs beside the upper bound, in transactions a second.
type badgeTable struct {
	pool       *pgxpool.Pool
	upperBound float64
}

// timeBareUpdates returns the number of updates a second of one row each, by as many clients as there are workers.
func timeBareUpdates(ctx context.Context, pool *pgxpool.Pool, ids []uuid.UUID) (float64, error) {
	if _, err := pool.Exec(ctx, `
		INSERT INTO user_badges (user_id, badge_id)
		SELECT u.id, b.id
		FROM unnest($1::uuid[]) u (id)
		JOIN badges b ON b.icon = 'good_company'`, ids); err != nil {
		return 0, err
	}
	var next atomic.Int64
	clients, ctx := errgroup.WithContext(ctx)
	begun := time.Now()
	for range badgesWorkers {
		clients.Go(func() error {
			for i := next.Add(1) - 1; i < int64(badgeJobs); i = next.Add(1) - 1 {
				if _, err := pool.Exec(ctx, `UPDATE user_badges SET is_notified = NOT is_notified WHERE user_id = $1`, ids[int(i)%len(ids)]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := clients.Wait()
	return float64(badgeJobs) / time.Since(begun).Seconds(), err
}

func runBadgeJobs[T river.JobArgs](ctx context.Context, table badgeTable, name string, run func(context.Context, pgx.Tx, T) error, args func(i int) T) error {
	pool, workers := table.pool, river.NewWorkers()
	river.AddWorker(workers, &txWorker[T]{pool: pool, run: run})
	config := &river.Config{
		Workers: workers, Logger: slog.New(slog.DiscardHandler),
		Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: badgesWorkers}},
	}
	jobs.Tune(config)
	client, err := river.NewClient(riverpgxv5.New(pool), config)
	if err != nil {
		return err
	}
	// Without the jobs of pushes that earlier checks have enqueued.
	if _, err := pool.Exec(ctx, `TRUNCATE river_job`); err != nil {
		return err
	}
	for done := 0; done < badgeJobs; done += backlogSize {
		backlog := make([]river.InsertManyParams, backlogSize)
		for i := range backlog {
			backlog[i].Args = args(done + i)
		}
		if _, err := client.InsertManyFast(ctx, backlog); err != nil {
			return err
		}
	}
	begun := time.Now()
	if err := client.Start(ctx); err != nil {
		return err
	}
	defer func() { _ = client.Stop(context.WithoutCancel(ctx)) }()
	if err := waitUntilCompleted(ctx, pool, badgeJobs); err != nil {
		return err
	}
	rate := float64(badgeJobs) / time.Since(begun).Seconds()
	fmt.Printf("| %s | %.0f | %.0f %% |\n", name, rate, 100*rate/table.upperBound)
	return nil
}
