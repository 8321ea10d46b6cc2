package live

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
)

// fresh is how long after their last frame a member counts as online. The view
// online_members has the same figure for SQL.
const fresh = 35 * time.Second

// lastSeenBin is the precision of a last activity that other members are shown.
const lastSeenBin = 5 * time.Minute

// mayBeSeen says that u, a row of users, is a member whose presence is shown to
// others at all.
const mayBeSeen = `u.profile_status = 'active'`

// sighting is when, by the hub's clock, a member was last heard.
type sighting struct {
	Member uuid.UUID
	Heard  time.Duration
}

// sightings are those who came online, are online still, and went offline.
type sightings struct{ came, again, went []sighting }

func (s sightings) none() bool { return len(s.came)+len(s.again)+len(s.went) == 0 }

// turn is a member who came or went, and when they were last heard.
type turn struct {
	Member uuid.UUID
	Online bool
	Seen   time.Time
}

// statusChange is a peer to be told of a member who came or went.
type statusChange struct {
	Peer uuid.UUID
	turn
}

// writePresence enters and takes out members, with sweep also those of nodes
// that died, and answers with the peers to be told. While nobody comes or goes
// that is one statement. Whoever goes was here just now.
func (h *Hub) writePresence(ctx context.Context, all sightings, sweep bool) ([]statusChange, error) {
	return pg.Tx(ctx, h.deps.Pool, func(tx pgx.Tx) ([]statusChange, error) {
		turns, err := h.turns(ctx, tx, all, sweep)
		if err != nil {
			return nil, err
		}
		var went []uuid.UUID
		for _, t := range turns {
			if !t.Online {
				went = append(went, t.Member)
			}
		}
		if err := members.TouchMany(ctx, tx, went); err != nil {
			return nil, err
		}
		return h.toTell(ctx, tx, turns)
	})
}

// turns writes the table and returns who came or went by that. Members whose
// row another node had swept, while the database was away from here, came again.
// An ended node that another one is sweeping is left to it, so that its members
// are announced once. This node's own row is locked first, as the sweep does.
func (h *Hub) turns(ctx context.Context, tx pgx.Tx, all sightings, sweep bool) ([]turn, error) {
	came, ages := h.ages(all.came)
	again, moreAges := h.ages(all.again)
	went, wentAges := h.ages(all.went)
	rows, err := tx.Query(ctx, `
		WITH own AS (
			INSERT INTO presence_nodes (node)
			VALUES ($1)
			ON CONFLICT (node) DO UPDATE SET seen_at = now()
			RETURNING node
		),
		here AS (
			INSERT INTO presence (user_id, node, seen_at)
			SELECT t.id, own.node, now() - t.age
			FROM own
			CROSS JOIN unnest($2::uuid[], $3::interval[]) AS t (id, age)
			ON CONFLICT (user_id, node) DO UPDATE SET seen_at = excluded.seen_at
			RETURNING user_id, seen_at, xmax = 0 OR user_id = ANY($4::uuid[]) AS came
		),
		gone AS (
			DELETE FROM presence
			WHERE node = $1 AND user_id = ANY($5::uuid[])
		),
		ended AS (
			DELETE FROM presence_nodes n
			USING (
				SELECT node
				FROM presence_nodes
				WHERE $7 AND node <> $1 AND seen_at <= now() - $8::interval
				FOR UPDATE SKIP LOCKED
			) old
			WHERE n.node = old.node
			RETURNING n.node
		),
		swept AS (
			DELETE FROM presence p
			USING ended
			WHERE p.node = ended.node
			RETURNING p.user_id, p.seen_at
		)
		SELECT user_id, true, seen_at FROM here WHERE came
		UNION ALL
		SELECT id, false, now() - age FROM unnest($5::uuid[], $6::interval[]) AS t (id, age)
		UNION ALL
		SELECT user_id, false, max(seen_at) FROM swept GROUP BY user_id`,
		h.node, append(came, again...), append(ages, moreAges...), came, went, wentAges, sweep, h.deps.Timing.Silent)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[turn])
}

// ages are how long ago members were last heard, which needs no clock that is
// the same here and in the database.
func (h *Hub) ages(list []sighting) ([]uuid.UUID, []time.Duration) {
	now, ids, ages := h.clock(), make([]uuid.UUID, len(list)), make([]time.Duration, len(list))
	for i, s := range list {
		ids[i], ages[i] = s.Member, now-s.Heard
	}
	return ids, ages
}

// renewNode makes the node and its members count as seen just now.
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

// toTell returns the peers to be told of members who came and were on no other
// node, or went and are on none now: peers who are online themselves, where
// neither hides it. A member under review is announced to no one. A suspended
// one, who was announced as online before, still goes offline.
func (h *Hub) toTell(ctx context.Context, tx pgx.Tx, turns []turn) ([]statusChange, error) {
	if len(turns) == 0 {
		return nil, nil
	}
	ids, online, seen := make([]uuid.UUID, len(turns)), make([]bool, len(turns)), make([]time.Time, len(turns))
	for i, t := range turns {
		ids[i], online[i], seen[i] = t.Member, t.Online, t.Seen
	}
	rows, err := tx.Query(ctx, `
		SELECT peer.id, m.id, m.online, m.seen
		FROM unnest($2::uuid[], $3::boolean[], $4::timestamptz[]) AS m (id, online, seen)
		JOIN conversations c ON m.id IN (c.user_a, c.user_b) AND c.closed_at IS NULL AND c.requested_by IS NULL
		CROSS JOIN LATERAL (SELECT CASE c.user_a WHEN m.id THEN c.user_b ELSE c.user_a END AS id) peer
		WHERE NOT EXISTS (SELECT FROM online_members o WHERE o.user_id = m.id AND NOT (m.online AND o.node = $1))
			AND EXISTS (SELECT FROM online_members o WHERE o.user_id = peer.id)
			AND NOT EXISTS (SELECT FROM users h WHERE h.id IN (m.id, peer.id) AND h.hide_online)
			AND EXISTS (SELECT FROM users u WHERE u.id = m.id AND (`+mayBeSeen+` OR u.profile_status = 'suspended' AND NOT m.online))`,
		h.node, ids, online, seen)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[statusChange])
}

// onlinePeers returns the members who are online and with whom id has an open
// conversation, where neither hides it.
func onlinePeers(ctx context.Context, db pg.DB, id uuid.UUID) ([]uuid.UUID, error) {
	rows, err := db.Query(ctx, `
		SELECT DISTINCT o.user_id
		FROM conversations c
		JOIN online_members o ON o.user_id = CASE c.user_a WHEN $1 THEN c.user_b ELSE c.user_a END
		JOIN users u ON u.id = o.user_id AND `+mayBeSeen+`
		WHERE $1 IN (c.user_a, c.user_b)
			AND c.closed_at IS NULL
			AND c.requested_by IS NULL
			AND NOT EXISTS (SELECT FROM users h WHERE h.id IN ($1, o.user_id) AND h.hide_online)`, id)
	if err != nil {
		return nil, pg.Fault(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if list == nil {
		list = []uuid.UUID{}
	}
	return list, pg.Fault(err)
}
