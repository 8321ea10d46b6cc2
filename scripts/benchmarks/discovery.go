package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/discovery"
	"heartward/api/platform/pg"
	"heartward/api/seed"
)

// pageRun is how long pages took with so many members.
type pageRun struct {
	members  int
	seeding  time.Duration
	p50, p99 map[string]time.Duration // by the name of the page
}

// What a member asks for: the first page of the grid and of the deck, and the
// deck five pages on, where the near are used up.
var pageKinds = []struct {
	name   string
	filter func() discovery.Filter
	pages  int
}{
	{"discover", discovery.Discover, 1},
	{"for you", discovery.ForYou, 1},
	{"for you, page 6", discovery.ForYou, 6},
}

// BenchDiscovery measures page times at each size in sizes and prints them
// with their growth. fresh gives an empty, migrated database and a function
// that drops it.
func BenchDiscovery(ctx context.Context, out io.Writer, fresh func(context.Context) (*pgxpool.Pool, func(), error), sizes ...int) error {
	var runs []pageRun
	for _, size := range sizes {
		run, err := measurePages(ctx, fresh, size)
		if err != nil {
			return fmt.Errorf("discovery with %d members: %w", size, err)
		}
		runs = append(runs, run)
	}
	fmt.Fprintf(out, "\nDiscovery: one page of 50, each for another member\n%10s %9s", "members", "seeding")
	for _, kind := range pageKinds {
		fmt.Fprintf(out, "  %24s", kind.name+" p50/p99")
	}
	fmt.Fprintln(out)
	for i, run := range runs {
		fmt.Fprintf(out, "%10d %8.1fs", run.members, run.seeding.Seconds())
		for _, kind := range pageKinds {
			fmt.Fprintf(out, "  %24s", fmt.Sprintf("%.1f / %.1f ms", millis(run.p50[kind.name]), millis(run.p99[kind.name])))
		}
		fmt.Fprintln(out)
		if i > 0 {
			before := runs[i-1]
			fmt.Fprintf(out, "%19.1fx of members", float64(run.members)/float64(before.members))
			for _, kind := range pageKinds {
				fmt.Fprintf(out, "  %20.1fx time", float64(run.p50[kind.name])/float64(before.p50[kind.name]))
			}
			fmt.Fprintln(out)
		}
	}
	return nil
}

func measurePages(ctx context.Context, fresh func(context.Context) (*pgxpool.Pool, func(), error), size int) (run pageRun, err error) {
	pool, drop, err := fresh(ctx)
	if err != nil {
		return run, err
	}
	defer drop()
	start := time.Now()
	if _, err := seed.Run(ctx, pool, nowhere{}, seed.Options{Members: size}); err != nil {
		return run, err
	}
	run = pageRun{members: size, seeding: time.Since(start), p50: map[string]time.Duration{}, p99: map[string]time.Duration{}}
	viewers, err := someMembers(ctx, pool, 40)
	if err != nil {
		return run, err
	}
	service := discovery.New(pool)
	for _, kind := range pageKinds {
		var took []time.Duration
		for _, viewer := range viewers {
			last, err := timePages(ctx, service, viewer, kind.filter(), kind.pages)
			if err != nil {
				return run, err
			}
			took = append(took, last)
		}
		slices.Sort(took)
		run.p50[kind.name], run.p99[kind.name] = took[len(took)/2], took[len(took)*99/100]
	}
	return run, nil
}

// timePages follows the pages and returns how long the last one took.
func timePages(ctx context.Context, service *discovery.Service, viewer uuid.UUID, filter discovery.Filter, pages int) (took time.Duration, err error) {
	cursor := ""
	for range pages {
		start := time.Now()
		if _, cursor, err = service.Search(ctx, viewer, filter, discovery.Page{Cursor: cursor, Limit: 50}); err != nil {
			return 0, err
		}
		took = time.Since(start)
		if cursor == "" {
			break
		}
	}
	return took, nil
}

func someMembers(ctx context.Context, pool *pgxpool.Pool, n int) (ids []uuid.UUID, err error) {
	rows, err := pool.Query(ctx, `SELECT id FROM users WHERE is_approved ORDER BY hashtext(email) LIMIT $1`, n)
	if err != nil {
		return nil, pg.Fault(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id uuid.UUID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// nowhere takes the portraits and forgets them.
type nowhere struct{}

func (nowhere) Put(_ context.Context, _, _ string, r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func (nowhere) Delete(context.Context, string) error { return nil }
