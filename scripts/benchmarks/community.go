package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/community"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging/guard"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/jobs"
)

// boardQueries are the measured pages, by the words of the search.
var boardQueries = []struct{ name, search string }{
	{"first page", ""}, {"search, a word of every 5th post", "river"}, {"search, a word of every 100th post", "heron"},
}

// benchCommunity measures the first page of the community board for a member and for a visitor, and searches,
// with 1,000 and with 100,000 posts and 1,000,000 likes each. Beside each is a bare query for the ids of the
// same page, in the same run.
func benchCommunity(ctx context.Context, base string) error {
	fmt.Printf("\nCommunity board: a page of 50, %d likes, by one client; medians of %d rounds\n\n", boardLikes, boardRounds)
	fmt.Println("| page | reader | posts | ms | bare query ms | ratio | growth |")
	fmt.Println("|---|---|---:|---:|---:|---:|---:|")
	small := map[string]time.Duration{}
	for _, posts := range boardPosts {
		if err := benchBoard(ctx, base, posts, small); err != nil {
			return err
		}
	}
	return nil
}

// benchBoard measures a board of a number of posts, and prints how many times as long as on the first board a page takes.
// small has the times of the first board, by query and reader; the first call fills it.
func benchBoard(ctx context.Context, base string, posts int, small map[string]time.Duration) error {
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
	service, err := communityService(ctx, pool, dir)
	if err != nil {
		return err
	}
	if err := fillBoard(ctx, database, posts); err != nil {
		return err
	}
	var member uuid.UUID
	if err := pool.QueryRow(ctx, `SELECT id FROM users LIMIT 1`).Scan(&member); err != nil {
		return err
	}
	for _, query := range boardQueries {
		for _, reader := range []struct {
			name string
			id   uuid.UUID
		}{{"member", member}, {"visitor", uuid.Nil}} {
			page, bare, err := measureBoard(ctx, pool, service, reader.id, query.search)
			if err != nil {
				return err
			}
			growth, key := "", query.name+reader.name
			if before, ok := small[key]; ok {
				growth = fmt.Sprintf("%.2f", float64(page)/float64(before))
			} else {
				small[key] = page
			}
			fmt.Printf("| %s | %s | %d | %.2f | %.2f | %.1f | %s |\n", query.name, reader.name, posts,
				float64(page.Microseconds())/1000, float64(bare.Microseconds())/1000, float64(page)/float64(bare), growth)
		}
	}
	return nil
}

func communityService(ctx context.Context, pool *pgxpool.Pool, dir string) (*community.Service, error) {
	store, storeErr := files.Open(ctx, "", filepath.Join(dir, "files"))
	events, eventsErr := bus.Open(bus.Options{})
	inserter, jobsErr := jobs.NewInserter(pool)
	if err := errors.Join(storeErr, eventsErr, jobsErr); err != nil {
		return nil, err
	}
	b := blobs.New(pool, store)
	return community.New(community.Deps{
		Pool: pool, Blobs: b, Media: media.New(pool, b, members.New(pool, b), inserter, nil),
		Moderation: moderation.New(pool, events, matching.New(pool, events, inserter), b, inserter, make([]byte, 32)),
		Jobs:       inserter, Classify: guard.Category, RateLimitScale: 1e6,
	}), nil
}

// fillBoard adds members, posts, likes and comments, of which there are as many as posts.
func fillBoard(ctx context.Context, database string, posts int) error {
	w, err := newPopulation()
	if err != nil {
		return err
	}
	if err := w.addMembers(ctx, database, boardMembers); err != nil {
		return err
	}
	return withConn(ctx, database, func(db *pgx.Conn) error {
		for _, statement := range []string{
			`SET statement_timeout = 0`,
			fmt.Sprintf(`
				INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at)
				SELECT
					u.id, gen_random_uuid(), 'Post number ' || i, 'What happened on day ' || i,
					repeat('We talked for an hour about small things and nobody looked at the time. ', 20)
						|| CASE WHEN i %% 5 = 0 THEN 'Then to the river.' ELSE '' END || CASE WHEN i %% 100 = 0 THEN ' A heron stood there.' ELSE '' END,
					(ARRAY['advice', 'experience', 'community-story'])[1 + i %% 3], '{a}', 'published',
					now() - i * interval '1 minute', now() - i * interval '1 minute'
				FROM generate_series(1, %d) i
				JOIN (SELECT id, row_number() OVER () AS n FROM users) u ON u.n = 1 + i %% %d`, posts, boardMembers),
			fmt.Sprintf(`
				INSERT INTO post_likes (post_id, user_id)
				SELECT p.id, u.id
				FROM (SELECT id, row_number() OVER () - 1 AS n FROM community_posts) p
				JOIN generate_series(0, %d) i ON true
				JOIN (SELECT id, row_number() OVER () - 1 AS n FROM users) u ON u.n = (p.n * 7919 + i) %% %d`, boardLikes/posts-1, boardMembers),
			`INSERT INTO post_comments (post_id, author_id, client_id, content) SELECT id, author_id, gen_random_uuid(), 'Yes' FROM community_posts`,
			`VACUUM ANALYZE users, community_posts, post_likes, post_comments`,
		} {
			if _, err := db.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
}

// measureBoard returns the median times of a page and of a bare query for its ids, taken in turns.
func measureBoard(ctx context.Context, pool *pgxpool.Pool, service *community.Service, reader uuid.UUID, search string) (page, bare time.Duration, err error) {
	filter := community.Filter{Search: search}
	bareSQL := `SELECT id FROM community_posts WHERE status = 'published' AND NOT author_hidden ORDER BY published_at DESC, id DESC LIMIT 51`
	args := []any{pgx.QueryExecModeCacheDescribe}
	if search != "" {
		bareSQL = `
			SELECT id FROM community_posts
			WHERE status = 'published' AND NOT author_hidden AND search @@ websearch_to_tsquery('english', $1)
			ORDER BY published_at DESC, id DESC LIMIT 51`
		args = append(args, search)
	}
	var pages, bares []time.Duration
	for range boardRounds {
		began := time.Now()
		if _, _, err := service.Board(ctx, reader, filter, web.Page{Limit: 50}); err != nil {
			return 0, 0, err
		}
		pages = append(pages, time.Since(began))
		if _, err := pool.Exec(ctx, `DELETE FROM rate_limits`); err != nil { // a member may search 60 times a minute
			return 0, 0, err
		}
		began = time.Now()
		rows, _ := pool.Query(ctx, bareSQL, args...)
		if _, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID]); err != nil {
			return 0, 0, err
		}
		bares = append(bares, time.Since(began))
	}
	slices.Sort(pages)
	slices.Sort(bares)
	return pages[boardRounds/2], bares[boardRounds/2], nil
}
