package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"heartward/api/platform/pg"
)

// check is a condition for readiness.
type check struct {
	name string
	run  func(context.Context) error
}

// newReadiness returns the check of /readyz. more are conditions of this process in
// addition to those of all. NATS and S3 are not among them: without NATS, events of
// other nodes arrive later; without the store only uploads fail, on all nodes alike.
func newReadiness(core *Core, more ...func() error) func(context.Context) error {
	checks := []check{
		{"PostgreSQL", core.Pool.Ping},
		{"writing to PostgreSQL", cached(func(ctx context.Context) error { return pg.CheckWritable(ctx, core.Pool) })},
		{"writing files", cached(core.Files.CheckWritable)},
	}
	for _, run := range more {
		checks = append(checks, check{"starting", func(context.Context) error { return run() }})
	}
	return func(ctx context.Context) error {
		for _, c := range checks {
			if err := c.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		return nil
	}
}

// How long the result of a check that writes is cached. A failure is checked sooner,
// so that the node recovers quickly.
const (
	successAge = 10 * time.Second
	failureAge = time.Second
)

// cached returns a check that runs at most once at a time and caches its result.
// Concurrent calls get the previous result.
func cached(run func(context.Context) error) func(context.Context) error {
	var running, result sync.Mutex
	var last error
	var until time.Time
	return func(ctx context.Context) error {
		result.Lock()
		err, fresh := last, time.Now().Before(until)
		result.Unlock()
		if fresh || !running.TryLock() {
			return err
		}
		defer running.Unlock()
		err = run(ctx)
		result.Lock()
		defer result.Unlock()
		last, until = err, time.Now().Add(successAge)
		if err != nil {
			until = time.Now().Add(failureAge)
		}
		return err
	}
}
