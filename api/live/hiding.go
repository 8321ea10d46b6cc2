package live

import (
	"context"
	"log/slog"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/bus"
	"heartward/api/platform/pg"
)

// TellHiding tells those who talk with a member, and the member, how presence
// looks to each since the member began to hide it, or what they read, or no
// longer does; the rest comes with the sync that they are sent for. The next
// sync tells all of it as well, so a failure is only worth a warning.
func TellHiding(ctx context.Context, db pg.DB, events bus.Publisher, id uuid.UUID) {
	online, err := onlinePeers(ctx, db, id)
	if err == nil {
		events.Publish(bus.MemberSubject(id), bus.Event("", onlineUsers{"online_users", online}))
		events.Publish(bus.MemberSubject(id), syncFrame)
		err = tellPeers(ctx, db, events, id)
	}
	if err != nil {
		slog.Warn("peers not told of hiding", "error", err)
	}
}

// tellPeers reaches the peers who are here themselves.
func tellPeers(ctx context.Context, db pg.DB, events bus.Publisher, id uuid.UUID) error {
	rows, err := db.Query(ctx, `
		SELECT peer.id, EXISTS (SELECT FROM online_members o JOIN users u ON u.id = o.user_id AND `+mayBeSeen+` WHERE o.user_id = $1)
			AND NOT EXISTS (SELECT FROM users h WHERE h.id IN ($1, peer.id) AND h.hide_online)
		FROM conversations c
		CROSS JOIN LATERAL (SELECT CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END AS id) peer
		WHERE $1 IN (c.user_a, c.user_b) AND c.closed_at IS NULL AND c.requested_by IS NULL
			AND EXISTS (SELECT FROM online_members o WHERE o.user_id = peer.id)`, id)
	if err != nil {
		return err
	}
	// All are read before any is told: telling takes longer than reading, and a connection is held meanwhile.
	type told struct {
		Peer  uuid.UUID
		Shown bool
	}
	peers, err := pgx.CollectRows(rows, pgx.RowToStructByPos[told])
	for _, peer := range peers {
		events.Publish(bus.MemberSubject(peer.Peer), bus.Event("", statusChanged{"user_status_changed", id, peer.Shown, nil}))
		events.Publish(bus.MemberSubject(peer.Peer), syncFrame)
	}
	return err
}
