package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/platform/pg"
	"heartward/jobs"
)

// emptyArgs are the arguments of an empty job, which measures the queue alone.
type emptyArgs struct {
	Inserted time.Time `json:"inserted"`
	Single   bool      `json:"single"`
}

func (emptyArgs) Kind() string { return "nothing" }

type emptyWorker struct {
	river.WorkerDefaults[emptyArgs]
	done   *atomic.Int64
	waited chan time.Duration
}

func (w *emptyWorker) Work(_ context.Context, job *river.Job[emptyArgs]) error {
	if job.Args.Single {
		w.waited <- time.Since(job.Args.Inserted)
	}
	w.done.Add(1)
	return nil
}

// benchJobs runs a backlog of jobs, and then single ones, with our settings and with
// River's defaults.
func benchJobs(ctx context.Context, base string) error {
	database, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	pool, err := pg.Open(ctx, database, poolSize)
	if err != nil {
		return err
	}
	defer pool.Close()
	fmt.Printf("\nJobs: %d empty ones in a backlog, and %d one by one\n\n", jobsAtOnce, singleJobs)
	fmt.Println("| settings | jobs/s | until a single job starts: p50 | p99 |")
	fmt.Println("|---|---:|---:|---:|")
	for _, settings := range []struct {
		name string
		tune func(*river.Config)
	}{
		{"ours", func(c *river.Config) {
			jobs.Tune(c)
			c.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 20}}
		}},
		{"River's defaults", func(c *river.Config) { c.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 100}} }},
	} {
		rate, waits, err := runJobs(ctx, pool, settings.tune)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.0f | %.0f ms | %.0f ms |\n", settings.name, rate, millis(waits[len(waits)/2]), millis(waits[len(waits)*99/100]))
	}
	return nil
}

func runJobs(ctx context.Context, pool *pgxpool.Pool, tune func(*river.Config)) (rate float64, waits []time.Duration, err error) {
	worker := &emptyWorker{done: &atomic.Int64{}, waited: make(chan time.Duration, 1)}
	workers := river.NewWorkers()
	river.AddWorker(workers, worker)
	config := &river.Config{Workers: workers, Logger: slog.New(slog.DiscardHandler)}
	tune(config)
	client, err := river.NewClient(riverpgxv5.New(pool), config)
	if err != nil {
		return 0, nil, err
	}
	backlog := make([]river.InsertManyParams, backlogSize)
	for i := range backlog {
		backlog[i].Args = emptyArgs{}
	}
	for range jobsAtOnce / len(backlog) {
		if _, err := client.InsertManyFast(ctx, backlog); err != nil {
			return 0, nil, err
		}
	}
	begun := time.Now()
	if err := client.Start(ctx); err != nil {
		return 0, nil, err
	}
	defer func() { _ = client.Stop(context.WithoutCancel(ctx)) }()
	if err := waitUntilCompleted(ctx, pool, jobsAtOnce); err != nil {
		return 0, nil, err
	}
	rate = float64(jobsAtOnce) / time.Since(begun).Seconds()
	waits, err = singleWaits(ctx, client, worker.waited)
	if err == nil {
		_, err = pool.Exec(ctx, `TRUNCATE river_job`)
	}
	return rate, waits, err
}

// waitUntilCompleted waits until n jobs are completed in the database.
func waitUntilCompleted(ctx context.Context, pool *pgxpool.Pool, n int) error {
	for {
		var done int
		if err := pool.QueryRow(ctx, `SELECT count(*) FROM river_job WHERE state = 'completed'`).Scan(&done); err != nil || done >= n {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// singleWaits inserts jobs into an empty queue, at times independent of its polling.
func singleWaits(ctx context.Context, client *river.Client[pgx.Tx], waited <-chan time.Duration) (waits []time.Duration, err error) {
	for i := range singleJobs {
		time.Sleep(time.Duration(40+37*i%200) * time.Millisecond)
		if _, err := client.Insert(ctx, emptyArgs{Inserted: time.Now(), Single: true}, nil); err != nil {
			return nil, err
		}
		select {
		case wait := <-waited:
			waits = append(waits, wait)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	slices.Sort(waits)
	return waits, nil
}
