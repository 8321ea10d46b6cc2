package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"heartward/api/platform/pg"
)

// check is one condition for serving or working.
type check struct {
	name string
	run  func(context.Context) error
}

// newReadiness returns what /readyz asks: why calls, or jobs, would fail now.
// More are conditions of this process beside those that all have. NATS and an
// S3 store are not among them: without NATS events of other nodes arrive later,
// and without the store only uploads fail, which no other node could serve.
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

// How long the result of a check that writes is used. A failure is checked
// again sooner, so that a node is back soon after there is room.
const (
	successAge = 10 * time.Second
	failureAge = time.Second
)

// cached returns a check that runs at most once at a time and uses a recent
// result. While one runs, others get the result before.
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
