// Testpg starts a temporary PostgreSQL for a run of tests, prints its address
// as a line, and stops it when its standard input is closed.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"heartward/api/platform/pgserver"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "testpg:", err)
		os.Exit(1)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server, err := pgserver.Start(ctx, pgserver.Options{
		BinDir: os.Getenv("POSTGRES_BIN"), Throwaway: true,
	})
	if err != nil {
		return err
	}
	defer server.Stop()
	fmt.Println(server.URL())
	closed := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(closed)
	}()
	select {
	case <-closed:
	case <-ctx.Done():
	}
	return nil
}
