package conversations

import (
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// EditSyncCursor returns the cursor of a device of one member as one of another member, with
// the given number of transactions added to its position.
func EditSyncCursor(cursor string, from, to uuid.UUID, transactions uint64) (string, error) {
	at, err := decodeSyncCursor(from, cursor)
	at.From += transactions
	return web.EncodeCursor(syncList(to), at), err
}
