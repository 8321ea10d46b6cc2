package community_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// Pages of the board, of a search and of the queues read only about as many rows as they show, of 20,000.
func TestLists_ReadOnlyTheirPage(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	pgtest.Fill(t, w.Pool, []string{"users", "post_comments"}, nil,
		`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0') FROM generate_series(1, 1000) n`,
		`WITH u AS (SELECT id, row_number() OVER () AS n FROM users)
		INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, submitted_at, published_at, decided_at)
		SELECT u.id, gen_random_uuid(), 'Post ' || i, 'Summary',
			'Words of a story' || repeat(' and nobody looked at the time', 5) || CASE WHEN i % 5 = 0 THEN ' about rivers' ELSE '' END || CASE WHEN i % 2000 = 1 THEN ' and herons' ELSE '' END,
			(ARRAY['advice', 'experience', 'community-story'])[1 + i % 3], CASE WHEN i % 2000 = 1 THEN '{a,tea}' ELSE '{a}' END::text[], CASE WHEN i % 10 = 0 THEN 'pending' ELSE 'published' END,
			now() - i * interval '1 minute', now() - i * interval '1 minute', now() - i * interval '1 minute'
		FROM generate_series(1, 20000) i
		JOIN u ON u.n = 1 + i % 1000`,
		`INSERT INTO post_comments (post_id, author_id, client_id, content, flag)
		SELECT p.id, p.author_id, gen_random_uuid(), 'c', CASE WHEN random() < 0.01 THEN 'spam' END FROM community_posts p`,
	)
	w.Exec(`ANALYZE users, community_posts, post_comments`)
	// argsOf returns the arguments of a page of a board of 20,000 minutes.
	argsOf := func(category, tag string, search [3]string, at time.Time) pgx.NamedArgs {
		return pgx.NamedArgs{
			"viewer": w.moderator.ID, "category": category, "tag": tag, "words": search[0], "beforeLast": search[1], "last": search[2],
			"at": at, "id": uuid.Max, "limit": 51, "most": 1001,
		}
	}
	none := [3]string{}
	const custom = `SET LOCAL plan_cache_mode = force_custom_plan` // as searches run
	for _, at := range []time.Time{web.StartCursor.At, time.Now().AddDate(0, 0, -5)} {
		for name, c := range map[string]struct {
			settings, sql string
			args          pgx.NamedArgs
		}{
			"board":            {pg.GenericPlan, community.BoardSQL, argsOf("", "", none, at)},
			"category":         {pg.GenericPlan, community.CategorySQL, argsOf("advice", "", none, at)},
			"common word":      {custom, community.SearchSQL, argsOf("", "", [3]string{"river", "", "river"}, at)},
			"common tag":       {custom, community.SearchSQL, argsOf("", "a", none, at)},
			"common beginning": {custom, community.SearchSQL, argsOf("", "", [3]string{"wo", "", "wo"}, at)},
		} {
			w.requireSmallPlan(name, pgtest.Explain(t, w.Pool, c.settings, c.sql, c.args))
		}
	}
	for _, words := range [][3]string{{"heron", "", "heron"}, {"her", "", "her"}, {"story heron", "story", "heron"}, {"wo", "", "wo"}, {"the", "", "the"}, {"zz", "", "zz"}} {
		plan := pgtest.Explain(t, w.Pool, custom, community.FoundSQL, argsOf("", "", words, time.Now()))
		w.requireFewRows(words[0], regexp.MustCompile(`Bitmap Index Scan .*`).ReplaceAllString(plan, "")) // it reads all words of the index that begin so
	}
	w.requireFewRows("tag", pgtest.Explain(t, w.Pool, custom, community.FoundSQL, argsOf("", "tea", none, time.Now())))
	w.Exec(`UPDATE community_posts SET like_count = 5 WHERE id < '10000000-0000-0000-0000-000000000000'`)
	w.requireSmallPlan("popular", pgtest.Explain(t, w.Pool, "", community.PopularSQL, pgx.NamedArgs{"viewer": w.moderator.ID}))
	for name, sql := range map[string]string{"pending": community.PendingSQL, "published": community.DecidedSQL} {
		args := []any{time.Now().AddDate(0, 0, -5), uuid.Max, w.moderator.ID, 51}
		if name == "published" {
			args = append(args, "published")
		}
		w.requireSmallPlan(name, pgtest.Explain(t, w.Pool, "", sql, args...))
	}
	for filter, sql := range community.ReviewCommentsSQL {
		w.requireSmallPlan(filter, pgtest.Explain(t, w.Pool, "", sql, time.Now(), uuid.Max, 51))
	}
}

// requireSmallPlan fails if a statement reads a whole table or thousands of rows.
func (w *env) requireSmallPlan(name, plan string) {
	w.Helper()
	require.NotRegexp(w, `Seq Scan on (community_posts|post_comments)`, plan, name)
	w.requireFewRows(name, plan)
}

// requireFewRows fails if a statement reads thousands of rows.
func (w *env) requireFewRows(name, plan string) {
	w.Helper()
	require.NotRegexp(w, `rows=\d{5,}|Rows Removed by Filter: \d{4,}`, plan, name)
}
