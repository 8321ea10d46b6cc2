package community_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
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
			'Words of a story' || repeat(' and nobody looked at the time', 25) || CASE WHEN i % 5 = 0 THEN ' about rivers' ELSE '' END || CASE WHEN i % 2000 = 1 THEN ' and herons' ELSE '' END,
			(ARRAY['advice', 'experience', 'community-story'])[1 + i % 3], CASE WHEN i % 2000 = 1 THEN '{a,tea}' ELSE '{a}' END::text[], CASE WHEN i % 10 = 0 THEN 'pending' ELSE 'published' END,
			now() - i * interval '1 minute', now() - i * interval '1 minute', now() - i * interval '1 minute'
		FROM generate_series(1, 20000) i
		JOIN u ON u.n = 1 + i % 1000`,
		`INSERT INTO post_comments (post_id, author_id, client_id, content, flag)
		SELECT p.id, p.author_id, gen_random_uuid(), 'c', CASE WHEN random() < 0.01 THEN 'spam' END FROM community_posts p`,
	)
	w.Exec(`ANALYZE users, community_posts, post_comments`)
	after := web.Cursor{ID: uuid.Max}
	for name, sql := range map[string]string{
		"first page": community.BoardSQL(community.Filter{}, web.StartCursor, 51),
		"board":      community.BoardSQL(community.Filter{}, after, 51), "category": community.BoardSQL(community.Filter{Category: "advice"}, after, 51),
		"common word":      boundTo(community.BoardSQL(community.Filter{Search: "river"}, after, 51), "river", "", "river"),
		"common tag":       boundTo(community.BoardSQL(community.Filter{Tag: "a"}, after, 51), "a", "", ""),
		"common beginning": boundTo(community.BoardSQL(community.Filter{Search: "wo"}, after, 51), "wo", "", "wo"),
	} {
		for argument, value := range map[string]string{
			"@viewer": "$1::uuid", "@category": "'advice'", "@at": "now() - interval '5 days'", "@id": "$2::uuid",
		} {
			sql = strings.ReplaceAll(sql, argument, value)
		}
		args := []any{w.moderator.ID, uuid.Max}
		if name == "first page" {
			args = args[:1]
		}
		w.requireSmallPlan(name, sql, args...)
	}
	for _, words := range [][3]string{{"heron", "", "heron"}, {"her", "", "her"}, {"story heron", "story", "heron"}, {"wo", "", "wo"}, {"the", "", "the"}, {"zz", "", "zz"}} {
		sql := boundTo(community.FoundSQL(community.Filter{Search: words[0]}), words[0], words[1], words[2])
		plan := pgtest.Explain(t, w.Pool, "", strings.ReplaceAll(sql, "@most", "1001"))
		w.requireFewRows(words[0], regexp.MustCompile(`Bitmap Index Scan .*`).ReplaceAllString(plan, "")) // it reads all words of the index that begin so
	}
	w.Exec(`UPDATE community_posts SET like_count = 5 WHERE id < '10000000-0000-0000-0000-000000000000'`)
	w.requireSmallPlan("popular", strings.ReplaceAll(community.PopularSQL, "@viewer", "$1::uuid"), w.moderator.ID)
	w.requireFewRows("tag", pgtest.Explain(t, w.Pool, "", strings.NewReplacer("@tag", "'tea'", "@most", "1001").Replace(community.FoundSQL(community.Filter{Tag: "tea"}))))
	for name, sql := range map[string]string{"pending": community.PendingSQL, "published": community.DecidedSQL} {
		args := []any{time.Now().AddDate(0, 0, -5), uuid.Max, w.moderator.ID, 51}
		if name == "published" {
			args = append(args, "published")
		}
		w.requireSmallPlan(name, sql, args...)
	}
	for _, filter := range []string{"all", "pending", "hidden"} {
		w.requireSmallPlan(filter, community.ReviewCommentsSQL(filter), time.Now(), uuid.Max, 51)
	}
}

// boundTo returns the statement with a search's arguments.
func boundTo(sql, words, beforeLast, last string) string {
	return strings.NewReplacer("@tag", "'"+words+"'", "@words", "'"+words+"'", "@beforeLast", "'"+beforeLast+"'", "@last", "'"+last+"'").Replace(sql)
}

// requireSmallPlan fails if the statement reads a whole table or thousands of rows.
func (w *env) requireSmallPlan(name, sql string, args ...any) {
	w.Helper()
	plan := pgtest.Explain(w, w.Pool, "", sql, args...)
	require.NotRegexp(w, `Seq Scan on (community_posts|post_comments)`, plan, name)
	w.requireFewRows(name, plan)
}

// requireFewRows fails if a statement reads thousands of rows.
func (w *env) requireFewRows(name, plan string) {
	w.Helper()
	require.NotRegexp(w, `rows=\d{5,}|Rows Removed by Filter: \d{4,}`, plan, name)
}
