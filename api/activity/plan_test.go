package activity_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/activity"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

// filled are the tables whose triggers are off while manyRows runs.
var filled = []string{
	"users", "user_likes", "matches", "conversations", "dates", "reports", "sanctions", "profile_reviews", "files", "member_media",
	"community_posts", "post_comments", "user_badges", "graduated_couples", "shareable_moments", "referrals", "blocks",
}

// manyRows fill the tables. Of @ann are 3,000 pairs with other members, of each other 2,000 members 5.
var manyRows = []string{
	`INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		SELECT gen_random_uuid(), n || '@many.test', 'Many', 'Many', '1990-01-01', 'MANY' || lpad(n::text, 8, '0')
		FROM generate_series(1, 3000) n`,
	`CREATE TABLE other_users AS SELECT id, row_number() OVER () AS n FROM users WHERE id <> @ann`,
	`CREATE TABLE pairs AS
		SELECT @ann::uuid AS one, id AS two, n, now() - n * interval '40 minutes' AS at FROM other_users
		UNION ALL
		SELECT a.id, b.id, i, now() - i * interval '1 minute'
		FROM generate_series(1, 12000) i
		JOIN other_users a ON a.n = 1 + i % 3000
		JOIN other_users b ON b.n = 1 + (i + 1 + i / 3000) % 3000`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		SELECT gen_random_uuid(), one, two, 'like', at FROM pairs WHERE n % 2 = 0 ON CONFLICT DO NOTHING`,
	`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type, created_at)
		SELECT gen_random_uuid(), two, one, CASE n % 10 WHEN 1 THEN 'super_like' ELSE 'like' END, at FROM pairs WHERE n % 2 = 1 ON CONFLICT DO NOTHING`,
	`INSERT INTO matches (id, user_a, user_b, created_at) SELECT gen_random_uuid(), least(one, two), greatest(one, two), at FROM pairs ON CONFLICT DO NOTHING`,
	`INSERT INTO referrals (id, referrer_id, referred_user_id, referral_code, status, joined_at, completed_at)
		SELECT gen_random_uuid(), CASE WHEN o.n % 3 = 0 THEN @ann ELSE r.id END, o.id, 'ABCDEF', 'completed', now() - o.n * interval '40 minutes', now() - o.n * interval '40 minutes'
		FROM other_users o
		JOIN other_users r ON r.n = 1 + o.n % 3000`,
	// 40 of Ann's, each with a date.
	`INSERT INTO conversations (id, user_a, user_b, last_seq, last_message_at)
		SELECT gen_random_uuid(), least(one, two), greatest(one, two), 1, at FROM pairs WHERE one <> @ann OR n <= 40 ON CONFLICT DO NOTHING`,
	`INSERT INTO dates (id, conversation_id, created_by, client_id, place, at, time_zone, status, proposed_by, changed_by, accepted_at, message_seq)
		SELECT gen_random_uuid(), id, user_a, gen_random_uuid(), 'Café', now() + interval '1 day', 'UTC', 'accepted', user_a, user_b, now(), 1 FROM conversations`,
	`INSERT INTO reports (id, reporter_id, reported_user_id, reason, place, priority, status, reviewed_at, action_taken)
		SELECT gen_random_uuid(), two, one, 'spam', 'card', 2, 'reviewed', at, 'warn' FROM pairs WHERE n % 4 = 0`,
	`INSERT INTO sanctions (id, user_id, kind, explanation, created_at) SELECT gen_random_uuid(), two, 'warning', '', at FROM pairs WHERE n % 4 = 0`,
	`INSERT INTO appeals (sanction_id, user_id, content, outcome, decided_at, explanation) SELECT id, user_id, '', 'upheld', now(), '' FROM sanctions`,
	`INSERT INTO verifications (id, user_id, pose, status, submitted_at, decided_at) SELECT gen_random_uuid(), two, 'wave', 'rejected', at, at FROM pairs WHERE n % 4 = 0`,
	`INSERT INTO security_notices (id, user_id, kind, session_id, user_agent, place, token_hash, created_at)
		SELECT gen_random_uuid(), two, 'sign_in', two, '', '', sha256(convert_to(row_number() OVER () || '', 'UTF8')), at FROM pairs WHERE n % 4 = 0`,
	`INSERT INTO profile_reviews (user_id, subject, status, decided_at) SELECT id, 'profile', 'accepted', now() FROM other_users`,
	`INSERT INTO graduated_couples (user_one_id, user_two_id, status, ended_at) SELECT one, two, 'withdrawn', at FROM pairs WHERE one <> @ann AND n % 4 = 0`,
	`INSERT INTO graduated_couples (user_one_id, user_two_id, status, accepted_at, approved_at)
		SELECT one, two, 'graduated', at, at FROM pairs WHERE one <> @ann AND n <= 3000 AND n % 2 = 0`,
	`INSERT INTO couple_members (user_id, couple_id, on_wall)
		SELECT unnest(ARRAY[user_one_id, user_two_id]), id, false FROM graduated_couples WHERE status = 'graduated' ON CONFLICT DO NOTHING`,
	`INSERT INTO pulse_sharing (user_id, couple_id) SELECT user_id, couple_id FROM couple_members`,
	`INSERT INTO user_passes (from_user_id, to_user_id) SELECT two, one FROM pairs WHERE one <> @ann AND n % 4 = 0 ON CONFLICT DO NOTHING`,
	`INSERT INTO files (id, owner_id, content_type, bytes) SELECT id, id, 'image/webp', 1 FROM other_users`,
	`INSERT INTO member_media (file_id, user_id, slot, position) SELECT id, id, 'photo', 1 FROM other_users`,
	`INSERT INTO blocks (blocker_id, blocked_id) SELECT two, one FROM pairs WHERE one <> @ann AND n % 4 = 0 ON CONFLICT DO NOTHING`,
	`INSERT INTO read_notifications (user_id, item, read_at) SELECT two, 'matched-' || n || row_number() OVER (), at FROM pairs WHERE n % 4 = 0`,
	`INSERT INTO user_badges (user_id, badge_id, earned_at) SELECT u.id, b.id, now() - u.n * interval '1 minute' FROM other_users u, badges b WHERE b.position <= 2`,
	`INSERT INTO user_badges (user_id, badge_id) SELECT @ann, id FROM badges`,
	`INSERT INTO shareable_moments (id, user_id, moment_type, subject_id, title, caption, created_at)
		SELECT gen_random_uuid(), user_b, 'match', id, 'New match', '', created_at FROM matches`,
	`INSERT INTO moment_consents (moment_id, peer_id, asked_at)
		SELECT s.id, m.user_a, s.created_at FROM shareable_moments s JOIN matches m ON m.id = s.subject_id
		WHERE m.user_a <> @ann OR s.created_at > now() - interval '1600 minutes'`, // 40 to Ann
	// 20 of Ann's, each with 10 comments by others, 4 of them with 300, and 3,000 of others, of which 40 have a comment by Ann with a reply,
	// and one of these has 1,000 replies.
	`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, published_at, decided_at, rejection_reason)
		SELECT CASE WHEN n <= 20 THEN @ann ELSE two END, gen_random_uuid(), 'A title', 'An excerpt', 'A story', 'advice', ARRAY['a'],
			CASE n % 10 WHEN 9 THEN 'rejected' ELSE 'published' END, CASE n % 10 WHEN 9 THEN NULL ELSE at END, at, CASE n % 10 WHEN 9 THEN 'No' ELSE '' END
		FROM pairs WHERE one = @ann`,
	`INSERT INTO post_comments (post_id, author_id, client_id, content, created_at)
		SELECT p.id, u.id, gen_random_uuid(), 'Hi', now() - u.n * interval '1 minute' FROM community_posts p, other_users u WHERE u.n <= 10`,
	`INSERT INTO post_comments (post_id, author_id, client_id, content, created_at)
		SELECT p.id, u.id, gen_random_uuid(), 'Hi', now() - u.n * interval '1 minute'
		FROM (SELECT id FROM community_posts WHERE author_id = @ann AND status = 'published' LIMIT 4) p, other_users u WHERE u.n > 10 AND u.n <= 300`,
	`INSERT INTO post_comments (post_id, author_id, client_id, content, created_at)
		SELECT id, @ann, gen_random_uuid(), 'Hi', now() FROM (SELECT id FROM community_posts WHERE author_id <> @ann LIMIT 40) p`,
	`INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content, created_at)
		SELECT p.post_id, p.id, u.id, gen_random_uuid(), 'Hi', now() FROM post_comments p JOIN other_users u ON u.n = 1 WHERE p.author_id = @ann OR p.created_at > now() - interval '3 minutes'`,
	`INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content, created_at)
		SELECT p.post_id, p.id, u.id, gen_random_uuid(), 'Hi', now() - u.n * interval '1 minute'
		FROM (
			SELECT c.*
			FROM post_comments c
			JOIN community_posts b ON b.id = c.post_id AND b.author_id <> @ann AND b.status = 'published'
			WHERE c.author_id = @ann
			LIMIT 1
		) p, other_users u WHERE u.n <= 1000`,
}

// mostRows is the maximum number of rows that a step of a plan may read. It is below the number of Ann's likes in one
// direction and of her matches on one side, and above that of rows of which all are read, such as the comments on her posts.
const mostRows = 500

// Reads the plans of a member with 1,500 likes in each direction and 3,000 matches, in tables of several
// times as many rows.
func TestStatements_CostDoesNotGrowWithTheTables(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann", 100)
	pgtest.Fill(t, w.Pool, filled, pgx.NamedArgs{"ann": ann}, manyRows...)
	w.Exec(`VACUUM ANALYZE`) // an index only scan is cheap after VACUUM, which PostgreSQL may run by itself
	for name, statement := range activity.Statements {
		for _, after := range []time.Time{web.StartCursor.At, w.minutesAgo(40 * 24 * 60)} {
			plan := pgtest.Explain(t, w.Pool, pg.GenericPlan, statement, activity.StatementArgs(name, ann, after, 51))
			pgtest.CheckPlan(t, name, plan, mostRows, "badges")
			require.NotContains(t, plan, "Function Scan on visible_members", name)
		}
	}
}

// A connection keeps its plan while the tables grow, so a plan for empty tables must not read them whole.
func TestStatements_PlansForEmptyTablesReadIndexes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.member("Ann", 100)
	w.Exec(`VACUUM`) // before the first VACUUM, PostgreSQL assumes that an empty table has a few pages
	for name, statement := range activity.Statements {
		pgtest.CheckPlan(t, name, pgtest.Explain(t, w.Pool, pg.GenericPlan, statement, activity.StatementArgs(name, ann, web.StartCursor.At, 51)), mostRows, "badges")
	}
}

// The count has the sources of the notifications, with the same rows: it differs only in leaving out what was read, and in
// not sorting what it counts.
func TestStatements_CountWhatIsListed(t *testing.T) {
	t.Parallel()
	sources := strings.Count(activity.NotificationRows, " LIMIT @limit)")
	require.Greater(t, sources, 20)
	listed := strings.ReplaceAll(activity.NotificationRows, activity.EndEach, activity.EndEachAny)
	isCountOf := func(unread string) bool {
		all := strings.NewReplacer(activity.AndNotBadgeRead, "", activity.AndNotRead, "").Replace(unread)
		return all == listed && countsUnread(unread)
	}
	require.True(t, isCountOf(activity.UnreadRows))
	for name, change := range activity.Mutations {
		changed := strings.Replace(activity.UnreadRows, change[0], change[1], 1)
		require.NotEqual(t, activity.UnreadRows, changed, name)
		require.False(t, isCountOf(changed), name)
	}
}

// countsUnread reports whether each source of the count leaves out what was read, which for badges, the only ones with
// is_notified, includes those seen elsewhere.
func countsUnread(rows string) bool {
	for source := range strings.SplitSeq(rows, " UNION ALL (SELECT") {
		unread := activity.AndNotRead
		if strings.Contains(source, "is_notified AS is_seen") {
			unread = activity.AndNotBadgeRead
		}
		if !strings.Contains(source, unread) {
			return false
		}
	}
	return true
}
