package messages

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/pg"
)

// clockSkew is the greatest difference between the time in a message's id, which is that of a
// serving process, and its sent_at, which is that of the database.
const clockSkew = time.Hour

// CountSent returns how many messages were sent from a time until before another. Deleted ones
// count, unless their conversation was deleted.
//
// The ids begin with the time, so their index finds the messages. An index on sent_at would
// have to be written with each message.
func CountSent(ctx context.Context, db pg.DB, from, until time.Time) (n int, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*)
		FROM messages
		WHERE id >= $1
			AND id < $2
			AND sent_at >= $3
			AND sent_at < $4`, firstID(from.Add(-clockSkew)), firstID(until.Add(clockSkew)), from, until).Scan(&n)
	return n, pg.Fault(err)
}

// firstID returns the lowest id with the time of a UUIDv7.
func firstID(at time.Time) (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16)
	return id
}
