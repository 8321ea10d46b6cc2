package messaging

import (
	"context"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Delta is what a device has to learn. It applies them and keeps the cursor.
type Delta struct {
	Cursor        string         `json:"cursor" doc:"To be sent with the next call"`
	HasMore       bool           `json:"hasMore" doc:"Whether to call again at once"`
	Conversations []Conversation `json:"conversations" doc:"Changed since the cursor; some may come twice"`
	Removed       []uuid.UUID    `json:"removed" doc:"Conversations that are no longer there"`
}

// syncCursor is a place in the order of transactions. While one is running,
// those that began later may already be over, so a member has seen everything
// only up to the oldest that was running (Floor). A pass over several pages
// ends with the floor of its first page.
type syncCursor struct {
	Database string    `json:"d"` // cluster, timeline and database: elsewhere the numbers mean nothing
	Floor    uint64    `json:"f"` // of this pass; when it is done, where the next begins
	From     uint64    `json:"x"` // read rows at or after this place,
	After    uuid.UUID `json:"i"` // and in the transaction From after this id
}

// Sync answers with the actor's conversations that changed since the cursor:
// all of them without one, or when it comes from another database or from one
// that has since been put back in time. Each change is told at least once.
// Invalid for a cursor that is none.
func (s *Service) Sync(ctx context.Context, actor web.Actor, cursor string, limit int) (Delta, error) {
	at, err := decodeSyncCursor(cursor)
	if err != nil {
		return Delta{}, err
	}
	var now databaseTime
	var rows []conversationRow
	// One snapshot for where we are and what there is.
	err = pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if now, err = readDatabaseTime(ctx, tx); err != nil {
			return err
		}
		at = at.in(now)
		rows, err = conversationsByChange(ctx, tx, actor.ID, at, limit+1)
		return err
	})
	if err != nil {
		return Delta{}, pg.Fault(err)
	}
	return s.changes(ctx, at, rows, limit)
}

func (s *Service) changes(ctx context.Context, at syncCursor, rows []conversationRow, limit int) (Delta, error) {
	out := Delta{HasMore: len(rows) > limit, Removed: []uuid.UUID{}}
	next := syncCursor{Database: at.Database, From: at.Floor}
	if out.HasMore {
		rows = rows[:limit]
		last := rows[limit-1]
		next = syncCursor{Database: at.Database, Floor: at.Floor, From: last.ChangedXID, After: last.ID}
	}
	out.Cursor = web.EncodeCursor(next)
	var open []conversationRow
	for _, row := range rows {
		if row.Closed {
			out.Removed = append(out.Removed, row.ID)
		} else {
			open = append(open, row)
		}
	}
	var err error
	out.Conversations, err = s.present(ctx, open)
	return out, err
}

// in fits the cursor to the database it is used on.
func (c syncCursor) in(now databaseTime) syncCursor {
	seen := c.Floor // by this database; From may come from a restored row
	if seen == 0 {
		seen = c.From
	}
	if c.Database != now.Database || seen > now.Next {
		c = syncCursor{Database: now.Database}
	}
	if c.Floor == 0 {
		c.Floor = now.Oldest // the first page of a pass
	}
	return c
}

func decodeSyncCursor(cursor string) (syncCursor, error) {
	var at syncCursor
	if cursor == "" {
		return at, nil
	}
	if err := web.DecodeCursor(cursor, &at); err != nil {
		return at, err
	}
	const most = 1 << 62
	if at.Database == "" || len(at.Database) > 100 || at.Floor > most || at.From > most {
		return at, badCursor()
	}
	return at, nil
}

// databaseTime is which database this is and which transactions are over.
type databaseTime struct {
	Database     string
	Oldest, Next uint64 // all before Oldest are over; Next has not begun
}

func readDatabaseTime(ctx context.Context, db pg.DB) (t databaseTime, err error) {
	err = db.QueryRow(ctx, `
		SELECT concat_ws('.', (SELECT system_identifier FROM pg_control_system()),
				(SELECT timeline_id FROM pg_control_checkpoint()),
				(SELECT oid FROM pg_database WHERE datname = current_database())),
			pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint`).
		Scan(&t.Database, &t.Oldest, &t.Next)
	return t, err
}

// conversationsByChange reads those changed at or after the place, hidden ones
// too unless the device knows nothing yet.
func conversationsByChange(ctx context.Context, db pg.DB, me uuid.UUID, at syncCursor, limit int) ([]conversationRow, error) {
	rows, err := db.Query(ctx, sideSQL+`(`+seenChanged+`, c.id) > ($2::text::xid8, $3)
		AND ($2::text <> '0' OR `+shown+`)
		ORDER BY `+seenChanged+`, c.id LIMIT $4`, me, strconv.FormatUint(at.From, 10), at.After, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanConversation)
}
