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

// storeBatch stores messages of as many conversations and finishes each: after
// the commit both sides are told, and the sender is answered.
//
// Most receivers have no device to push to. Their messages are one statement
// and one round trip; the others are a transaction, which holds the jobs that
// will look whether to notify as well. Who has a device is only a hint: the
// statement looks itself. What neither stored goes alone, where it may wait for
// a conversation that somebody holds, and learn why it cannot be stored.
func (s *Service) storeBatch(batch []*sending, finish func([]*sending)) {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	var silent, loud []*sending
	for _, m := range batch {
		if s.devices.likely(m.recipient) || s.review {
			loud = append(loud, m)
		} else {
			silent = append(silent, m)
		}
	}
	s.storeTogether(ctx, silent, finish, func(some []*sending) error {
		return place(ctx, s.pool, placeSilently, draftsOf(some))
	})
	s.storeTogether(ctx, loud, finish, func(some []*sending) error {
		return pg.Tx(ctx, s.pool, func(tx pgx.Tx) error { return s.placeAndNotify(ctx, tx, draftsOf(some)) })
	})
}

// storeTogether stores messages in one transaction and finishes each, whatever
// happens.
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
	senders, clients := make([]uuid.UUID, len(batch)), make([]uuid.UUID, len(batch))
	for i, m := range batch {
		senders[i], clients[i] = m.message.SenderID, m.message.ClientID
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
// is away nothing is tried again: the senders are told, and may repeat.
func (s *Service) settle(batch []*sending, err error, finish func([]*sending)) {
	var stored, rest []*sending
	away := fault.Is(pg.Fault(err), fault.Unavailable)
	for _, m := range batch {
		m.stored = m.stored && err == nil
		switch {
		case m.stored:
			stored = append(stored, m)
		case away:
			m.err = err
			stored = append(stored, m)
		default:
			rest = append(rest, m)
		}
	}
	for _, m := range stored {
		if m.stored {
			s.publishMessage(m.draft, m.socket)
		}
	}
	finish(stored)
	for _, m := range rest {
		go s.sendAlone(m, finish)
	}
}

// sendAlone is the way of what could not go together with others.
func (s *Service) sendAlone(m *sending, finish func([]*sending)) {
	defer rescue([]*sending{m}, finish)
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	m.err = s.storeAlone(ctx, m.draft, nil)
	if m.stored {
		s.devices.set(m.recipient, m.devices)
	}
	if m.stored && m.err == nil {
		s.publishMessage(m.draft, m.socket)
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
	slog.Error("a panic while messages were stored", "panic", p, "stack", string(debug.Stack()))
	var left []*sending
	for _, m := range batch {
		if !m.over() {
			m.err = errPanicked
			left = append(left, m)
		}
	}
	finish(left)
}

func draftsOf(batch []*sending) []*draft {
	list := make([]*draft, len(batch))
	for i, m := range batch {
		list[i] = m.draft
	}
	return list
}

func (d *draft) notifyArgs() NotifyArgs {
	return NotifyArgs{ConversationID: d.message.ConversationID, ReceiverID: d.recipient}
}
