package messaging

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Newest as a receipt's seq stands for everything there is.
const Newest = int64(math.MaxInt64)

// Receipt says how far the actor's device has received and read. Zero leaves
// a mark where it is.
type Receipt struct {
	DeliveredSeq, ReadSeq int64
}

// Receive notes how far the actor has received and read in the conversation
// that other names. Marks only rise, and never above the last message; what is
// read is delivered too. Both sides are told of a rise, the other only where
// neither keeps reading to themselves, and of nothing in a request. Returns after
// the commit, which it shares with other receipts and messages; when ctx ends
// first, the receipt may be stored all the same. NotFound when there is no such
// conversation, Unavailable when it could not be stored in time.
func (s *Service) Receive(ctx context.Context, actor web.Actor, other uuid.UUID, receipt Receipt) error {
	if receipt.DeliveredSeq < 0 || receipt.ReadSeq < 0 {
		return fault.InvalidField("readSeq", "A message's place is counted from 1.")
	}
	return pg.Fault(s.lines.send(ctx, &receiptDraft{member: actor.ID, other: other, Receipt: receipt}))
}

// receiptDraft is a receipt that waits to be stored, of one or more calls.
type receiptDraft struct {
	member, other uuid.UUID
	Receipt
	stored bool
	result raised
}

// raised is what a receipt changed. Where it changed nothing, only the
// conversation and the peer are set.
type raised struct {
	Conversation, Peer                     uuid.UUID
	OldRead, Read, OldDelivered, Delivered int64
	At                                     time.Time
	IsRequest                              bool // of which the other side hears nothing
	ReadHidden                             bool // by one of the two, or for being a request
}

func (r *receiptDraft) pair() pair         { return pairOf(r.member, r.other) }
func (r *receiptDraft) sentID() sentID     { return sentID{r.member, r.other} }
func (r *receiptDraft) isStored() bool     { return r.stored }
func (r *receiptDraft) publish(s *Service) { s.publishReceipt(r.member, r.result) }

// mergeInto raises an earlier receipt of the same member and name to the higher figures.
func (r *receiptDraft) mergeInto(earlier queued) bool {
	e, ok := earlier.(*receiptDraft)
	if !ok || e.member != r.member || e.other != r.other {
		return false
	}
	e.DeliveredSeq, e.ReadSeq = max(e.DeliveredSeq, r.DeliveredSeq), max(e.ReadSeq, r.ReadSeq)
	return true
}

func (r *receiptDraft) storeAlone(ctx context.Context, s *Service) error {
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := raise(ctx, tx, raiseAlone, []*receiptDraft{r}); err != nil {
			return err
		}
		if !r.stored {
			return pgx.ErrNoRows
		}
		return nil
	})
}

func (s *Service) publishReceipt(reader uuid.UUID, change raised) {
	heard := change.OldDelivered // by the peer, of delivery
	if change.Read > change.OldRead {
		event := bus.Event("", readEvent{"message_read", change.Conversation, reader, change.Read, web.Time(change.At)})
		s.events.Publish(bus.MemberSubject(reader), event) // the other devices drop their badge
		if !change.ReadHidden {
			s.events.Publish(bus.MemberSubject(change.Peer), event)
			heard = max(heard, change.Read)
		}
	}
	if change.Delivered > heard && !change.IsRequest {
		event := bus.Event("", deliveredEvent{"message_delivered", change.Conversation, reader, change.Delivered})
		s.events.Publish(bus.MemberSubject(change.Peer), event)
	}
}

// raiseSQL raises the marks of each receipt and the time of reading of the
// messages below, in one statement. A receipt that changes nothing locks nothing.
//
// A statement does not see messages that were committed while it waited for the
// lock, so a mark rises no further than the last message before that: each message
// below a mark of reading has its time. The old marks, and what decides who may
// see the rise, are read under the lock. Rows are locked in the order of their
// ids, so that two nodes cannot wait for each other. Of two receipts for one
// conversation, which name it differently, only one is stored.
//
// The result holds the receipts that are stored. The conversation of any other is
// not shown to the member, was ended meanwhile, or is locked and lock is SKIP LOCKED.
func raiseSQL(lock string) string {
	return `
WITH found AS MATERIALIZED (
	SELECT i.n, i.member, c.id, c.user_a = i.member AS by_a,
		CASE c.user_a WHEN i.member THEN c.user_b ELSE c.user_a END AS peer,
		least(i.read, c.last_seq) AS to_read,
		least(greatest(i.read, i.delivered), c.last_seq) AS to_delivered,
		CASE c.user_a WHEN i.member THEN c.a_read_seq ELSE c.b_read_seq END < least(i.read, c.last_seq)
			OR CASE c.user_a WHEN i.member THEN c.a_delivered_seq ELSE c.b_delivered_seq END
				< least(greatest(i.read, i.delivered), c.last_seq) AS rises
	FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::bigint[]), (SELECT $4::bigint[])) WITH ORDINALITY
		AS i (member, other, read, delivered, n)
	JOIN conversations c ON ` + namedBy("i.member", "i.other") + `
), held AS MATERIALIZED (
	SELECT f.n, f.member, f.id, f.by_a, f.peer, marks.*, clock_timestamp() AS at,
		greatest(marks.old_read, f.to_read) AS new_read,
		greatest(marks.old_delivered, f.to_delivered) AS new_delivered,
		c.requested_by IS NOT NULL AS is_request,
		c.requested_by IS NOT NULL
			OR EXISTS (SELECT FROM users u WHERE u.id IN (c.user_a, c.user_b) AND u.hide_read_receipts) AS read_hidden
	FROM found f
	JOIN conversations c ON c.id = f.id AND ` + shownTo("f.member") + `
	CROSS JOIN LATERAL (SELECT
		CASE WHEN f.by_a THEN c.a_read_seq ELSE c.b_read_seq END AS old_read,
		CASE WHEN f.by_a THEN c.a_delivered_seq ELSE c.b_delivered_seq END AS old_delivered) marks
	WHERE f.rises
	ORDER BY c.id FOR NO KEY UPDATE OF c ` + lock + `
), sides AS (
	SELECT h.*, CASE WHEN is_request OR (read_hidden AND new_delivered = old_delivered) THEN member END AS only_side FROM held h
), risen AS (
	UPDATE conversations c SET
		changed_xid = CASE WHEN s.only_side IS NULL THEN pg_current_xact_id() ELSE c.changed_xid END,
		` + ownSideChanged("s.only_side") + `,
		a_read_seq = CASE WHEN s.by_a THEN s.new_read ELSE c.a_read_seq END,
		a_delivered_seq = CASE WHEN s.by_a THEN s.new_delivered ELSE c.a_delivered_seq END,
		b_read_seq = CASE WHEN s.by_a THEN c.b_read_seq ELSE s.new_read END,
		b_delivered_seq = CASE WHEN s.by_a THEN c.b_delivered_seq ELSE s.new_delivered END
	FROM sides s WHERE c.id = s.id
	RETURNING s.*
), seen AS (
	UPDATE messages m SET read_at = r.at
	FROM risen r
	WHERE m.conversation_id = r.id AND m.seq > r.old_read AND m.seq <= r.new_read
		AND m.sender_id = r.peer AND m.read_at IS NULL
)
SELECT f.n, f.id, f.peer, coalesce(r.old_read, 0), coalesce(r.new_read, 0), coalesce(r.old_delivered, 0), coalesce(r.new_delivered, 0),
	coalesce(r.at, clock_timestamp()), coalesce(r.is_request, false), coalesce(r.read_hidden, false)
FROM found f LEFT JOIN risen r ON r.n = f.n
WHERE r.n IS NOT NULL OR NOT f.rises`
}

var (
	raiseTogether = raiseSQL("SKIP LOCKED")
	raiseAlone    = raiseSQL("")
)

// raise stores receipts by raiseTogether or raiseAlone and marks those that it
// stored. What an earlier try had marked was rolled back with it.
func raise(ctx context.Context, db pg.DB, sql string, receipts []*receiptDraft) error {
	if len(receipts) == 0 {
		return nil
	}
	n := len(receipts)
	members, others := make(pgtype.FlatArray[pgtype.UUID], n), make(pgtype.FlatArray[pgtype.UUID], n)
	read, delivered := make(pgtype.FlatArray[int64], n), make(pgtype.FlatArray[int64], n)
	for i, r := range receipts {
		r.stored, r.result = false, raised{}
		members[i], others[i], read[i], delivered[i] = known(r.member), known(r.other), r.ReadSeq, r.DeliveredSeq
	}
	rows, err := db.Query(ctx, sql, members, others, read, delivered)
	if err != nil {
		return err
	}
	var place int64
	var r raised
	targets := []any{&place, &r.Conversation, &r.Peer, &r.OldRead, &r.Read, &r.OldDelivered, &r.Delivered, &r.At, &r.IsRequest, &r.ReadHidden}
	_, err = pgx.ForEachRow(rows, targets, func() error {
		receipts[place-1].stored, receipts[place-1].result = true, r
		return nil
	})
	return err
}
