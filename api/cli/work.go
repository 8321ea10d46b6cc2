package cli

import (
	"context"
	"os/signal"
	"syscall"

	"heartward/api/process"
)

type workCmd struct{}

// Run runs jobs until a signal arrives.
func (workCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	process.ExitInTime(ctx)
	c, err := process.LoadConfig()
	if err != nil {
		return err
	}
	if err := c.CheckMail(); err != nil {
		return err
	}
	core, err := process.Open(ctx, c, process.Role{Works: true})
	if err != nil {
		return err
	}
	defer core.Close()
	return process.Work(ctx, core)
}
