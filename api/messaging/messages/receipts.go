package messages

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"heartward/api/messaging/sendqueue"
	"heartward/api/platform/bus"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Newest is the seq of a receipt for all messages of the conversation.
const Newest = int64(math.MaxInt64)

// Receipt is the seqs up to which a member's device has received and read. Zero does not
// change a mark.
type Receipt struct {
	DeliveredSeq, ReadSeq int64
}

// SetReceipts raises the actor's marks in the conversation that other identifies (the other
// member, the match or the conversation). Marks never fall and never exceed the last
// message; a read message counts as delivered.
//
// The actor's devices get an event about a new read mark, and so do the other member's
// unless one of the two hides read receipts. In that case, and for a new delivered mark
// alone, the other member's devices get an event that the messages are delivered, unless
// one of the two hides the online state. In a request they get no event.
//
// SetReceipts returns after the commit, which other writes share. If ctx ends, the receipt
// may still be stored. It returns NotFound if there is no such conversation, and
// Unavailable if the receipt was not stored in time.
func (s *Service) SetReceipts(ctx context.Context, actor web.Actor, other uuid.UUID, receipt Receipt) error {
	if receipt.DeliveredSeq < 0 || receipt.ReadSeq < 0 {
		return fault.InvalidField("readSeq", "Messages are numbered from 1.")
	}
	r := receiptUpdate{member: actor.ID, other: other, Receipt: receipt}
	_, err := s.enqueue(ctx, sendqueue.Item[write]{
		Lane: s.pairs.lane(r), ID: sendqueue.Key{r.member, r.other}, Value: write{receipt: &r},
	})
	return pg.Fault(err)
}

// receiptUpdate is a receipt to be stored. It is immutable.
type receiptUpdate struct {
	member, other uuid.UUID
	Receipt
}

// receiptChange is the effect of a stored receipt. If no mark rises, all
// marks are 0.
type receiptChange struct {
	Conversation, Peer                     uuid.UUID
	OldRead, Read, OldDelivered, Delivered int64
	At                                     time.Time
	IsRequest                              bool // the peer gets no event
	ReadHidden                             bool // by one of the members, or because it is a request
	DeliveredHidden                        bool // because one of the members hides the online state
}

// mergeReceipts merges two receipts of a member for the same conversation into one with the
// higher marks.
func mergeReceipts(earlier, later write) (write, bool) {
	a, b := earlier.receipt, later.receipt
	if a == nil || b == nil || a.member != b.member || a.other != b.other {
		return write{}, false
	}
	return write{receipt: &receiptUpdate{member: a.member, other: a.other, Receipt: Receipt{
		DeliveredSeq: max(a.DeliveredSeq, b.DeliveredSeq),
		ReadSeq:      max(a.ReadSeq, b.ReadSeq),
	}}}, true
}

// storeReceipt stores a receipt in a separate transaction and waits for the lock of the
// conversation. It returns ErrNoRows if the member has no such conversation.
func (s *Service) storeReceipt(ctx context.Context, r *receiptUpdate) (*receiptChange, error) {
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) (*receiptChange, error) {
		changes, err := queryReceipts(ctx, tx, advanceReceiptsWaitingSQL, []*receiptUpdate{r})
		if err != nil {
			return nil, err
		}
		if changes[0] == nil {
			return nil, pgx.ErrNoRows
		}
		return changes[0], nil
	})
}

// advanceReceipts stores receipts and returns one element for each, nil if
// advanceReceiptsSQL skipped the receipt.
func advanceReceipts(ctx context.Context, db pg.DB, receipts []*receiptUpdate) ([]*receiptChange, error) {
	if len(receipts) == 0 {
		return nil, nil
	}
	return queryReceipts(ctx, db, advanceReceiptsSQL, receipts)
}

func queryReceipts(ctx context.Context, db pg.DB, sql string, receipts []*receiptUpdate) ([]*receiptChange, error) {
	n := len(receipts)
	members, others := make(pgtype.FlatArray[pgtype.UUID], n), make(pgtype.FlatArray[pgtype.UUID], n)
	read, delivered := make(pgtype.FlatArray[int64], n), make(pgtype.FlatArray[int64], n)
	for i, r := range receipts {
		members[i], others[i], read[i], delivered[i] = toUUID(r.member), toUUID(r.other), r.ReadSeq, r.DeliveredSeq
	}
	rows, err := db.Query(ctx, sql, members, others, read, delivered)
	if err != nil {
		return nil, err
	}
	type row struct {
		N int64 // the position of the receipt, from 1
		receiptChange
	}
	stored, err := pgx.CollectRows(rows, pgx.RowToAddrOfStructByName[row])
	if err != nil {
		return nil, err
	}
	changes := make([]*receiptChange, n)
	for _, r := range stored {
		changes[r.N-1] = &r.receiptChange
	}
	return changes, nil
}

// publishReceipt sends the events of a stored receipt.
func (s *Service) publishReceipt(reader uuid.UUID, change receiptChange) {
	peerKnows := change.OldDelivered // up to which seq the peer knows that messages are delivered
	if change.Read > change.OldRead {
		event := bus.Event("", readEvent{"message_read", change.Conversation, reader, change.Read, web.Time(change.At)})
		s.events.Publish(bus.MemberSubject(reader), event) // the reader's other devices update their unread counts
		if !change.ReadHidden {
			s.events.Publish(bus.MemberSubject(change.Peer), event)
			peerKnows = max(peerKnows, change.Read)
		}
	}
	if change.Delivered > peerKnows && !change.IsRequest && !change.DeliveredHidden {
		event := bus.Event("", deliveredEvent{"message_delivered", change.Conversation, reader, change.Delivered})
		s.events.Publish(bus.MemberSubject(change.Peer), event)
	}
}
