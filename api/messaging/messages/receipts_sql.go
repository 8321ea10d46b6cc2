package messages

// These statements raise the marks of receipts and set the time of reading of the messages
// up to a read mark. A receipt that raises no mark locks nothing. The result has a row for
// each stored receipt.
//
// A receipt is skipped if the conversation is not shown to its member, if the conversation
// was closed while the statement waited for the lock, and if another receipt of the
// statement identifies the same conversation by another id.
//
// A statement does not see messages that were committed while it waited for a lock. A mark
// therefore rises at most to the last message that the statement sees, so that all messages
// up to a read mark have a time of reading. The old marks and the columns that determine
// the recipients of events are read under the lock. Rows are locked in the order of their
// ids, so that the batches of two nodes cannot deadlock.

// advanceReceiptsSQL skips locked conversations.
const advanceReceiptsSQL = lockReceipts + ` SKIP LOCKED` + advanceLocked

// advanceReceiptsWaitingSQL waits for locked conversations.
const advanceReceiptsWaitingSQL = lockReceipts + advanceLocked

// lockReceipts finds the conversations of the receipts ($1 member, $2 other id,
// $3 read seq, $4 delivered seq) and locks those whose marks rise.
const lockReceipts = `
WITH found AS MATERIALIZED (
	SELECT
		r.n,
		r.member,
		c.id,
		c.user_a = r.member AS by_a,
		CASE c.user_a WHEN r.member THEN c.user_b ELSE c.user_a END AS peer,
		least(r.read, c.last_seq) AS to_read,
		least(greatest(r.read, r.delivered), c.last_seq) AS to_delivered,
		CASE c.user_a WHEN r.member THEN c.a_read_seq ELSE c.b_read_seq END
				< least(r.read, c.last_seq)
			OR CASE c.user_a WHEN r.member THEN c.a_delivered_seq ELSE c.b_delivered_seq END
				< least(greatest(r.read, r.delivered), c.last_seq) AS rises
	FROM unnest(
		(SELECT $1::uuid[]),
		(SELECT $2::uuid[]),
		(SELECT $3::bigint[]),
		(SELECT $4::bigint[])
	) WITH ORDINALITY AS r (member, other, read, delivered, n)
	JOIN conversations c
		ON c.closed_at IS NULL
		AND (c.declined_at IS NULL OR c.requested_by = r.member)
		AND NOT EXISTS (
			SELECT FROM profiles o
			WHERE o.id = CASE c.user_a WHEN r.member THEN c.user_b ELSE c.user_a END
				AND o.profile_status <> 'active'
		)
		AND r.member IN (c.user_a, c.user_b)
		AND (
			c.id = r.other
			OR c.match_id = r.other
			OR (c.user_a = least(r.member, r.other) AND c.user_b = greatest(r.member, r.other))
		)
), locked AS MATERIALIZED (
	SELECT
		f.n,
		f.member,
		f.id,
		f.by_a,
		f.peer,
		marks.*,
		clock_timestamp() AS at,
		greatest(marks.old_read, f.to_read) AS new_read,
		greatest(marks.old_delivered, f.to_delivered) AS new_delivered,
		c.requested_by IS NOT NULL AS is_request,
		c.requested_by IS NOT NULL OR EXISTS (
			SELECT FROM profiles u
			WHERE u.id IN (c.user_a, c.user_b)
				AND u.hide_read_receipts
		) AS read_hidden,
		EXISTS (
			SELECT FROM profiles u
			WHERE u.id IN (c.user_a, c.user_b)
				AND u.hide_online
		) AS delivered_hidden
	FROM found f
	JOIN conversations c
		ON c.id = f.id
		AND c.closed_at IS NULL
		AND (c.declined_at IS NULL OR c.requested_by = f.member)
		AND NOT EXISTS (
			SELECT FROM profiles o
			WHERE o.id = CASE c.user_a WHEN f.member THEN c.user_b ELSE c.user_a END
				AND o.profile_status <> 'active'
		)
	CROSS JOIN LATERAL (
		SELECT
			CASE WHEN f.by_a THEN c.a_read_seq ELSE c.b_read_seq END AS old_read,
			CASE WHEN f.by_a THEN c.a_delivered_seq ELSE c.b_delivered_seq END AS old_delivered
	) marks
	WHERE f.rises
	ORDER BY c.id
	FOR NO KEY UPDATE OF c`

// advanceLocked writes the marks of the CTE locked. Both members' devices sync, or only
// those of only_side if the change is hidden from the peer.
const advanceLocked = `
), sides AS (
	SELECT
		l.*,
		CASE
			WHEN is_request
				OR (read_hidden OR new_read = old_read)
				AND (delivered_hidden OR new_delivered = old_delivered)
			THEN member
		END AS only_side
	FROM locked l
), risen AS (
	UPDATE conversations c SET
		changed_xid = CASE WHEN s.only_side IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END,
		a_changed_xid = CASE c.user_a WHEN s.only_side THEN pg_current_xact_id() ELSE c.a_changed_xid END,
		b_changed_xid = CASE c.user_b WHEN s.only_side THEN pg_current_xact_id() ELSE c.b_changed_xid END,
		a_read_seq = CASE WHEN s.by_a THEN s.new_read ELSE c.a_read_seq END,
		a_delivered_seq = CASE WHEN s.by_a THEN s.new_delivered ELSE c.a_delivered_seq END,
		b_read_seq = CASE WHEN s.by_a THEN c.b_read_seq ELSE s.new_read END,
		b_delivered_seq = CASE WHEN s.by_a THEN c.b_delivered_seq ELSE s.new_delivered END
	FROM sides s
	WHERE c.id = s.id
	RETURNING s.*
), read_messages AS (
	UPDATE messages m SET read_at = r.at
	FROM risen r
	WHERE m.conversation_id = r.id
		AND m.seq > r.old_read
		AND m.seq <= r.new_read
		AND m.sender_id = r.peer
		AND m.read_at IS NULL
)
SELECT
	f.n,
	f.id AS conversation,
	f.peer,
	coalesce(r.old_read, 0) AS old_read,
	coalesce(r.new_read, 0) AS read,
	coalesce(r.old_delivered, 0) AS old_delivered,
	coalesce(r.new_delivered, 0) AS delivered,
	coalesce(r.at, clock_timestamp()) AS at,
	coalesce(r.is_request, false) AS is_request,
	coalesce(r.read_hidden, false) AS read_hidden,
	coalesce(r.delivered_hidden, false) AS delivered_hidden
FROM found f
LEFT JOIN risen r ON r.n = f.n
WHERE r.n IS NOT NULL OR NOT f.rises`
