package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"

	"heartward/api/platform/config"
	"heartward/api/process"
	"heartward/api/seed"
)

type serveCmd struct {
	NoWork bool `help:"Run no workers in this process."`
	Demo   bool `help:"Fill an empty database with demo members first, or move their last activity forward."`
	demoFlags
}

// Run serves until a signal arrives.
func (cmd serveCmd) Run(v version) error {
	return withWorkConfig(func(ctx context.Context, c config.Config) error { return cmd.serve(ctx, c, v) })
}

func (cmd serveCmd) serve(ctx context.Context, c config.Config, v version) error {
	if cmd.Demo {
		if err := cmd.check(c); err != nil {
			return err
		}
	}
	// Listen first, so that the command fails at once if the port is in use.
	listener, err := listen(c)
	if err != nil {
		return err
	}
	defer listener.Close()
	core, err := process.Open(ctx, c, process.Role{Serves: true, Works: !cmd.NoWork})
	if err != nil {
		return err
	}
	defer core.Close()
	core.DemoPasswords = !c.IsPublic() || cmd.DemoInPublic
	if err := prepareDemo(ctx, core); err != nil {
		return err
	}
	if cmd.Demo {
		if _, err := seedDemo(ctx, c, core.Pool, core.Files, 0); err != nil {
			return err
		}
		if err := seed.RefreshActivity(ctx, core.Pool); err != nil {
			return err
		}
	}
	return process.Serve(ctx, core, process.Serving{Listener: listener, Works: !cmd.NoWork, Version: string(v)})
}

func listen(c config.Config) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(c.Host, strconv.Itoa(c.Port))) //nolint:noctx // does not block
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("PORT: %d is taken by another program", c.Port)
	case err != nil:
		return nil, fmt.Errorf("HOST and PORT: %w", err)
	}
	return listener, nil
}
