package activity

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// row is a row of page.
type row struct {
	Kind   Kind
	At     time.Time
	ID     uuid.UUID  // of the row of the source; with At the sort key
	Other  *uuid.UUID // the other member; nil without one
	Key    string     // the part of the item's id after the kind
	Others int        // the number of further members of a group of likes
	Target uuid.UUID  // what the item opens
	Name   string     // in the text of the item; empty for none
	IsRead bool
}

func (r row) cursor() web.Cursor { return web.Cursor{At: r.At, ID: r.ID} }

// readState is how far a member has read the notifications.
type readState struct {
	readUntil time.Time     // the zero time if the member has read none
	offset    time.Duration // the member's current distance from UTC
	oldest    time.Time     // since when notifications are listed
}

// oldestUnread returns a time before which no notification is unread.
func (s readState) oldestUnread() time.Time {
	// readUntil is rounded down to milliseconds. Notifications of the same millisecond are read.
	if next := s.readUntil.Add(time.Millisecond); next.After(s.oldest) {
		return next
	}
	return s.oldest
}

// selectState reads the member's position, and the time zone by which likes are grouped into days.
func selectState(ctx context.Context, db pg.DB, member uuid.UUID, now time.Time) (readState, error) {
	state := readState{oldest: now.Add(-maxAge)}
	var until *time.Time
	var zone *string
	err := db.QueryRow(ctx, `
		SELECT
			(SELECT read_until FROM notification_positions WHERE user_id = $1),
			(SELECT time_zone FROM digest_settings WHERE user_id = $1)`, member).Scan(&until, &zone)
	if err != nil {
		return state, pg.Fault(err)
	}
	if until != nil {
		state.readUntil = *until
	}
	if zone != nil {
		if location, err := web.Zone(*zone); err == nil { // a zone may leave the list
			_, seconds := now.In(location).Zone()
			state.offset = time.Duration(seconds) * time.Second
		}
	}
	return state, nil
}

// position is what a page or count of a member's list is read from.
type position struct {
	member uuid.UUID
	after  web.Cursor
	limit  int
	state  readState
	floor  time.Time // older notifications are left out
	counts bool      // only the number of rows is read
}

func (p position) args() pgx.NamedArgs {
	// The recursive sources step over rows that are not returned: one day, because that of the cursor may have been
	// listed, and for the count of unread ones those that were read singly.
	steps := p.limit + 1
	if p.counts {
		steps = p.limit + maxRead
	}
	return pgx.NamedArgs{
		"viewer": p.member, "at": p.after.At, "id": p.after.ID, "limit": p.limit, "steps": steps,
		"readUntil": p.state.readUntil, "offset": p.state.offset, "floor": p.floor, "maxOthers": maxOthers,
	}
}

func selectRows(ctx context.Context, pool *pgxpool.Pool, statement string, p position) ([]row, error) {
	return pg.QueryGeneric(ctx, pool, statement, p.args(), func(rows pgx.Rows) ([]row, error) {
		return pgx.CollectRows(rows, pgx.RowToStructByName[row])
	})
}

// selectVisibleCards returns the cards of the members in ids whom viewer may see.
func selectVisibleCards(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]members.UserCard, error) {
	visible, err := members.VisibleIDs(ctx, db, viewer, ids)
	if err != nil {
		return nil, err
	}
	return members.Cards(ctx, db, viewer, visible)
}

// insertRead stores items as read, if they are newer than oldest and after the position, and deletes
// the oldest above maxRead. The caller holds the lock of the member's row.
func insertRead(ctx context.Context, tx pgx.Tx, member uuid.UUID, items []ReadItem, oldest time.Time) error {
	if len(items) == 0 {
		return nil
	}
	newest := map[string]time.Time{} // an item may be named twice, which ON CONFLICT refuses
	for _, item := range items {
		if at := web.Time(item.At); at.After(newest[item.ID]) {
			newest[item.ID] = at
		}
	}
	var ids []string
	var times []time.Time
	for id, at := range newest {
		ids, times = append(ids, id), append(times, at)
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO read_notifications AS r (user_id, item, read_at)
		SELECT $1, item, least(read_at, now())
		FROM unnest($2::text[], $3::timestamptz[]) AS read (item, read_at)
		WHERE read_at >= $4
			AND read_at > coalesce((SELECT read_until FROM notification_positions WHERE user_id = $1), '-infinity')
		ON CONFLICT (user_id, item) DO UPDATE SET
			read_at = greatest(r.read_at, excluded.read_at)`, member, ids, times, oldest)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		DELETE FROM read_notifications
		WHERE user_id = $1
			AND item IN (
				SELECT item
				FROM read_notifications
				WHERE user_id = $1
				ORDER BY read_at DESC, item DESC
				OFFSET $2
			)`, member, maxRead)
	return err
}

// updatePosition moves the member's position to a later time, and deletes what was read before it.
func updatePosition(ctx context.Context, tx pgx.Tx, member uuid.UUID, until time.Time) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO notification_positions AS p (user_id, read_until)
		VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET
			read_until = greatest(p.read_until, excluded.read_until)`, member, web.Time(until))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		DELETE FROM read_notifications
		WHERE user_id = $1
			AND read_at <= $2`, member, web.Time(until))
	return err
}
