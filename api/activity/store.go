package activity

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// row is a row of the list. id is that of the row it was read from.
type row struct {
	kind  Kind
	at    time.Time
	id    uuid.UUID
	other *uuid.UUID
}

func (r row) item(cards map[uuid.UUID]members.UserCard) Item {
	item := Item{ID: fmt.Sprintf("%s-%s", r.kind, r.id), Kind: r.kind, At: web.Time(r.at), Text: texts[r.kind][0]}
	if r.other != nil {
		if card, ok := cards[*r.other]; ok {
			item.User, item.Text = &card, fmt.Sprintf(texts[r.kind][1], card.FirstName)
		}
	}
	return item
}

// sources are the queries of the list. Their columns are the kind, the time, the id and the
// other member. pageSQL limits each to a page, and each uses an index, so that the cost of
// a page does not grow with the tables. A profile has at most 25 media.
var sources = []string{
	`SELECT
		CASE l.like_type WHEN 'like' THEN 'liked' ELSE 'super_liked' END AS kind,
		l.created_at AS at,
		l.id,
		l.peer_id AS other
	FROM likes l
	WHERE l.member_id = @member
		AND (l.created_at, l.id) < (@at, @id)`,

	`SELECT 'matched', m.created_at, m.match_id, m.peer_id
	FROM match_sides m
	WHERE m.member_id = @member
		AND m.unmatched_at IS NULL
		AND (m.created_at, m.match_id) < (@at, @id)`,

	`SELECT 'date_planned', d.accepted_at, d.date_id, d.peer_id
	FROM planned_dates d
	WHERE d.member_id = @member
		AND (d.accepted_at, d.date_id) < (@at, @id)`,

	`SELECT
		CASE m.slot
			WHEN 'header_banner' THEN 'banner_added'
			WHEN 'audio_greeting' THEN 'voice_added'
			WHEN 'video_greeting' THEN 'video_added'
			WHEN 'gallery_video' THEN 'video_added'
			ELSE 'photo_added'
		END,
		m.added_at,
		m.file_id,
		NULL::uuid
	FROM profile_media m
	WHERE m.user_id = @member
		AND (m.added_at, m.file_id) < (@at, @id)`,

	`SELECT 'verified', u.verified_at, u.id, NULL
	FROM profiles u
	WHERE u.id = @member
		AND u.verified_at > u.created_at
		AND (u.verified_at, u.id) < (@at, @id)`,

	`SELECT 'friend_joined', u.created_at, u.id, NULL
	FROM profiles u
	WHERE u.referred_by = @member
		AND (u.created_at, u.id) < (@at, @id)`,

	`SELECT 'friend_completed', r.completed_at, r.referred_id, NULL
	FROM completed_referrals r
	WHERE r.referrer_id = @member
		AND (r.completed_at, r.referred_id) < (@at, @id)`,
}

// pageSQL selects a page of all sources.
var pageSQL = func() string {
	var branches []string
	for _, source := range sources {
		branches = append(branches, "("+source+" ORDER BY 2 DESC, 3 DESC LIMIT @limit)")
	}
	return strings.Join(branches, " UNION ALL ") + ` ORDER BY 2 DESC, 3 DESC LIMIT @limit`
}()

func pageArgs(member uuid.UUID, after web.Cursor, limit int) pgx.NamedArgs {
	return pgx.NamedArgs{"member": member, "at": after.At, "id": after.ID, "limit": limit}
}

func selectRows(ctx context.Context, db pg.DB, member uuid.UUID, after web.Cursor, limit int) ([]row, error) {
	rows, _ := db.Query(ctx, pageSQL, pageArgs(member, after, limit))
	list, err := pgx.CollectRows(rows, func(collectable pgx.CollectableRow) (r row, err error) {
		err = collectable.Scan(&r.kind, &r.at, &r.id, &r.other)
		return r, err
	})
	return list, pg.Fault(err)
}

// selectVisibleCards returns the cards of the members in ids whom viewer may see.
func selectVisibleCards(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]members.UserCard, error) {
	rows, _ := db.Query(ctx, `SELECT u.id FROM profiles u WHERE u.id = ANY(@ids) AND `+members.Visible,
		pgx.NamedArgs{"ids": ids, "viewer": viewer})
	visible, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, pg.Fault(err)
	}
	return members.Cards(ctx, db, viewer, visible)
}
