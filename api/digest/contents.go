package digest

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/pulse"
)

// contents is what happened in a member's week. Of others it has the first names only, and only
// of those whom the member may see. Of texts that members wrote it has only the titles of posts,
// which a moderator has published.
type contents struct {
	matches []string // first names, newest match first
	likes   int      // that the member has not answered
	unread  int      // conversations with unread messages, without muted and archived ones
	// First names of those with whom the unread conversations are, in alphabetical order.
	unreadFrom []string
	requests   int    // message requests with unread messages, without muted ones
	dates      []date // in the next seven days, earliest first
	picks      []pick // of the community, the most liked first; they alone are no reason for a mail
	streak     int    // of the member's Love Pulse, in days; alone it is no reason for a mail
}

func (c contents) isEmpty() bool {
	return len(c.matches) == 0 && c.likes == 0 && c.unread == 0 && c.requests == 0 && len(c.dates) == 0
}

// pick is a post of the community of the week.
type pick struct {
	ID    uuid.UUID
	Title string
}

// date is a planned date.
type date struct {
	With string
	At   time.Time
	Zone string // of the plan
}

// selectContents returns the contents since a time. zone is the member's.
func selectContents(ctx context.Context, db pg.DB, member uuid.UUID, since time.Time, zone *time.Location) (c contents, err error) {
	args := pgx.NamedArgs{"viewer": member, "since": since}
	err = db.QueryRow(ctx, `
		SELECT
			ARRAY(
				SELECT u.first_name
				FROM match_sides m
				JOIN visible_members(@viewer) u ON u.id = m.peer_id
				WHERE m.member_id = @viewer
					AND m.created_at >= @since
					AND m.unmatched_at IS NULL
					AND u.profile_status = 'active'
				ORDER BY m.created_at DESC),
			(
				SELECT count(*)
				FROM likes r
				JOIN visible_members(@viewer) u ON u.id = r.member_id
				WHERE r.peer_id = @viewer
					AND r.created_at >= @since
					AND NOT EXISTS (SELECT FROM decided_pairs d WHERE d.member_id = @viewer AND d.peer_id = u.id)),
			unread.conversations,
			unread.names,
			unread.requests
		FROM (
			SELECT
				count(*) FILTER (WHERE s.requested_by IS NULL) AS conversations,
				array_agg(u.first_name ORDER BY u.first_name) FILTER (WHERE s.requested_by IS NULL) AS names,
				count(*) FILTER (WHERE s.requested_by = s.peer_id) AS requests
			FROM conversation_sides s
			JOIN visible_members(@viewer) u ON u.id = s.peer_id
			WHERE s.member_id = @viewer
				AND s.closed_at IS NULL
				AND s.declined_at IS NULL
				AND (s.muted_until IS NULL OR s.muted_until < now())
				AND NOT EXISTS (SELECT FROM archived_sides a WHERE a.conversation_id = s.conversation_id AND a.member_id = @viewer)
				AND s.has_unread
				AND u.profile_status = 'active'
		) unread`, args).Scan(&c.matches, &c.likes, &c.unread, &c.unreadFrom, &c.requests)
	if err != nil {
		return c, err
	}
	if c.dates, err = selectDates(ctx, db, args); err != nil || c.isEmpty() {
		return c, err
	}
	if c.picks, err = selectPicks(ctx, db, args); err != nil {
		return c, err
	}
	c.streak, err = pulse.StreakOf(ctx, db, member, time.Now().In(zone))
	return c, err
}

// selectPicks returns at most three posts of the week, unless the member wants nothing of the
// community: those that most members like, and of these the newest.
func selectPicks(ctx context.Context, db pg.DB, args pgx.NamedArgs) ([]pick, error) {
	rows, _ := db.Query(ctx, `
		SELECT p.post_id, p.title
		FROM published_posts p
		WHERE p.published_at >= @since
			AND p.author_id <> @viewer
			AND NOT EXISTS (SELECT FROM blocked_pairs b WHERE b.member_id = @viewer AND b.peer_id = p.author_id)
			AND NOT EXISTS (SELECT FROM digest_settings n WHERE n.user_id = @viewer AND NOT n.wants_community)
		ORDER BY p.like_count DESC, p.published_at DESC, p.post_id
		LIMIT 3`, args)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[pick])
}

func selectDates(ctx context.Context, db pg.DB, args pgx.NamedArgs) ([]date, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.first_name,
			d.at,
			d.time_zone
		FROM planned_dates d
		JOIN visible_members(@viewer) u ON u.id = d.peer_id
		WHERE d.member_id = @viewer
			AND d.at BETWEEN now() AND now() + interval '7 days'
			AND u.profile_status = 'active'
		ORDER BY d.at
		LIMIT 20`, args)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[date])
}
