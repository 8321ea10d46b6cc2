package badges

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// listOrder is the order of badges b in lists.
const listOrder = `array_position(ARRAY['profile', 'social', 'engagement', 'referral'], b.category), b.position`

// badgesSQL selects the active badges and those that the member has. The count of an earned badge
// is not computed.
var badgesSQL = `
SELECT
	b.id,
	b.name,
	b.description,
	b.icon AS icon_key,
	b.color_palette,
	b.category,
	b.requirements,
	CASE WHEN e.id IS NOT NULL THEN b.needed ELSE ` + progressSQL(allCriteria) + ` END AS count,
	b.needed
FROM badges b
LEFT JOIN user_badges e ON e.badge_id = b.id AND e.user_id = @member
WHERE b.is_active OR e.id IS NOT NULL
ORDER BY ` + listOrder

func selectBadges(ctx context.Context, db pg.DB, member uuid.UUID) ([]Badge, error) {
	rows, _ := db.Query(ctx, badgesSQL, pgx.NamedArgs{"member": member})
	return pgx.CollectRows(rows, pgx.RowToStructByName[Badge])
}

func selectEarned(ctx context.Context, db pg.DB, member uuid.UUID) ([]UserBadge, error) {
	rows, _ := db.Query(ctx, `
		SELECT id, badge_id, earned_at, is_notified
		FROM user_badges
		WHERE user_id = $1
		ORDER BY earned_at DESC, id DESC`, member)
	return pgx.CollectRows(rows, pgx.RowToStructByPos[UserBadge])
}

func selectNew(ctx context.Context, db pg.DB, member uuid.UUID) ([]NewBadge, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			id,
			badge_id,
			name,
			description,
			icon AS icon_key,
			color_palette
		FROM earned_badges
		WHERE user_id = $1
			AND NOT is_notified
		ORDER BY earned_at, id`, member)
	return pgx.CollectRows(rows, pgx.RowToStructByName[NewBadge])
}

func selectVisible(ctx context.Context, db pg.DB, viewer, member uuid.UUID) (visible bool, err error) {
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM visible_members(@viewer) u WHERE u.id = @member)`,
		pgx.NamedArgs{"member": member, "viewer": viewer}).Scan(&visible)
	return visible, err
}

func selectShown(ctx context.Context, db pg.DB, member uuid.UUID) ([]ShownBadge, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			b.name,
			b.description,
			b.icon AS icon_key,
			b.color_palette
		FROM user_badges e
		JOIN badges b ON b.id = e.badge_id AND b.is_public
		JOIN profiles u ON u.id = e.user_id AND NOT u.hide_badges
		WHERE e.user_id = $1
		ORDER BY `+listOrder, member)
	return pgx.CollectRows(rows, pgx.RowToStructByName[ShownBadge])
}

// updateNotified stores that the celebration is closed, and reports whether it was open.
func updateNotified(ctx context.Context, db pg.DB, member, badge uuid.UUID) (changed bool, err error) {
	var exists bool
	err = db.QueryRow(ctx, `
		WITH changed AS (
			UPDATE user_badges
			SET is_notified = true
			WHERE user_id = $1
				AND badge_id = $2
				AND NOT is_notified
			RETURNING 1
		)
		SELECT
			EXISTS (SELECT FROM changed),
			EXISTS (SELECT FROM user_badges WHERE user_id = $1 AND badge_id = $2)`, member, badge).Scan(&changed, &exists)
	if err == nil && !exists {
		return false, notFound()
	}
	return changed, pg.Fault(err)
}

// awardSQL stores the badges of the named criteria that a member has earned and does not have, with the time at which
// they were earned; now, if that is not known.
func awardSQL(names []string) string {
	return `
INSERT INTO user_badges (user_id, badge_id, earned_at, is_notified, is_silent)
SELECT u.id, b.id, coalesce(` + awardTimeSQL(names) + `, now()), @silent::boolean, @silent::boolean
FROM badges b
JOIN profiles u ON u.id = @member
WHERE b.is_active
	AND b.criterion = ANY (@criteria)
	AND NOT EXISTS (SELECT FROM user_badges e WHERE e.user_id = @member AND e.badge_id = b.id)
	AND ` + progressSQL(names) + ` >= b.needed
ON CONFLICT (user_id, badge_id) DO NOTHING
RETURNING id`
}

// insertEarned awards the badges of the criteria that a member has earned, and returns the ids of their rows. A silent award
// has no celebration.
func insertEarned(ctx context.Context, tx pgx.Tx, member uuid.UUID, names []string, silent bool) ([]uuid.UUID, error) {
	rows, _ := tx.Query(ctx, awardSQL(names), pgx.NamedArgs{"member": member, "criteria": names, "silent": silent})
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// selectLacking returns those of the members who lack an active badge of the criteria.
func selectLacking(ctx context.Context, db pg.DB, ids []uuid.UUID, names []string) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `
		SELECT m.id
		FROM unnest($1::uuid[]) m (id)
		WHERE EXISTS (
			SELECT FROM badges b
			WHERE b.is_active
				AND b.criterion = ANY ($2)
				AND NOT EXISTS (SELECT FROM user_badges e WHERE e.user_id = m.id AND e.badge_id = b.id))`, ids, names)
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}
