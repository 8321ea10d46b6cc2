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
	Reset         bool           `json:"reset" doc:"This page begins a list of all there is: what the device holds is replaced, not merged, and what is in no page is gone"`
	HasMore       bool           `json:"hasMore" doc:"Whether to call again at once"`
	Conversations []Conversation `json:"conversations" doc:"Changed since the cursor; some may come twice"`
	Removed       []uuid.UUID    `json:"removed" doc:"Conversations that are no longer there"`
}

// syncCursor is a place in the order of transactions. While one is running,
// those that began later may already be over, so a member has seen everything
// only up to the oldest that was running (Floor). A pass over several pages
// ends with the floor of its first page.
type syncCursor struct {
	Database uuid.UUID `json:"d"` // its identity: elsewhere the numbers mean nothing
	Floor    uint64    `json:"f"` // of this pass; when it is done, where the next begins
	From     uint64    `json:"x"` // read rows at or after this place,
	After    uuid.UUID `json:"i"` // and in the transaction From after this id
}

// Sync returns the actor's conversations that changed since the cursor: all of
// them (Delta.Reset) without a cursor, or when it was given by another database
// or before this one was put back in time. Each change is returned at least
// once. Invalid for a malformed cursor.
func (s *Service) Sync(ctx context.Context, actor web.Actor, cursor string, limit int) (Delta, error) {
	given, err := decodeSyncCursor(cursor)
	if err != nil {
		return Delta{}, err
	}
	type page struct {
		at   syncCursor
		rows []conversationRow
	}
	// The position and the rows must come from one snapshot.
	read, err := pg.ReadSnapshot(ctx, s.pool, func(tx pgx.Tx, now pg.Position) (page, error) {
		at := given.in(now)
		rows, err := conversationsByChange(ctx, tx, actor.ID, at, limit+1)
		return page{at, rows}, err
	})
	if err != nil {
		return Delta{}, pg.Fault(err)
	}
	return s.changes(ctx, read.at, read.rows, limit)
}

func (s *Service) changes(ctx context.Context, at syncCursor, rows []conversationRow, limit int) (Delta, error) {
	out := Delta{Reset: at.From == 0 && at.After == uuid.Nil, HasMore: len(rows) > limit, Removed: []uuid.UUID{}}
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
func (c syncCursor) in(now pg.Position) syncCursor {
	seen := max(c.Floor, c.From)
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
	if at.Database == uuid.Nil || at.Floor > most || at.From > most {
		return at, badCursor()
	}
	return at, nil
}

// conversationsByChange reads those changed at or after the place, hidden ones
// too unless the device knows nothing yet.
func conversationsByChange(ctx context.Context, db pg.DB, me uuid.UUID, at syncCursor, limit int) ([]conversationRow, error) {
	rows, err := db.Query(ctx, sideSQL+`(s.changed_xid, c.id) > ($2::text::xid8, $3)
		AND ($2::text <> '0' OR `+shown+`)
		ORDER BY s.changed_xid, c.id LIMIT $4`, me, strconv.FormatUint(at.From, 10), at.After, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanConversation)
}
