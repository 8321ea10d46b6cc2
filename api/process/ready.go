package process

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"heartward/api/platform/files"
	"heartward/api/platform/pg"
)

// check is a condition for readiness.
type check struct {
	name string
	run  func(context.Context) error
}

// newReadiness returns the check of /readyz. startup are further conditions of this
// process. NATS and S3 are not checked: without NATS, events of other nodes arrive
// later; without S3 only uploads fail, and on all nodes.
func newReadiness(core *Core, startup ...func() error) func(context.Context) error {
	checks := []check{
		{"PostgreSQL", core.Pool.Ping},
		{"writing to PostgreSQL", cached(func(ctx context.Context) error { return pg.CheckWritable(ctx, core.Pool) })},
		{"writing files", cached(core.Files.CheckWritable)},
		{"writing temporary files", cached(func(context.Context) error { return files.CheckFolder(os.TempDir()) })},
	}
	for _, run := range startup {
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
