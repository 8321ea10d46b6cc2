package conversations

import (
	"context"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Delta is the changes since a sync cursor. The device applies them and stores the new
// cursor.
type Delta struct {
	Cursor        string         `json:"cursor" doc:"The cursor for the next call"`
	Reset         bool           `json:"reset" doc:"Whether this is the first page of a complete list: the device replaces its data, and removes what is on none of the pages"`
	HasMore       bool           `json:"hasMore" doc:"Whether another page follows"`
	Conversations []Conversation `json:"conversations" doc:"The conversations that changed since the cursor; some may be repeated"`
	Removed       []uuid.UUID    `json:"removed" doc:"Conversations that are no longer shown"`
}

// syncCursor is a position in the order of transactions. Transactions may end out of order,
// so a device has all changes only up to the oldest transaction that was running (Floor).
// A round may have several pages. The next round begins at the floor of the first page.
type syncCursor struct {
	Database uuid.UUID `json:"d"` // identity of the database to which the numbers belong
	Floor    uint64    `json:"f"` // of this round, where the next one begins
	From     uint64    `json:"x"` // the first transaction to read
	After    uuid.UUID `json:"i"` // the last conversation that was read of transaction From
}

// Sync returns the actor's conversations that changed since the cursor. It returns
// all of them (Delta.Reset) without a cursor, and for a cursor of another database or of a
// state that a restore has undone. Each change is returned at least once. It returns
// Invalid for a malformed cursor.
func (s *Service) Sync(ctx context.Context, actor web.Actor, cursor string, limit int) (Delta, error) {
	given, err := decodeSyncCursor(actor.ID, cursor)
	if err != nil {
		return Delta{}, err
	}
	type page struct {
		at   syncCursor
		rows []conversationRow
	}
	// The position and the rows must come from one snapshot.
	read, err := pg.ReadSnapshot(ctx, s.pool, func(tx pgx.Tx, now pg.Position) (page, error) {
		at := given.forRound(now)
		rows, err := selectConversationsByChange(ctx, tx, actor.ID, at, limit+1)
		return page{at, rows}, err
	})
	if err != nil {
		return Delta{}, pg.Fault(err)
	}
	return s.delta(ctx, actor.ID, read.at, read.rows, limit)
}

// delta returns the page of rows. rows has limit+1 elements if another page follows.
func (s *Service) delta(ctx context.Context, member uuid.UUID, at syncCursor, rows []conversationRow, limit int) (Delta, error) {
	out := Delta{Reset: at.From == 0 && at.After == uuid.Nil, HasMore: len(rows) > limit, Removed: []uuid.UUID{}}
	next := syncCursor{Database: at.Database, From: at.Floor}
	if out.HasMore {
		rows = rows[:limit]
		last := rows[limit-1]
		next = syncCursor{Database: at.Database, Floor: at.Floor, From: last.ChangedXID, After: last.ID}
	}
	out.Cursor = web.EncodeCursor(syncList(member), next)
	var open []conversationRow
	for _, row := range rows {
		if row.Closed {
			out.Removed = append(out.Removed, row.ID)
		} else {
			open = append(open, row)
		}
	}
	var err error
	out.Conversations, err = s.loadCards(ctx, member, open)
	return out, err
}

// forRound returns the cursor for a round on the database with this position. A cursor of
// another database or of the future starts a complete list.
func (c syncCursor) forRound(now pg.Position) syncCursor {
	seen := max(c.Floor, c.From)
	if c.Database != now.Database || seen > now.Next {
		c = syncCursor{Database: now.Database}
	}
	if c.Floor == 0 {
		c.Floor = now.Oldest // the first page of a round
	}
	return c
}

// syncList is the list to which the cursors of a member's devices belong.
func syncList(member uuid.UUID) web.List { return web.List{Name: "sync", Member: member} }

func decodeSyncCursor(member uuid.UUID, cursor string) (syncCursor, error) {
	var at syncCursor
	if cursor == "" {
		return at, nil
	}
	if err := web.DecodeCursor(syncList(member), cursor, &at); err != nil {
		return at, err
	}
	const maxXID = 1 << 62
	if at.Database == uuid.Nil || at.Floor > maxXID || at.From > maxXID {
		return at, ErrBadCursor()
	}
	return at, nil
}

// selectConversationsByChange returns the conversations at or after the position, including
// those that are no longer shown, except at the beginning of a complete list.
func selectConversationsByChange(ctx context.Context, db pg.DB, me uuid.UUID, at syncCursor, limit int) ([]conversationRow, error) {
	rows, err := db.Query(ctx, selectConversations+`
			AND (side.changed_xid, c.id) > ($2::text::xid8, $3)
			AND ($2::text <> '0' OR `+ShownSQL+`)
		ORDER BY side.changed_xid, c.id
		LIMIT $4`, me, strconv.FormatUint(at.From, 10), at.After, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, rowToConversation)
}
