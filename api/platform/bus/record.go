package bus

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
)

const recordTimeout = 3 * time.Second

// recordLoop records the number of published events once an interval, and compares
// the records of the other nodes with the received events.
func (b *Bus) recordLoop() {
	tick := time.NewTicker(b.interval)
	defer tick.Stop()
	for {
		b.recordOnce(false)
		select {
		case <-tick.C:
		case <-b.closing:
			return
		}
	}
}

// recordOnce records the number of published events, and with closed that they were the last ones. It compares the records
// of the other nodes with the received events, and reports a gap.
func (b *Bus) recordOnce(closed bool) {
	ctx, cancel := context.WithTimeout(context.Background(), recordTimeout)
	defer cancel()
	b.sendMu.Lock()
	published := b.published
	b.sendMu.Unlock()
	records, err := b.exchangeRecords(ctx, published, closed)
	if err != nil { // tried again at the next tick; without PostgreSQL no change is stored, so no event matters
		slog.Debug("the number of published events was not recorded", "error", err)
		return
	}
	b.mu.Lock()
	uncertain := b.peers.mayHaveMissed(records)
	lost := b.peers.compare(records)
	b.mu.Unlock()
	if uncertain { // neither counted nor logged, because it happens at each start
		b.callOnGap()
	}
	b.reportGap(lost)
}

// exchangeRecords writes this node's row, removes rows that were not written for ten minutes, and
// returns those of the other nodes that were written in the last five. That is long enough for compare
// to find a crash.
func (b *Bus) exchangeRecords(ctx context.Context, published uint64, closed bool) ([]record, error) {
	rows, err := b.db.Query(ctx, `
		WITH own AS (
			INSERT INTO bus_nodes (node, published, closed)
			VALUES ($1, $2, $3)
			ON CONFLICT (node) DO UPDATE SET
				published = excluded.published,
				closed = excluded.closed,
				beats = bus_nodes.beats + 1,
				seen_at = now()
		),
		ended AS (
			DELETE FROM bus_nodes
			WHERE seen_at < now() - interval '10 minutes'
				AND node <> $1
		)
		SELECT
			node,
			published,
			beats,
			closed
		FROM bus_nodes
		WHERE node <> $1
			AND seen_at > now() - interval '5 minutes'`, b.node, int64(published), closed)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[record])
}
