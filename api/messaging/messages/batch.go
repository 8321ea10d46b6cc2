package messages

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging/sendqueue"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// The messages and receipts of a node share commits (docs/decisions/0010). Each
// conversation is a lane of the send queue.
const (
	queueCapacity = 4096 // messages and receipts of all members; further callers wait
	maxBatch      = 128  // messages and receipts in one transaction
	queueWorkers  = 2    // transactions at a time; more would only make them smaller
	storeTimeout  = 10 * time.Second
)

// write is a value of the send queue. One of its fields is set.
type write struct {
	message *Outgoing
	receipt *receiptUpdate
}

// written is the result of a write. The field of its kind is set, or none if the write was
// skipped.
type written struct {
	message *Stored
	receipt *receiptChange
}

func (w written) isStored() bool { return w.message != nil || w.receipt != nil }

func (s *Service) newQueue(capacity int) *sendqueue.Queue[write, written] {
	return sendqueue.New(sendqueue.Config[write, written]{
		StoreBatch: s.storeBatch, StoreOne: s.storeOne, Group: s.groupByJobs, Merge: mergeReceipts,
		Capacity: capacity, MaxBatch: maxBatch, Workers: queueWorkers, Timeout: storeTimeout,
	})
}

// enqueue stores a write together with others and publishes it. It returns Unavailable if
// ctx ends first; the write may still be stored and published.
func (s *Service) enqueue(ctx context.Context, item sendqueue.Item[write]) (written, error) {
	w, err := s.queue.Do(ctx, item)
	if errors.Is(err, sendqueue.ErrAbandoned) || errors.Is(err, sendqueue.ErrStopped) {
		err = fault.Wrap(fault.Unavailable, "This is taking longer than it should. Please try again in a moment.", err)
	}
	return w, err
}

// The groups of a batch, in the order of their storage.
const (
	withoutJobs = iota // inserted by one statement, which skips messages that need a job or are milestones
	withJobs           // inserted in one transaction with their jobs and the function of WatchMilestones
)

// groupByJobs divides a batch into two groups. Messages whose recipients have no device
// for push, which are most, are in the group without jobs. Receipts are in the group with
// jobs, if there is one, because they share its transaction.
func (s *Service) groupByJobs(batch []write) []int {
	groups, last := make([]int, len(batch)), withoutJobs
	parts := split(batch)
	for i, m := range parts.messages {
		if s.mayNeedJobs(m) {
			groups[parts.messageAt[i]], last = withJobs, withJobs
		}
	}
	for _, at := range parts.receiptAt {
		groups[at] = last
	}
	return groups
}

// mayNeedJobs reports whether a message is likely to need a job. An incorrect result costs
// only a round trip, because the statement without jobs checks again, and the transaction
// with jobs enqueues only those that are needed.
func (s *Service) mayNeedJobs(m *Outgoing) bool {
	return s.review || s.devices.mayHaveDevice(m.RecipientID)
}

// storeBatch stores the messages and receipts of a group in one transaction and publishes
// them. Writes that the statements skipped are stored separately, where they may wait for a
// locked conversation or return the error for which they cannot be stored. If the database
// is unavailable, no write is retried.
func (s *Service) storeBatch(ctx context.Context, group int, batch []write) []sendqueue.Result[written] {
	stored, err := s.storeTogether(ctx, group, batch)
	unavailable := fault.Is(pg.Fault(err), fault.Unavailable)
	results := make([]sendqueue.Result[written], len(batch))
	for i, w := range batch {
		switch {
		case unavailable:
			results[i].Err = err
		case err != nil || !stored[i].isStored():
			results[i].Err = sendqueue.ErrStoreSeparately
		default:
			results[i].Value = stored[i]
			s.publish(w, stored[i])
		}
	}
	return results
}

// storeTogether stores a group and returns one element for each write. Messages
// without jobs, or receipts alone, are one statement; the rest is one transaction.
func (s *Service) storeTogether(ctx context.Context, group int, batch []write) ([]written, error) {
	parts := split(batch)
	switch {
	case len(parts.messages) == 0:
		changes, err := advanceReceipts(ctx, s.pool, parts.receipts)
		return parts.join(nil, changes), err
	case len(parts.receipts) == 0 && group == withoutJobs:
		inserted, err := s.insertBatch(ctx, s.pool, parts.messages, group)
		return parts.join(inserted, nil), err
	}
	return pg.Tx(ctx, s.pool, func(tx pgx.Tx) ([]written, error) {
		inserted, err := s.insertBatch(ctx, tx, parts.messages, group)
		if err != nil {
			return nil, err
		}
		if err := s.insertJobs(ctx, tx, inserted); err != nil {
			return nil, err
		}
		changes, err := advanceReceipts(ctx, tx, parts.receipts)
		return parts.join(inserted, changes), err
	})
}

// splitBatch is a batch divided into its messages and receipts, with their positions in it.
type splitBatch struct {
	messages             []*Outgoing
	receipts             []*receiptUpdate
	messageAt, receiptAt []int
}

func split(batch []write) (s splitBatch) {
	for i, w := range batch {
		if w.message != nil {
			s.messages, s.messageAt = append(s.messages, w.message), append(s.messageAt, i)
		} else {
			s.receipts, s.receiptAt = append(s.receipts, w.receipt), append(s.receiptAt, i)
		}
	}
	return s
}

// join returns the results of the messages and receipts in the order of the batch. Results
// may be missing after an error.
func (s splitBatch) join(inserted []*Stored, changes []*receiptChange) []written {
	list := make([]written, len(s.messages)+len(s.receipts))
	for i, stored := range inserted {
		list[s.messageAt[i]].message = stored
	}
	for i, change := range changes {
		list[s.receiptAt[i]].receipt = change
	}
	return list
}

// storeOne stores a write in a separate transaction and publishes it.
func (s *Service) storeOne(ctx context.Context, w write) (result written, err error) {
	if w.message != nil {
		result.message, err = s.storeMessage(ctx, w.message)
	} else {
		result.receipt, err = s.storeReceipt(ctx, w.receipt)
	}
	if err == nil && result.isStored() {
		s.publish(w, result)
	}
	return result, err
}

// publish publishes a committed write, and updates the caches.
func (s *Service) publish(w write, stored written) {
	if stored.message != nil {
		s.devices.set(stored.message.recipientID, stored.message.hasDevices)
		s.Publish(*stored.message)
		return
	}
	s.pairs.add(*w.receipt, *stored.receipt)
	s.publishReceipt(w.receipt.member, *stored.receipt)
}

func clientIDTaken(err error) bool { return pg.ViolatesConstraint(err, "messages_client") }

// laneOf returns the lane of a conversation: its two members in ascending order.
func laneOf(a, b uuid.UUID) sendqueue.Key {
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return sendqueue.Key{a, b}
}
