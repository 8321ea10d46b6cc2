package messaging

import (
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

// listCursor is the place of a page's last conversation. The zero time would
// be before everything, so the first page starts after everything.
type listCursor struct {
	At time.Time `json:"at"`
	ID uuid.UUID `json:"id"`
}

func decodeListCursor(cursor string) (listCursor, error) {
	if cursor == "" {
		return listCursor{At: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), ID: uuid.Max}, nil
	}
	var at listCursor
	if err := web.DecodeCursor(cursor, &at); err != nil {
		return at, err
	}
	if at.ID == uuid.Nil || at.At.Year() < 2000 || at.At.Year() > 9999 {
		return at, badCursor()
	}
	return at, nil
}

func encodeListCursor(last conversationRow) string {
	return web.EncodeCursor(listCursor{At: last.SortAt, ID: last.ID})
}

func badCursor() error {
	return fault.InvalidField("cursor", "This cursor is not one of ours. Start again without it.")
}
