package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/jobs"
)

const activityClients = 8

// benchActivity records the use of sessions, as open sockets do once a minute, in three
// rounds. For each it prints the rate, the WAL and the share of HOT updates. The first
// round follows a checkpoint, so its WAL contains full pages.
func benchActivity(ctx context.Context, base string) error {
	database, drop, err := freshURL(ctx, base)
	if err != nil {
		return err
	}
	defer drop()
	pool, err := pg.Open(ctx, database, poolSize)
	if err != nil {
		return err
	}
	defer pool.Close()
	dir, err := os.MkdirTemp("", "heartward-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	service, err := sessionService(ctx, pool, dir)
	if err != nil {
		return err
	}
	actors, err := addSessions(ctx, pool, database)
	if err != nil {
		return err
	}
	fmt.Printf("\nActivity: the sessions of %d among %d members are used again, by %d clients\n\n", activitySessions, activityMembers, activityClients)
	fmt.Println("| minute | sessions/s | WAL bytes each | HOT updates |")
	fmt.Println("|---|---:|---:|---:|")
	for _, minute := range []string{"first after a checkpoint", "second", "third"} {
		if err := recordMinute(ctx, pool, database, service, actors, minute); err != nil {
			return err
		}
		if err := ageSessions(ctx, database); err != nil {
			return err
		}
	}
	return nil
}

// sessionService returns the service that records the use of sessions.
func sessionService(ctx context.Context, pool *pgxpool.Pool, dir string) (*auth.Service, error) {
	store, storeErr := files.Open(ctx, "", filepath.Join(dir, "files"))
	folder, folderErr := mail.NewFolder(filepath.Join(dir, "mail"))
	events, eventsErr := bus.Open(bus.Options{})
	inserter, jobsErr := jobs.NewInserter(pool)
	if err := errors.Join(storeErr, folderErr, eventsErr, jobsErr); err != nil {
		return nil, err
	}
	return auth.New(pool, folder, events, members.New(pool, blobs.New(pool, store)), inserter, auth.Config{Secret: make([]byte, 32)}), nil
}

// addSessions fills the database with members who have a session last used two minutes
// ago, and returns the actors of some of them.
func addSessions(ctx context.Context, pool *pgxpool.Pool, database string) ([]web.Actor, error) {
	w, err := newPopulation()
	if err != nil {
		return nil, err
	}
	if err := w.addMembers(ctx, database, activityMembers); err != nil {
		return nil, err
	}
	rows, _ := pool.Query(ctx, `
		INSERT INTO sessions (id, token_hash, user_id, user_agent, expires_at)
		SELECT gen_random_uuid(), sha256(uuid_send(id)), id, repeat('Mozilla/5.0 ', 10), now() + interval '90 days'
		FROM unnest($1::uuid[]) id
		RETURNING id, user_id`, w.ids)
	actors, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a web.Actor, err error) {
		return a, row.Scan(&a.SessionID, &a.ID)
	})
	if err != nil {
		return nil, err
	}
	w.random.Shuffle(len(actors), func(i, j int) { actors[i], actors[j] = actors[j], actors[i] })
	if err := ageSessions(ctx, database); err != nil {
		return nil, err
	}
	return actors[:activitySessions], withConn(ctx, database, func(db *pgx.Conn) error {
		_, err := db.Exec(ctx, `CHECKPOINT`)
		return err
	})
}

// ageSessions sets the last use of all sessions to two minutes ago.
func ageSessions(ctx context.Context, database string) error {
	return withConn(ctx, database, func(db *pgx.Conn) error {
		_, err := db.Exec(ctx, `
			INSERT INTO session_activity (session_id, last_seen_at)
			SELECT id, now() - interval '2 minutes' FROM sessions
			ON CONFLICT (session_id) DO UPDATE SET last_seen_at = excluded.last_seen_at`)
		if err != nil {
			return err
		}
		_, err = db.Exec(ctx, `VACUUM ANALYZE users, sessions, member_activity, session_activity`)
		return err
	})
}

// recordMinute records one use of each session, and prints its cost.
func recordMinute(ctx context.Context, pool *pgxpool.Pool, database string, service *auth.Service, actors []web.Actor, minute string) error {
	before, err := readActivityCost(ctx, pool, database)
	if err != nil {
		return err
	}
	began := time.Now()
	queue := make(chan web.Actor)
	clients, clientsCtx := errgroup.WithContext(ctx)
	for range activityClients {
		clients.Go(func() error {
			for actor := range queue {
				if err := service.CheckSession(clientsCtx, actor); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, actor := range actors {
		select {
		case queue <- actor:
		case <-clientsCtx.Done():
		}
	}
	close(queue)
	if err := clients.Wait(); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := readActivityCost(ctx, pool, database)
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %.0f | %d | %d of %d |\n", minute, float64(len(actors))/took.Seconds(),
		(after.wal-before.wal)/int64(len(actors)), after.hot-before.hot, after.updates-before.updates)
	return nil
}

// activityCost is a WAL position and the number of updates.
type activityCost struct{ wal, updates, hot int64 }

// readActivityCost waits until all other connections have ended, after which their
// statistics are complete.
func readActivityCost(ctx context.Context, pool *pgxpool.Pool, database string) (cost activityCost, err error) {
	pool.Reset()
	err = withConn(ctx, database, func(db *pgx.Conn) error {
		for others := -1; others != 0; {
			if err := db.QueryRow(ctx, `
				SELECT count(*)
				FROM pg_stat_activity
				WHERE datname = current_database()
					AND backend_type = 'client backend'
					AND pid <> pg_backend_pid()`).Scan(&others); err != nil {
				return err
			}
			time.Sleep(10 * time.Millisecond)
		}
		return db.QueryRow(ctx, `
			SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn, sum(n_tup_upd), sum(n_tup_hot_upd)
			FROM pg_stat_user_tables
			WHERE relname IN ('users', 'sessions', 'member_activity', 'session_activity')`).Scan(&cost.wal, &cost.updates, &cost.hot)
	})
	return cost, err
}
