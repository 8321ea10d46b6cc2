// The benchmarks compare the product with the limits of the machine in the same run.
// Absolute figures depend on the machine; ratios and their growth do not. Start them
// with scripts/bench.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/pgserver"
)

const usage = `usage: bench [chat] [memory] [live] [jobs] [badges] [activity] [notifications] [discovery] [push] [guard] [digest] [community] [thread] [web]   (all without an argument)
DATABASE_URL names a PostgreSQL on which databases may be created; without it one is started for the run`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) == 3 && os.Args[1] == serveArg {
		exit(serve(ctx, os.Args[2]))
		return
	}
	for _, word := range os.Args[1:] {
		if !slices.Contains([]string{"chat", "memory", "live", "jobs", "badges", "activity", "notifications", "discovery", "push", "guard", "digest", "community"}, word) {
			exit(errors.New(usage))
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Minute)
	defer cancel()
	exit(run(ctx, os.Args[1:]))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, words []string) error {
	wanted := func(word string) bool { return len(words) == 0 || slices.Contains(words, word) }
	if wanted("guard") {
		if err := benchGuard(os.Stdout); err != nil || len(words) == 1 {
			return err // needs no database
		}
	}
	if wanted("push") {
		if err := benchPush(ctx, os.Stdout); err != nil {
			return fmt.Errorf("push: %w", err)
		}
		if len(words) == 1 {
			return nil // needs no database
		}
	}
	base, stop, err := database(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if wanted("chat") {
		if err := benchChat(ctx, base, 1, 50, 500); err != nil {
			return fmt.Errorf("chat: %w", err)
		}
	}
	if wanted("community") {
		if err := benchCommunity(ctx, base); err != nil {
			return fmt.Errorf("community: %w", err)
		}
	}
	if wanted("memory") {
		if err := benchMemory(ctx, base, 5000); err != nil {
			return fmt.Errorf("memory: %w", err)
		}
	}
	if wanted("live") {
		if err := benchLive(ctx, base, 5000); err != nil {
			return fmt.Errorf("live: %w", err)
		}
	}
	if wanted("jobs") {
		if err := benchJobs(ctx, base); err != nil {
			return fmt.Errorf("jobs: %w", err)
		}
	}
	if wanted("badges") {
		if err := benchBadges(ctx, base); err != nil {
			return fmt.Errorf("badges: %w", err)
		}
	}
	if wanted("activity") {
		if err := benchActivity(ctx, base); err != nil {
			return fmt.Errorf("activity: %w", err)
		}
	}
	if wanted("notifications") {
		if err := benchNotifications(ctx, base); err != nil {
			return fmt.Errorf("notifications: %w", err)
		}
	}
	if wanted("digest") {
		if err := benchDigest(ctx, base); err != nil {
			return fmt.Errorf("digest: %w", err)
		}
	}
	if wanted("discovery") {
		return benchDiscovery(ctx, os.Stdout, base, 1_000, 10_000, 100_000, 1_000_000)
	}
	return nil
}

// database returns the URL of a server on which databases may be created, and a
// function that stops the server if this process started it.
func database(ctx context.Context) (base string, stop func(), err error) {
	if base := os.Getenv("DATABASE_URL"); base != "" {
		return base, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "heartward-bench-")
	if err != nil {
		return "", nil, err
	}
	server, err := pgserver.Start(ctx, pgserver.Options{Dir: filepath.Join(dir, "postgres")})
	if err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	return server.URL(), func() {
		server.Stop()
		_ = os.RemoveAll(dir)
	}, nil
}

// freshURL creates a migrated database, and returns its URL and a function that drops
// it.
func freshURL(ctx context.Context, base string) (string, func(), error) {
	admin, err := pgx.Connect(ctx, base)
	if err != nil {
		return "", nil, err
	}
	defer admin.Close(ctx)
	name := "bench_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := admin.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	drop := func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if admin, err := pgx.Connect(ctx, base); err == nil {
			defer admin.Close(ctx)
			_, _ = admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
		}
	}
	u, err := url.Parse(base)
	if err != nil {
		drop()
		return "", nil, err
	}
	u.Path = "/" + name
	if err := pg.Migrate(ctx, u.String()); err != nil {
		drop()
		return "", nil, err
	}
	return u.String(), drop, nil
}
