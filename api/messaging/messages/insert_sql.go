package messages

// These statements insert messages into their conversations, one message for each
// conversation. Each locks the conversations in a CTE, and then takes the next seq
// and inserts, so that no seq is ever lost.
//
// A message is skipped if its sender and recipient have no open conversation, if one of
// them is not active, and if its client id is already stored in the conversation. The check
// of the client id does not see rows that were committed while the statement waited for the
// lock; such a duplicate violates messages_client and rolls the statement back.
//
// Arrays and options are read by (SELECT $1), because PostgreSQL would otherwise plan the
// statement again for each length of the arrays and each value of an option, which takes
// longer than storing a message. Rows are read by subqueries, which start faster than
// joins. The statements for a single message are separate texts instead of one with an
// option, for the same reason.

// startsOrLasts is an SQL condition: the message starts conversation c, or is the first one 24 hours or more after the first
// reply. With the first reply these are the milestones, at most three in a conversation, for which the function of
// WatchMilestones is called. The condition uses now(), which is the same everywhere in a statement.
const startsOrLasts = `c.last_seq = 0
			OR c.lasted_day_at IS NULL AND c.both_wrote_at <= now() - interval '24 hours'`

// insertBatchSQL inserts any number of messages, whose columns are the arrays $1 to $9. It skips messages whose recipient has a
// device for push if $10 is true, milestones if $11 is true, messages of locked conversations, and replies to unknown messages.
// Rows are locked in the order of their ids, so that the batches of two nodes cannot deadlock.
const insertBatchSQL = `
WITH locked AS MATERIALIZED (
	SELECT
		o.*,
		c.id AS conversation_id,
		c.user_a,
		c.last_seq,
		c.last_message_at,
		c.last_sender,
		c.turns,
		c.a_spoke,
		c.b_spoke,
		c.message_spark_at,
		c.voice_connection_at,
		c.both_wrote_at,
		c.lasted_day_at,
		CASE
			WHEN (SELECT $10::bool) THEN false
			ELSE EXISTS (SELECT FROM members_with_devices d WHERE d.user_id = o.recipient_id)
		END AS has_devices
	FROM unnest(
		(SELECT $1::uuid[]),
		(SELECT $2::uuid[]),
		(SELECT $3::uuid[]),
		(SELECT $4::uuid[]),
		(SELECT $5::text[]),
		(SELECT $6::text[]),
		(SELECT $7::bigint[]),
		(SELECT $8::uuid[]),
		(SELECT $9::text[])
	) WITH ORDINALITY AS o (sender_id, recipient_id, client_id, id, message_type, content, reply_to, date_id, flag, n)
	JOIN conversations c
		ON c.user_a = least(o.sender_id, o.recipient_id)
		AND c.user_b = greatest(o.sender_id, o.recipient_id)
	WHERE c.closed_at IS NULL
		AND c.requested_by IS NULL
		AND (o.reply_to IS NULL OR o.reply_to <= c.last_seq)
		AND NOT ((SELECT $10::bool) AND EXISTS (SELECT FROM members_with_devices d WHERE d.user_id = o.recipient_id))
		AND NOT ((SELECT $11::bool) AND coalesce(` + startsOrLasts + `
			OR c.both_wrote_at IS NULL AND c.last_sender <> o.sender_id, false))
		AND (SELECT u.profile_status = 'active' AND u.is_approved FROM profiles u WHERE u.id = o.sender_id)
		AND (SELECT u.profile_status = 'active' FROM profiles u WHERE u.id = o.recipient_id)
		AND (SELECT m.seq FROM messages m WHERE m.conversation_id = c.id AND m.sender_id = o.sender_id AND m.client_id = o.client_id) IS NULL
	ORDER BY c.id
	FOR NO KEY UPDATE OF c SKIP LOCKED
)` + insertIntoLocked

// insertOneOfBatchSQL is insertBatchSQL for a single message, whose columns are
// the parameters $1 to $9 themselves. It takes two thirds of the time.
const insertOneOfBatchSQL = `
WITH locked AS MATERIALIZED (
	SELECT` + columnsOfLocked + `,
		EXISTS (SELECT FROM members_with_devices d WHERE d.user_id = $2) AS has_devices
	FROM conversations c
	WHERE c.user_a = least($1::uuid, $2::uuid)
		AND c.user_b = greatest($1::uuid, $2::uuid)
		AND c.closed_at IS NULL
		AND c.requested_by IS NULL
		AND ($7::bigint IS NULL OR $7::bigint <= c.last_seq)
		AND (SELECT u.profile_status = 'active' AND u.is_approved FROM profiles u WHERE u.id = $1)
		AND (SELECT u.profile_status = 'active' FROM profiles u WHERE u.id = $2)
		AND (SELECT m.seq FROM messages m WHERE m.conversation_id = c.id AND m.sender_id = $1 AND m.client_id = $3) IS NULL
	FOR NO KEY UPDATE OF c SKIP LOCKED
)` + insertOneIntoLocked

// insertOneWithoutJobsSQL is insertOneOfBatchSQL, except that it skips a message whose recipient has a device for push and, if
// $10 is true, a milestone.
const insertOneWithoutJobsSQL = `
WITH locked AS MATERIALIZED (
	SELECT` + columnsOfLocked + `,
		false AS has_devices
	FROM conversations c
	WHERE c.user_a = least($1::uuid, $2::uuid)
		AND c.user_b = greatest($1::uuid, $2::uuid)
		AND c.closed_at IS NULL
		AND c.requested_by IS NULL
		AND ($7::bigint IS NULL OR $7::bigint <= c.last_seq)
		AND NOT EXISTS (SELECT FROM members_with_devices d WHERE d.user_id = $2)
		AND NOT ((SELECT $10::bool) AND coalesce(` + startsOrLasts + `
			OR c.both_wrote_at IS NULL AND c.last_sender <> $1, false))
		AND (SELECT u.profile_status = 'active' AND u.is_approved FROM profiles u WHERE u.id = $1)
		AND (SELECT u.profile_status = 'active' FROM profiles u WHERE u.id = $2)
		AND (SELECT m.seq FROM messages m WHERE m.conversation_id = c.id AND m.sender_id = $1 AND m.client_id = $3) IS NULL
	FOR NO KEY UPDATE OF c SKIP LOCKED
)` + insertOneIntoLocked

// insertOneSQL inserts a single message and waits for the lock of its conversation. If $10
// is true, the conversation may be a request. A reply to an unknown message violates
// messages_reply.
const insertOneSQL = `
WITH locked AS MATERIALIZED (
	SELECT` + columnsOfLocked + `,
		EXISTS (SELECT FROM members_with_devices d WHERE d.user_id = $2) AS has_devices
	FROM conversations c
	WHERE c.user_a = least($1::uuid, $2::uuid)
		AND c.user_b = greatest($1::uuid, $2::uuid)
		AND c.closed_at IS NULL
		AND (c.requested_by IS NULL OR (SELECT $10::bool))
		AND (SELECT u.profile_status = 'active' AND u.is_approved FROM profiles u WHERE u.id = $1)
		AND (SELECT u.profile_status = 'active' FROM profiles u WHERE u.id = $2)
		AND (SELECT m.seq FROM messages m WHERE m.conversation_id = c.id AND m.sender_id = $1 AND m.client_id = $3) IS NULL
	FOR NO KEY UPDATE OF c
)` + insertOneIntoLocked

// insertIntoLocked inserts the messages of the CTE locked, whose conversations are
// locked, and returns a row for each.
//
// A turn is a message by another sender than the previous one; a pause of more than ten
// minutes restarts the count. The eighth turn causes the message spark, and the first
// recording of the second member causes the voice connection. If the sender had read (or
// received) all messages, the mark advances to the new one.
const insertIntoLocked = `, numbered AS (
	SELECT
		l.*,
		l.last_seq + 1 AS seq,
		greatest(l.last_message_at, clock_timestamp()) AS sent_at,
		l.user_a = l.sender_id AS by_a,
		l.a_spoke OR (l.user_a = l.sender_id AND l.message_type = 'audio') AS a_spoke_now,
		l.b_spoke OR (l.user_a <> l.sender_id AND l.message_type = 'audio') AS b_spoke_now,
		CASE
			WHEN l.last_message_at < clock_timestamp() - interval '10 minutes' THEN 0
			WHEN l.last_sender <> l.sender_id THEN l.turns + 1
			ELSE l.turns
		END AS turns_now,
		l.both_wrote_at IS NULL AND l.last_sender <> l.sender_id AS is_first_reply,
		l.lasted_day_at IS NULL AND l.both_wrote_at <= now() - interval '24 hours' AS lasts_day
	FROM locked l
), updated AS (
	UPDATE conversations c SET
		last_seq = n.seq,
		last_message_at = n.sent_at,
		last_sender = n.sender_id,
		turns = n.turns_now,
		a_read_seq = c.a_read_seq + (n.by_a AND c.a_read_seq = c.last_seq)::int,
		a_delivered_seq = c.a_delivered_seq + (n.by_a AND c.a_delivered_seq = c.last_seq)::int,
		b_read_seq = c.b_read_seq + (NOT n.by_a AND c.b_read_seq = c.last_seq)::int,
		b_delivered_seq = c.b_delivered_seq + (NOT n.by_a AND c.b_delivered_seq = c.last_seq)::int,
		a_spoke = n.a_spoke_now,
		b_spoke = n.b_spoke_now,
		message_spark_at = coalesce(n.message_spark_at, CASE WHEN n.turns_now >= 8 THEN n.sent_at END),
		voice_connection_at = coalesce(n.voice_connection_at, CASE WHEN n.a_spoke_now AND n.b_spoke_now THEN n.sent_at END),
		both_wrote_at = CASE WHEN n.is_first_reply THEN n.sent_at ELSE c.both_wrote_at END,
		lasted_day_at = CASE WHEN n.lasts_day THEN n.sent_at ELSE c.lasted_day_at END,
		changed_xid = pg_current_xact_id()
	FROM numbered n
	WHERE c.id = n.conversation_id
	RETURNING
		n.*,
		n.message_spark_at IS NULL AND c.message_spark_at IS NOT NULL AS caused_message_spark,
		n.voice_connection_at IS NULL AND c.voice_connection_at IS NOT NULL AS caused_voice_connection,
		n.seq = 1 OR coalesce(n.is_first_reply OR n.lasts_day, false) AS is_milestone
), inserted AS (
	INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, message_type, content, sent_at, reply_to, date_id, flag)
	SELECT id, conversation_id, seq, sender_id, client_id, message_type, content, sent_at, reply_to, date_id, flag
	FROM updated
)
SELECT
	n,
	conversation_id,
	seq,
	sent_at,
	has_devices,
	caused_message_spark,
	caused_voice_connection,
	is_milestone
FROM updated`

// columnsOfLocked are the columns of the CTE locked for a single message. They
// correspond to those of numbered in insertIntoLocked.
const columnsOfLocked = `
		c.id AS conversation_id,
		c.last_seq + 1 AS seq,
		greatest(c.last_message_at, clock_timestamp()) AS sent_at,
		c.user_a = $1 AS by_a,
		c.message_spark_at,
		c.voice_connection_at,
		c.a_spoke OR (c.user_a = $1 AND $5::text = 'audio') AS a_spoke,
		c.b_spoke OR (c.user_b = $1 AND $5::text = 'audio') AS b_spoke,
		CASE
			WHEN c.last_message_at < clock_timestamp() - interval '10 minutes' THEN 0
			WHEN c.last_sender <> $1 THEN c.turns + 1
			ELSE c.turns
		END AS turns,
		c.both_wrote_at IS NULL AND c.last_sender <> $1 AS is_first_reply,
		c.lasted_day_at IS NULL AND c.both_wrote_at <= now() - interval '24 hours' AS lasts_day`

// insertOneIntoLocked is insertIntoLocked for a single message. It reads the columns
// of the message from the parameters, because passing them through the CTEs takes
// longer.
const insertOneIntoLocked = `, updated AS (
	UPDATE conversations c SET
		last_seq = l.seq,
		last_message_at = l.sent_at,
		last_sender = $1,
		turns = l.turns,
		a_read_seq = c.a_read_seq + (l.by_a AND c.a_read_seq = c.last_seq)::int,
		a_delivered_seq = c.a_delivered_seq + (l.by_a AND c.a_delivered_seq = c.last_seq)::int,
		b_read_seq = c.b_read_seq + (NOT l.by_a AND c.b_read_seq = c.last_seq)::int,
		b_delivered_seq = c.b_delivered_seq + (NOT l.by_a AND c.b_delivered_seq = c.last_seq)::int,
		a_spoke = l.a_spoke,
		b_spoke = l.b_spoke,
		message_spark_at = coalesce(l.message_spark_at, CASE WHEN l.turns >= 8 THEN l.sent_at END),
		voice_connection_at = coalesce(l.voice_connection_at, CASE WHEN l.a_spoke AND l.b_spoke THEN l.sent_at END),
		both_wrote_at = CASE WHEN l.is_first_reply THEN l.sent_at ELSE c.both_wrote_at END,
		lasted_day_at = CASE WHEN l.lasts_day THEN l.sent_at ELSE c.lasted_day_at END,
		changed_xid = pg_current_xact_id()
	FROM locked l
	WHERE c.id = l.conversation_id
	RETURNING
		l.*,
		l.message_spark_at IS NULL AND c.message_spark_at IS NOT NULL AS caused_message_spark,
		l.voice_connection_at IS NULL AND c.voice_connection_at IS NOT NULL AS caused_voice_connection,
		l.seq = 1 OR coalesce(l.is_first_reply OR l.lasts_day, false) AS is_milestone
), inserted AS (
	INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, message_type, content, sent_at, reply_to, date_id, flag)
	SELECT $4, conversation_id, seq, $1, $3, $5, $6, sent_at, $7, $8::uuid, $9::text
	FROM updated
)
SELECT
	1::bigint AS n,
	conversation_id,
	seq,
	sent_at,
	has_devices,
	caused_message_spark,
	caused_voice_connection,
	is_milestone
FROM updated`
