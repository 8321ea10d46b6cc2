package messaging

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
)

// storeBatch stores messages and receipts of as many conversations and finishes
// each: after the commit both sides are told, and the caller is answered.
//
// Most receivers have no device to push to. Their messages are one statement
// and one round trip; the others are a transaction, which holds the jobs that
// will look whether to notify as well. Who has a device is only a hint: the
// statement looks itself. Receipts join the transaction of messages where there
// is one. What was not stored goes alone, where it may wait for a conversation
// that another transaction holds, and learn why it cannot be stored.
func (s *Service) storeBatch(batch []*sending, finish func([]*sending)) {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	var silent, loud, receipts []*sending
	for _, m := range batch {
		switch d, isMessage := m.queued.(*draft); {
		case !isMessage:
			receipts = append(receipts, m)
		case s.devices.likely(d.recipient) || s.review:
			loud = append(loud, m)
		default:
			silent = append(silent, m)
		}
	}
	if len(loud) > 0 {
		loud = append(loud, receipts...)
	} else {
		silent = append(silent, receipts...)
	}
	s.storeTogether(ctx, silent, finish, func(some []*sending) error { return s.storeSilently(ctx, some) })
	s.storeTogether(ctx, loud, finish, func(some []*sending) error {
		return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
			drafts, receipts := split(some)
			if err := s.placeAndNotify(ctx, tx, drafts); err != nil {
				return err
			}
			return raise(ctx, tx, raiseTogether, receipts)
		})
	})
}

// storeSilently stores what has no jobs. Messages or receipts alone are one
// statement, and both one transaction.
func (s *Service) storeSilently(ctx context.Context, batch []*sending) error {
	drafts, receipts := split(batch)
	switch {
	case len(receipts) == 0:
		return place(ctx, s.pool, placeSilently, drafts)
	case len(drafts) == 0:
		return raise(ctx, s.pool, raiseTogether, receipts)
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		if err := place(ctx, tx, placeSilently, drafts); err != nil {
			return err
		}
		return raise(ctx, tx, raiseTogether, receipts)
	})
}

// storeTogether stores messages and receipts in one transaction and finishes
// each, whatever happens.
func (s *Service) storeTogether(ctx context.Context, batch []*sending, finish func([]*sending), store func([]*sending) error) {
	if len(batch) == 0 {
		return
	}
	defer rescue(batch, finish)
	err := store(batch)
	if clientIDTaken(err) {
		err = s.storeUnknown(ctx, batch, err, store)
	}
	s.settle(batch, err, finish)
}

// storeUnknown stores a batch again after one of its client ids had become known
// on another node at that very moment, which undid them all: without those that
// are known. It answers with taken where that would be the same once more.
func (s *Service) storeUnknown(ctx context.Context, batch []*sending, taken error, store func([]*sending) error) error {
	known, err := knownIDs(ctx, s.pool, batch)
	if err != nil {
		return err
	}
	var rest []*sending
	for _, m := range batch {
		if _, is := known[m.sentID()]; !is {
			rest = append(rest, m)
		}
	}
	if len(rest) == 0 || len(rest) == len(batch) {
		return taken
	}
	return store(rest)
}

// knownIDs are those of the batch under which a message is stored.
func knownIDs(ctx context.Context, db pg.DB, batch []*sending) (map[sentID]struct{}, error) {
	drafts, _ := split(batch)
	senders, clients := make([]uuid.UUID, len(drafts)), make([]uuid.UUID, len(drafts))
	for i, d := range drafts {
		senders[i], clients[i] = d.message.SenderID, d.message.ClientID
	}
	rows, err := db.Query(ctx, `SELECT m.sender_id, m.client_id FROM unnest($1::uuid[], $2::uuid[]) AS i (sender, client)
		JOIN messages m ON m.sender_id = i.sender AND m.client_id = i.client`, senders, clients)
	if err != nil {
		return nil, err
	}
	known := map[sentID]struct{}{}
	var id sentID
	_, err = pgx.ForEachRow(rows, []any{&id.sender, &id.client}, func() error {
		known[id] = struct{}{}
		return nil
	})
	return known, err
}

// placeAndNotify stores drafts with their jobs, and learns who has a device.
func (s *Service) placeAndNotify(ctx context.Context, tx pgx.Tx, drafts []*draft) error {
	if err := place(ctx, tx, placeTogether, drafts); err != nil {
		return err
	}
	var jobs []river.InsertManyParams
	for _, d := range drafts {
		if !d.stored {
			continue
		}
		s.devices.set(d.recipient, d.devices)
		if d.devices {
			jobs = append(jobs, river.InsertManyParams{Args: d.notifyArgs()})
		}
		if args, wanted := s.reviewArgs(d); wanted {
			jobs = append(jobs, river.InsertManyParams{Args: args})
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	_, err := s.jobs.InsertManyTx(ctx, tx, jobs)
	return err
}

// settle finishes what was stored and sends the rest alone. When the database
// is away nothing is tried again: the callers get the error, and may repeat.
func (s *Service) settle(batch []*sending, err error, finish func([]*sending)) {
	var stored, refused, rest []*sending
	away := fault.Is(pg.Fault(err), fault.Unavailable)
	for _, m := range batch {
		switch {
		case err == nil && m.isStored():
			stored = append(stored, m)
		case away:
			m.err = err
			refused = append(refused, m)
		default:
			rest = append(rest, m)
		}
	}
	for _, m := range stored {
		m.publish(s)
	}
	finish(append(stored, refused...))
	for _, m := range rest {
		go s.sendAlone(m, finish)
	}
}

// sendAlone is the way of what could not go together with others.
func (s *Service) sendAlone(m *sending, finish func([]*sending)) {
	defer rescue([]*sending{m}, finish)
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	if m.err = m.storeAlone(ctx, s); m.err == nil && m.isStored() {
		m.publish(s)
	}
	finish([]*sending{m})
}

// errPanicked is what senders are told whose message met a panic. It may be
// stored: the same again finds it.
var errPanicked = errors.New("messaging: storing or telling panicked")

// rescue finishes after a panic what is not finished yet. Otherwise the senders
// would wait for nothing, their conversations would stand still, and with the
// flusher's goroutine the whole server would go.
func rescue(batch []*sending, finish func([]*sending)) {
	p := recover()
	if p == nil {
		return
	}
	slog.Error("a panic while messages or receipts were stored", "panic", p, "stack", string(debug.Stack()))
	var left []*sending
	for _, m := range batch {
		if !m.over() {
			m.err = errPanicked
			left = append(left, m)
		}
	}
	finish(left)
}

// split returns the messages and the receipts of a batch.
func split(batch []*sending) (drafts []*draft, receipts []*receiptDraft) {
	for _, m := range batch {
		switch q := m.queued.(type) {
		case *draft:
			drafts = append(drafts, q)
		case *receiptDraft:
			receipts = append(receipts, q)
		}
	}
	return drafts, receipts
}

func (d *draft) pair() pair            { return pairOf(d.message.SenderID, d.recipient) }
func (d *draft) sentID() sentID        { return sentID{d.message.SenderID, d.message.ClientID} }
func (d *draft) mergeInto(queued) bool { return false }
func (d *draft) isStored() bool        { return d.stored }

func (d *draft) storeAlone(ctx context.Context, s *Service) error {
	err := s.storeAlone(ctx, d, nil)
	if d.stored {
		s.devices.set(d.recipient, d.devices)
	}
	return err
}

func (d *draft) publish(s *Service) { s.publishMessage(d) }

func (d *draft) notifyArgs() NotifyArgs {
	return NotifyArgs{ConversationID: d.message.ConversationID, ReceiverID: d.recipient}
}
