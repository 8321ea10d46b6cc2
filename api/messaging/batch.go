package messaging

import (
	"context"

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
	if len(silent) > 0 {
		err := place(ctx, s.pool, placeSilently, draftsOf(silent))
		s.settle(silent, err, finish)
	}
	if len(loud) > 0 {
		err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) error { return s.placeAndNotify(ctx, tx, draftsOf(loud)) })
		s.settle(loud, err, finish)
	}
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
