package live

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
)

// onlineWindow is the time after the last frame during which a member counts as online.
// The view online_members contains the same value; a test compares them.
const onlineWindow = 35 * time.Second

// lastSeenBin is the precision of the last activity shown to other members.
const lastSeenBin = 5 * time.Minute

// presenceVisible is an SQL condition on u, a row of profiles: the member's presence may
// be shown to others.
const presenceVisible = `u.profile_status = 'active'`

// heartbeat is the Hub.clock time of a member's last frame.
type heartbeat struct {
	Member uuid.UUID
	At     time.Duration
}

// heartbeats are the members who came online, are still online, or went offline.
type heartbeats struct{ joined, renewed, left []heartbeat }

func (s heartbeats) empty() bool { return len(s.joined)+len(s.renewed)+len(s.left) == 0 }

// presenceChange is a member who came online or went offline at this node, or whose row of
// a dead node was removed.
type presenceChange struct {
	Member uuid.UUID
	Online bool
	Seen   time.Time
}

// statusChange is a presence change with a member who is notified of it.
type statusChange struct {
	Peer uuid.UUID
	presenceChange
}

// writePresence stores the heartbeats and the last activity of members who left. If sweep
// is set it also removes the rows of dead nodes. It returns the notifications to publish.
// Without changes it runs one statement.
func (h *Hub) writePresence(ctx context.Context, all heartbeats, sweep bool) ([]statusChange, error) {
	return pg.Tx(ctx, h.deps.Pool, func(tx pgx.Tx) ([]statusChange, error) {
		changed, err := h.updatePresence(ctx, tx, all, sweep)
		if err != nil {
			return nil, err
		}
		var offline []uuid.UUID
		for _, t := range changed {
			if !t.Online {
				offline = append(offline, t.Member)
			}
		}
		if err := members.TouchMany(ctx, tx, offline); err != nil {
			return nil, err
		}
		return h.statusChanges(ctx, tx, changed)
	})
}

// updatePresence writes the table and returns the members who thereby came online or went
// offline. A renewed member whose row another node had swept counts as new. A dead node
// that another node is sweeping is skipped, so that its members are announced once. The row
// of a node is locked before those of its members, here and in renewNode, so that a node that
// was taken for dead and the node that sweeps it do not deadlock.
func (h *Hub) updatePresence(ctx context.Context, tx pgx.Tx, all heartbeats, sweep bool) ([]presenceChange, error) {
	joined, ages := h.heartbeatAges(all.joined)
	renewed, renewedAges := h.heartbeatAges(all.renewed)
	left, leftAges := h.heartbeatAges(all.left)
	rows, err := tx.Query(ctx, `
		WITH own AS (
			INSERT INTO presence_nodes (node)
			VALUES ($1)
			ON CONFLICT (node) DO UPDATE SET seen_at = now()
			RETURNING node
		),
		written AS (
			INSERT INTO presence (user_id, node, seen_at)
			SELECT t.id, own.node, now() - t.age
			FROM own
			CROSS JOIN unnest($2::uuid[], $3::interval[]) AS t (id, age)
			ON CONFLICT (user_id, node) DO UPDATE SET seen_at = excluded.seen_at
			RETURNING user_id, seen_at, xmax = 0 OR user_id = ANY($4::uuid[]) AS is_new
		),
		left_here AS (
			DELETE FROM presence
			WHERE node = $1
				AND user_id = ANY($5::uuid[])
		),
		dead_nodes AS (
			DELETE FROM presence_nodes n
			USING (
				SELECT node
				FROM presence_nodes
				WHERE $7
					AND node <> $1
					AND seen_at <= now() - $8::interval
				FOR UPDATE SKIP LOCKED
			) old
			WHERE n.node = old.node
			RETURNING n.node
		),
		swept AS (
			DELETE FROM presence p
			USING dead_nodes
			WHERE p.node = dead_nodes.node
			RETURNING p.user_id, p.seen_at
		)
		SELECT user_id, true, seen_at FROM written WHERE is_new
		UNION ALL
		SELECT id, false, now() - age FROM unnest($5::uuid[], $6::interval[]) AS t (id, age)
		UNION ALL
		SELECT user_id, false, max(seen_at) FROM swept GROUP BY user_id`,
		h.node, append(joined, renewed...), append(ages, renewedAges...), joined, left, leftAges, sweep, h.deps.Timing.OfflineAfter)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[presenceChange])
}

// heartbeatAges returns the members and the ages of their heartbeats. With ages, the
// clocks of this node and the database need not agree.
func (h *Hub) heartbeatAges(list []heartbeat) ([]uuid.UUID, []time.Duration) {
	now, ids, ages := h.clock(), make([]uuid.UUID, len(list)), make([]time.Duration, len(list))
	for i, s := range list {
		ids[i], ages[i] = s.Member, now-s.At
	}
	return ids, ages
}

// renewNode sets the time of the node's row and of its members' rows to now.
func renewNode(ctx context.Context, db pg.DB, node uuid.UUID) error {
	_, err := db.Exec(ctx, `
		WITH own AS (
			UPDATE presence_nodes
			SET seen_at = now()
			WHERE node = $1
			RETURNING node
		)
		UPDATE presence p
		SET seen_at = now()
		FROM own
		WHERE p.node = own.node`, node)
	return err
}

// statusChanges returns the status changes to publish. A change is published if the member
// has no socket on another node, to peers who are online, unless one of the two hides
// presence. Members under review are never announced; suspended members, who may have
// been announced before, only as offline.
func (h *Hub) statusChanges(ctx context.Context, tx pgx.Tx, changed []presenceChange) ([]statusChange, error) {
	if len(changed) == 0 {
		return nil, nil
	}
	ids, online, seen := make([]uuid.UUID, len(changed)), make([]bool, len(changed)), make([]time.Time, len(changed))
	for i, t := range changed {
		ids[i], online[i], seen[i] = t.Member, t.Online, t.Seen
	}
	rows, err := tx.Query(ctx, `
		SELECT
			c.peer_id,
			m.id,
			m.online,
			m.seen
		FROM unnest($2::uuid[], $3::boolean[], $4::timestamptz[]) AS m (id, online, seen)
		JOIN conversation_sides c ON c.member_id = m.id AND c.closed_at IS NULL AND c.requested_by IS NULL
		WHERE NOT EXISTS ( -- a row that keeps the member online: before "online" one of another node, after "offline" any
				SELECT FROM online_members o
				WHERE o.user_id = m.id
					AND NOT (m.online AND o.node = $1))
			AND EXISTS (SELECT FROM online_members o WHERE o.user_id = c.peer_id)
			AND NOT EXISTS (SELECT FROM profiles h WHERE h.id IN (m.id, c.peer_id) AND h.hide_online)
			AND EXISTS (
				SELECT FROM profiles u
				WHERE u.id = m.id
					AND (`+presenceVisible+` OR u.profile_status IN ('suspended', 'leaving') AND NOT m.online))`,
		h.node, ids, online, seen)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[statusChange])
}

// onlinePeers returns the members who are online and have an open conversation
// with id, when neither hides presence.
func onlinePeers(ctx context.Context, db pg.DB, id uuid.UUID) ([]uuid.UUID, error) {
	rows, err := db.Query(ctx, `
		SELECT DISTINCT o.user_id
		FROM conversation_sides c
		JOIN online_members o ON o.user_id = c.peer_id
		JOIN profiles u ON u.id = o.user_id AND `+presenceVisible+`
		WHERE c.member_id = $1
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL
			AND NOT EXISTS (SELECT FROM profiles h WHERE h.id IN ($1, o.user_id) AND h.hide_online)`, id)
	if err != nil {
		return nil, pg.Fault(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if list == nil {
		list = []uuid.UUID{}
	}
	return list, pg.Fault(err)
}
