package cli

import (
	"context"

	"heartward/api/platform/config"
	"heartward/api/process"
)

type workCmd struct{}

// Run runs jobs until a signal arrives.
func (workCmd) Run() error {
	return withWorkConfig(func(ctx context.Context, c config.Config) error {
		core, err := process.Open(ctx, c, process.Role{Works: true})
		if err != nil {
			return err
		}
		defer core.Close()
		return process.Work(ctx, core)
	})
}
