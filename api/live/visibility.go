package live

import (
	"context"
	"log/slog"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/bus"
	"heartward/api/platform/pg"
)

// PublishVisibilityChange publishes the presence of a member who changed what others may
// see to the peers who are online, the online peers to the member, and a sync frame to
// all of them. Errors are only logged, because the next sync includes the change.
func PublishVisibilityChange(ctx context.Context, db pg.DB, events bus.Publisher, id uuid.UUID) {
	online, err := onlinePeers(ctx, db, id)
	if err == nil {
		events.Publish(bus.MemberSubject(id), bus.Event("", onlineUsers{"online_users", online}))
		events.Publish(bus.MemberSubject(id), syncFrame)
		err = publishToPeers(ctx, db, events, id)
	}
	if err != nil {
		slog.Warn("visibility change not published", "error", err)
	}
}

// publishToPeers publishes the member's presence to the peers who are online.
func publishToPeers(ctx context.Context, db pg.DB, events bus.Publisher, id uuid.UUID) error {
	rows, err := db.Query(ctx, `
		SELECT
			c.peer_id,
			EXISTS (SELECT FROM online_members o JOIN profiles u ON u.id = o.user_id AND `+presenceVisible+` WHERE o.user_id = $1)
				AND NOT EXISTS (SELECT FROM profiles h WHERE h.id IN ($1, c.peer_id) AND h.hide_online)
		FROM conversation_sides c
		WHERE c.member_id = $1
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL
			AND EXISTS (SELECT FROM online_members o WHERE o.user_id = c.peer_id)`, id)
	if err != nil {
		return err
	}
	// Read all rows before publishing, to return the connection early.
	type peerView struct {
		Peer  uuid.UUID
		Shown bool
	}
	peers, err := pgx.CollectRows(rows, pgx.RowToStructByPos[peerView])
	for _, peer := range peers {
		events.Publish(bus.MemberSubject(peer.Peer), bus.Event("", statusChanged{"user_status_changed", id, peer.Shown, nil}))
		events.Publish(bus.MemberSubject(peer.Peer), syncFrame)
	}
	return err
}
