package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/activity"
	"heartward/api/platform/bus"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// notifiedRows insert the events of member $1, over 80 of the listed 90 days.
var notifiedRows = []string{
	`CREATE TEMPORARY TABLE others AS
		SELECT id, row_number() OVER () AS n, now() - row_number() OVER () * interval '276 seconds' AS at
		FROM users
		WHERE id <> $1`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		SELECT gen_random_uuid(), id, $1, CASE n % 20 WHEN 0 THEN 'super_like' ELSE 'like' END, at FROM others`,
	`INSERT INTO matches (id, user_a, user_b, created_at) SELECT gen_random_uuid(), least(id, $1), greatest(id, $1), at FROM others`,
	`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
		SELECT $1, gen_random_uuid(), 'Title ' || n, 'An excerpt', 'A story', 'advice', ARRAY['advice'], 'published', at, at FROM others WHERE n <= 20`,
	`INSERT INTO post_comments (post_id, author_id, client_id, content, created_at)
		SELECT p.id, o.id, gen_random_uuid(), 'Hi', o.at
		FROM others o
		JOIN (SELECT id, row_number() OVER () AS n FROM community_posts WHERE author_id = $1) p ON p.n = 1 + o.n % 20`,
	`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, status, joined_at, completed_at)
		SELECT gen_random_uuid(), $1, id, 'ABCDEF', 'completed', at, at FROM others WHERE n % 2 = 0`,
}

// benchNotifications prints the time of a member's pages and counts beside that of a query of one index, for a member
// with 100,000 events.
func benchNotifications(ctx context.Context, base string) error {
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
	w, err := newPopulation()
	if err != nil {
		return err
	}
	if err := w.addMembers(ctx, database, notifiedEvents/4+1); err != nil {
		return err
	}
	member := w.ids[0]
	if err := addNotified(ctx, database, member); err != nil {
		return err
	}
	events, err := bus.Open(bus.Options{})
	if err != nil {
		return err
	}
	defer events.Close()
	return measureNotifications(ctx, pool, activity.New(pool, events), member)
}

func addNotified(ctx context.Context, database string, member uuid.UUID) error {
	return withConn(ctx, database, func(db *pgx.Conn) error {
		if _, err := db.Exec(ctx, `UPDATE users SET profile_status = 'active', is_approved = true, paused_at = NULL, incognito = false`); err != nil {
			return err
		}
		for _, sql := range notifiedRows {
			if _, err := db.Exec(ctx, sql, pgx.QueryExecModeSimpleProtocol, member); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		_, err := db.Exec(ctx, `VACUUM ANALYZE`)
		return err
	})
}

// measureNotifications prints the times of one client.
func measureNotifications(ctx context.Context, pool *pgxpool.Pool, s *activity.Service, member uuid.UUID) error {
	actor, middle := web.Actor{ID: member}, ""
	page := func(cursor string) error {
		list, _, err := s.Notifications(ctx, actor, cursor, 50)
		if err == nil && len(list) != 50 {
			err = fmt.Errorf("a page of %d", len(list))
		}
		return err
	}
	for range skippedPages {
		var err error
		if _, middle, err = s.Notifications(ctx, actor, middle, 50); err != nil {
			return err
		}
	}
	count := func(want int) error {
		n, err := s.CountUnread(ctx, member)
		if err == nil && n != want {
			err = fmt.Errorf("%d unread", n)
		}
		return err
	}
	fmt.Printf("\nNotifications of a member with %d events, one client\n\n", notifiedEvents)
	fmt.Println("| query | median | 95 % | times the first |")
	fmt.Println("|---|---:|---:|---:|")
	bare := time.Duration(0)
	for _, row := range []struct {
		name string
		run  func() error
	}{
		{"50 newest matches by their index", func() error {
			rows, _ := pool.Query(ctx, `SELECT match_id FROM match_sides WHERE member_id = $1 ORDER BY created_at DESC, match_id DESC LIMIT 50`, member)
			_, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			return err
		}},
		{"first page of the notifications", func() error { return page("") }},
		{fmt.Sprintf("page %d", skippedPages+1), func() error { return page(middle) }},
		{"count, nothing read", func() error { return count(100) }},
		{"count, all read", func() error { return count(0) }},
		{"first page of the activity", func() error { _, _, err := s.List(ctx, actor, "", 50); return err }},
	} {
		if row.name == "count, all read" {
			if _, err := s.Read(ctx, actor, nil, time.Now()); err != nil {
				return err
			}
		}
		times := make([]time.Duration, notifiedRuns)
		for i := range times {
			begun := time.Now()
			if err := row.run(); err != nil {
				return fmt.Errorf("%s: %w", row.name, err)
			}
			times[i] = time.Since(begun)
		}
		slices.Sort(times)
		median := quantile(times, 50)
		if bare == 0 {
			bare = median
		}
		fmt.Printf("| %s | %s | %s | %.0f |\n", row.name, ms(median), ms(quantile(times, 95)), float64(median)/float64(bare))
	}
	return nil
}
