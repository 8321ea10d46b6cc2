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

// benchmarks are in the order in which they run.
var benchmarks = []struct {
	name       string
	noDatabase bool
	run        func(ctx context.Context, base string) error // base is the URL of a server on which databases may be created
}{
	{"guard", true, benchGuard},
	{"push", true, benchPush},
	{"chat", false, benchChat},
	{"community", false, benchCommunity},
	{"memory", false, benchMemory},
	{"live", false, benchLive},
	{"jobs", false, benchJobs},
	{"badges", false, benchBadges},
	{"activity", false, benchActivity},
	{"notifications", false, benchNotifications},
	{"digest", false, benchDigest},
	{"discovery", false, benchDiscovery},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) == 3 && os.Args[1] == serveArg {
		exit(serve(ctx, os.Args[2]))
		return
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

// run runs the named benchmarks, or all without a name.
func run(ctx context.Context, names []string) error {
	var known, needDatabase []string
	for _, b := range benchmarks {
		known = append(known, b.name)
		if !b.noDatabase {
			needDatabase = append(needDatabase, b.name)
		}
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%q is none of the benchmarks: %s", name, strings.Join(known, ", "))
		}
	}
	base := ""
	if len(names) == 0 || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(needDatabase, name) }) {
		url, stop, err := database(ctx)
		if err != nil {
			return err
		}
		defer stop()
		base = url
	}
	for _, b := range benchmarks {
		if len(names) > 0 && !slices.Contains(names, b.name) {
			continue
		}
		if err := b.run(ctx, base); err != nil {
			return fmt.Errorf("%s: %w", b.name, err)
		}
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
