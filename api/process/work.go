package process

import (
	"context"
	"fmt"

	"heartward/api/platform/obs"
	"heartward/jobs"
)

// Work runs jobs until ctx ends, and then waits for running ones.
func Work(ctx context.Context, core *Core) error {
	registry := obs.NewMetrics(core.Pool)
	workers, err := newWorkers(core, registry)
	if err != nil {
		return err
	}
	background, end := context.WithCancel(context.Background())
	defer end()
	ui, err := jobs.NewUI(background, core.Pool, workers.Client, jobs.UIPrefix)
	if err != nil {
		return err
	}
	registry.Mount(jobs.UIPrefix, ui)
	metrics, err := registry.Serve(background, core.Config.MetricsAddr, newReadiness(core))
	if err != nil {
		return fmt.Errorf("METRICS_ADDR: %w", err)
	}
	if err := workers.Start(context.Background()); err != nil {
		return err
	}
	fmt.Printf("Heartward works; metrics at %s; Ctrl-C ends it when the running jobs are done\n", metrics)
	<-ctx.Done()
	stopping, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return workers.Stop(stopping)
}
