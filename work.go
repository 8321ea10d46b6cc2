package main

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"heartward/api/platform/obs"
	"heartward/jobs"
)

type workCmd struct{}

// Run runs jobs until a signal arrives.
func (workCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	exitInTime(ctx)
	c, err := loadConfig()
	if err != nil {
		return err
	}
	if err := c.CheckMail(); err != nil {
		return err
	}
	core, err := openCore(ctx, c, role{works: true})
	if err != nil {
		return err
	}
	defer core.Close()
	return work(ctx, core)
}

// work runs jobs until ctx ends, and then waits for running ones.
func work(ctx context.Context, core *Core) error {
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
