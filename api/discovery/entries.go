package discovery

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heartward/api/discovery/index"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

// entryRow is a row of entrySQL. A member who is not searched must not be in the index.
type entryRow struct {
	IsSearched bool
	index.Member
	members.Words
}

// entrySQL reads the members of the index.
const entrySQL = `
	SELECT
		u.is_searched,
		u.id,
		to_char(u.birth_date, 'YYYYMMDD')::int AS birth,
		u.seen_city AS city,
		u.seen_state AS state,
		u.seen_lat AS lat,
		u.seen_lon AS lon,
		u.intention_tags,
		u.has_children,
		u.wants_children,
		u.education,
		u.counted_religion AS religion,
		u.gender,
		u.interested_in,
		coalesce(u.height_cm, 0) AS height,
		u.is_featured AS featured,
		u.is_verified AS verified,
		u.hide_online AS hides_activity,
		u.incognito,
		floor(extract(epoch FROM u.last_active_at) / 3600)::int AS active_hour,
		(extract(epoch FROM u.created_at) * 1000000)::bigint AS created,
		u.completeness,
		u.has_voice,
		u.has_video,
		u.presents,
		` + wordColumns + `
	FROM search_members u
	`

const searchedEntriesSQL = entrySQL + `WHERE u.is_searched`

// changedRecently is an SQL condition for the rows that a refresh reads. It includes transactions
// that began before the last refresh and committed after it, because their ids are not
// below the oldest one that was running then. It excludes rows with the id of a
// transaction that has not begun: these were restored from another cluster and have not
// changed since.
const changedRecently = `search_xid >= @oldest::text::xid8 AND search_xid < @next::text::xid8`

// changedEntriesSQL are the statements for the members who have changed since the last refresh. The pause or visit of
// those in the last two has ended since then, which changed no row. Each reads by an index of its own.
var changedEntriesSQL = []string{
	entrySQL + `WHERE ` + changedRecently,
	entrySQL + `WHERE u.paused_until > @since AND u.paused_until <= now()`,
	entrySQL + `WHERE u.visit_until > @since AND u.visit_until <= now()`,
}

const removedSQL = `SELECT user_id FROM search_removals WHERE ` + changedRecently

const activitiesSQL = `
	SELECT
		user_id AS id,
		floor(extract(epoch FROM active_hour) / 3600)::int AS hour
	FROM search_active_hours
	WHERE ` + changedRecently

// eachEntry calls visit for each row of a statement that begins with entrySQL.
func eachEntry(ctx context.Context, db pg.DB, statement string, args pgx.NamedArgs, visit func(searched bool, m index.Member)) error {
	rows, _ := db.Query(ctx, statement, args)
	return pg.EachRow(rows, func(row *entryRow) {
		row.Attributes = attributes(&row.Words)
		visit(row.IsSearched, row.Member)
	})
}

// readActivities applies changed hours of the last activity. They are in a narrow table,
// so that an activity does not cause a read of the profile.
func readActivities(ctx context.Context, db pg.DB, in *index.Index, args pgx.NamedArgs) error {
	rows, _ := db.Query(ctx, activitiesSQL, args)
	pending := make([]index.Activity, 0, indexBatch)
	err := pg.EachRow(rows, func(a *index.Activity) {
		if pending = append(pending, *a); len(pending) == indexBatch {
			in.SetActivities(pending...)
			pending = pending[:0]
		}
	})
	in.SetActivities(pending...)
	return err
}
