package messaging

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// draft is a message on its way into its conversation.
type draft struct {
	message   Message // seq, time and conversation are set when it is stored
	recipient uuid.UUID
	socket    string // the sender's, which receives no event of it; may be empty
	flag      string // what the filter found, empty for nothing
	stored    bool
	devices   bool // the receiver had one to push to
}

// way is how drafts are stored.
type way struct {
	skipHeld bool // leave conversations alone that another transaction holds, and replies to nothing
	ifSilent bool // only where the receiver has no device to push to
	request  bool // into a message request as well
}

// placeSQL takes the next place in each draft's conversation and stores the
// message there, in one statement, so that no place is ever taken in vain.
// There is one draft a conversation.
//
// The row of the conversation is the lock, and all that follows is reckoned
// from what was read under it: the place, how far the sender has read (whoever
// had read everything has read the own message as well), and the sparks. The
// test for the client id looks at the time before a wait for the lock; what
// slips through breaks messages_client and undoes the place too. Rows are
// locked in the order of their ids, so that two nodes cannot wait for each other.
//
// Each way is a text of its own, and the arrays come by (SELECT $1), because
// with a switch inside or arrays whose length it knows PostgreSQL would plan it
// anew each time, which takes longer than storing a message. What is looked up
// stands in subqueries of its own, which start faster than joins do.
func placeSQL(w way) string {
	only, lock, devices := "", "FOR NO KEY UPDATE OF c", hasDevices
	if !w.request {
		only += " AND c.requested_by IS NULL"
	}
	if w.skipHeld {
		only += " AND (i.reply_to IS NULL OR i.reply_to <= c.last_seq)"
		lock += " SKIP LOCKED"
	}
	if w.ifSilent {
		only += " AND NOT " + hasDevices
		devices = "false"
	}
	return `
WITH held AS MATERIALIZED (
	SELECT ` + carried + `c.id AS conversation, c.last_seq + 1 AS seq, greatest(c.last_message_at, clock_timestamp()) AS at,
		c.user_a = i.sender AS by_a, c.message_spark_at, c.voice_connection_at,
		c.a_spoke OR (c.user_a = i.sender AND i.type = 'audio') AS a_spoke,
		c.b_spoke OR (c.user_b = i.sender AND i.type = 'audio') AS b_spoke,
		CASE WHEN c.last_message_at < clock_timestamp() - interval '10 minutes' THEN 0
			WHEN c.last_sender <> i.sender THEN c.turns + 1 ELSE c.turns END AS turns, ` + devices + ` AS devices
	FROM ` + drafts + `conversations c
	WHERE c.user_a = least(i.sender, i.recipient) AND c.user_b = greatest(i.sender, i.recipient) AND c.closed_at IS NULL` + only + `
		AND (SELECT u.profile_status = 'active' AND u.is_approved FROM users u WHERE u.id = i.sender)
		AND (SELECT u.profile_status = 'active' FROM users u WHERE u.id = i.recipient)
		AND (SELECT m.seq FROM messages m WHERE m.sender_id = i.sender AND m.client_id = i.client_id) IS NULL
	` + inOrder + lock + `
), place AS (
	UPDATE conversations c SET last_seq = h.seq, last_message_at = h.at, last_sender = h.sender, turns = h.turns,
		a_read_seq = c.a_read_seq + (h.by_a AND c.a_read_seq = c.last_seq)::int,
		a_delivered_seq = c.a_delivered_seq + (h.by_a AND c.a_delivered_seq = c.last_seq)::int,
		b_read_seq = c.b_read_seq + (NOT h.by_a AND c.b_read_seq = c.last_seq)::int,
		b_delivered_seq = c.b_delivered_seq + (NOT h.by_a AND c.b_delivered_seq = c.last_seq)::int,
		a_spoke = h.a_spoke, b_spoke = h.b_spoke,
		message_spark_at = coalesce(h.message_spark_at, CASE WHEN h.turns >= ` + sparkTurns + ` THEN h.at END),
		voice_connection_at = coalesce(h.voice_connection_at, CASE WHEN h.a_spoke AND h.b_spoke THEN h.at END),
		changed_xid = pg_current_xact_id()
	FROM held h WHERE c.id = h.conversation
	RETURNING h.*, h.message_spark_at IS NULL AND c.message_spark_at IS NOT NULL AS heated,
		h.voice_connection_at IS NULL AND c.voice_connection_at IS NOT NULL AS voiced
), stored AS (
	INSERT INTO messages (id, conversation_id, seq, sender_id, client_id, message_type, content, sent_at, reply_to, date_id, flag)
	SELECT p.id, conversation, seq, p.sender, p.client_id, p.type, p.content, at, p.reply_to, p.date_id, p.flag FROM place p
)
SELECT p.n, conversation, seq, at, devices, heated, voiced FROM place p`
}

const (
	// sparkTurns is how often the word has to go over to the other, without a
	// pause of more than ten minutes, for a conversation to have heated up.
	sparkTurns = "8"
	hasDevices = "EXISTS (SELECT FROM push_subscriptions s WHERE s.user_id = i.recipient)"

	// The drafts come as nine arrays.
	drafts = `unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::uuid[]), (SELECT $5::text[]),
		(SELECT $6::text[]), (SELECT $7::bigint[]), (SELECT $8::uuid[]), (SELECT $9::text[])) WITH ORDINALITY
		AS i (sender, recipient, client_id, id, type, content, reply_to, date_id, flag, n), `
	carried = "i.*, "
	inOrder = "ORDER BY c.id "
)

// ofDraft is a column of a draft, wherever a statement has carried it.
var ofDraft = regexp.MustCompile(`\b[ihp]\.(sender|recipient|client_id|id|type|content|reply_to|date_id|flag|n)\b`)

// loneSQL is a statement for a single draft, whose columns are the parameters
// themselves: it takes two thirds of the time.
func loneSQL(many string) string {
	parameters := map[string]string{
		"sender": "$1::uuid", "recipient": "$2::uuid", "client_id": "$3::uuid", "id": "$4::uuid", "type": "$5::text", "content": "$6::text",
		"reply_to": "$7::bigint", "date_id": "$8::uuid", "flag": "$9::text", "n": "1::bigint",
	}
	lone := strings.NewReplacer(drafts, "", carried, "", inOrder, "").Replace(many)
	return ofDraft.ReplaceAllStringFunc(lone, func(column string) string { return parameters[column[2:]] })
}

// statement is how drafts are stored in one way.
type statement struct{ one, many string }

func newStatement(w way) statement {
	many := placeSQL(w)
	return statement{loneSQL(many), many}
}

var (
	placeTogether = newStatement(way{skipHeld: true})
	placeSilently = newStatement(way{skipHeld: true, ifSilent: true})
	placeAlone    = newStatement(way{})
	placeRequest  = newStatement(way{request: true})
)

// place stores drafts, of which no two are of the same conversation, and marks
// those that it stored. The others had no open conversation between two active
// members, or their client id is known, or the way that the SQL stands for
// left them out. What an earlier try had marked was rolled back with it.
func place(ctx context.Context, db pg.DB, how statement, drafts []*draft) error {
	nothingStored(drafts)
	sql, values := how.many, columnsOf
	if len(drafts) == 1 {
		sql, values = how.one, valuesOf
	}
	rows, err := db.Query(ctx, sql, values(drafts)...)
	if err != nil {
		return err
	}
	var n, seq int64
	var conversation pgtype.UUID
	var at time.Time
	var devices, heated, voiced bool
	_, err = pgx.ForEachRow(rows, []any{&n, &conversation, &seq, &at, &devices, &heated, &voiced}, func() error {
		d := drafts[n-1]
		d.message.ConversationID, d.message.Seq, d.message.SentAt = conversation.Bytes, seq, web.Time(at)
		d.stored, d.devices, d.message.sparks = true, devices, sparksOf(heated, voiced)
		return nil
	})
	if err != nil { // it is all or nothing
		nothingStored(drafts)
	}
	return err
}

func nothingStored(drafts []*draft) {
	for _, d := range drafts {
		d.stored = false
	}
}

// columnsOf are the drafts as placeSQL takes them, column by column. PostgreSQL's
// own types spare pgx a detour through text.
func columnsOf(drafts []*draft) []any {
	n := len(drafts)
	senders, recipients := make(pgtype.FlatArray[pgtype.UUID], n), make(pgtype.FlatArray[pgtype.UUID], n)
	clientIDs, ids := make(pgtype.FlatArray[pgtype.UUID], n), make(pgtype.FlatArray[pgtype.UUID], n)
	types, contents := make(pgtype.FlatArray[string], n), make(pgtype.FlatArray[string], n)
	replies, dates := make(pgtype.FlatArray[pgtype.Int8], n), make(pgtype.FlatArray[pgtype.UUID], n)
	flags := make(pgtype.FlatArray[pgtype.Text], n)
	for i, d := range drafts {
		m := &d.message
		senders[i], recipients[i], clientIDs[i], ids[i] = known(m.SenderID), known(d.recipient), known(m.ClientID), known(m.ID)
		types[i], contents[i] = m.MessageType, m.Content
		replies[i], dates[i], flags[i] = d.optional()
	}
	return []any{senders, recipients, clientIDs, ids, types, contents, replies, dates, flags}
}

// valuesOf are the columns of the only draft as loneSQL takes them.
func valuesOf(only []*draft) []any {
	d, m := only[0], &only[0].message
	reply, date, flag := d.optional()
	return []any{known(m.SenderID), known(d.recipient), known(m.ClientID), known(m.ID), m.MessageType, m.Content, reply, date, flag}
}

// optional are the columns that may be null.
func (d *draft) optional() (reply pgtype.Int8, date pgtype.UUID, flag pgtype.Text) {
	if d.message.ReplyTo != nil {
		reply = pgtype.Int8{Int64: *d.message.ReplyTo, Valid: true}
	}
	if d.message.DateID != nil {
		date = known(*d.message.DateID)
	}
	return reply, date, pgtype.Text{String: d.flag, Valid: d.flag != ""}
}

func known(id uuid.UUID) pgtype.UUID { return pgtype.UUID{Bytes: id, Valid: true} }

func sparksOf(heated, voiced bool) (list []string) {
	if heated {
		list = append(list, messageSpark)
	}
	if voiced {
		list = append(list, voiceConnection)
	}
	return list
}
