package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/messaging"
	"heartward/push"
)

const (
	// While messages keep coming one waits for the end, but not longer than this.
	longestWait = 15 * time.Second
	// A message pushed later than this is of no use.
	messageTTL = 3 * 24 * time.Hour
)

// Notify decides, in tx and under the conversation's lock, whether its receiver
// is to be told of what is new, and enqueues a push for each device. Since is
// when the first of the new messages asked for it.
//
// It answers with how long to wait and ask again; zero means done, and then
// the job must be completed in tx: a message that comes after it makes a new
// job, one that came before was seen here. What was decided once is not
// decided again, so running twice has one effect.
//
// In quiet hours it waits for their end. All that comes until then finds the
// job waiting, so the morning brings one push a conversation, and none for
// what was read.
func (s *Service) Notify(ctx context.Context, tx pgx.Tx, jobs messaging.Inserter, args messaging.NotifyArgs, since time.Time) (time.Duration, error) {
	settings, err := readSettings(ctx, tx, args.ReceiverID)
	if err != nil || !settings.Messages {
		return 0, err
	}
	state, err := readState(ctx, tx, args.ConversationID, args.ReceiverID, settings)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil // read, told already, deleted, muted, closed, or gone
	}
	if err != nil {
		return 0, err
	}
	if state.Present && (state.Request || state.DeliveredSeq >= state.Seq) {
		return 0, nil // a device that is connected has it and shows it; requests have no receipts
	}
	if wait := settings.quietFor(state.Now); wait > 0 {
		return wait, nil
	}
	if quiet := state.Now.Sub(state.SentAt); quiet < messaging.NotifyDelay-time.Second && state.Now.Sub(since) < longestWait {
		return messaging.NotifyDelay - quiet, nil
	}
	devices, err := claim(ctx, tx, args.ConversationID, args.ReceiverID, state.Seq)
	if err != nil {
		return 0, err
	}
	for _, device := range devices {
		push := PushArgs{SubscriptionID: device, ConversationID: args.ConversationID, ReceiverID: args.ReceiverID, Seq: state.Seq}
		if _, err := jobs.InsertTx(ctx, tx, push, nil); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// Deliver pushes to one device what Notify decided, unless it was read, deleted
// or muted meanwhile, or a later push tells of it. A device that is gone is
// forgotten. The result says whether to try again. Delivering twice shows one
// notification: they share their tag.
func (s *Service) Deliver(ctx context.Context, args PushArgs) (push.Result, error) {
	settings, err := readSettings(ctx, s.pool, args.ReceiverID)
	if err != nil {
		return push.Result{}, err
	}
	if later, quiet := settings.inQuietHours(); quiet {
		return later, nil
	}
	to, news, err := readPush(ctx, s.pool, args, settings)
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && (!settings.Messages || time.Since(news.SentAt) > messageTTL)) {
		return push.Result{Outcome: push.Sent}, nil
	}
	if err != nil {
		return push.Result{}, err
	}
	message := push.Message{TTL: messageTTL, Urgency: push.High, Topic: topic("conversation", args.ConversationID)}
	message.Payload = render(s.config.Site, args, news, settings)
	result := s.sender.Send(ctx, to, message)
	if result.Outcome == push.TooLarge {
		news.Hidden = true
		message.Payload = render(s.config.Site, args, news, settings)
		result = s.sender.Send(ctx, to, message)
	}
	return result, s.forgetGone(ctx, result, args.SubscriptionID, to)
}

// forgetGone forgets a device that will never take a push again.
func (s *Service) forgetGone(ctx context.Context, result push.Result, id uuid.UUID, to push.Subscription) error {
	if result.Outcome == push.Gone || result.Outcome == push.Invalid {
		return forget(ctx, s.pool, id, to.Endpoint)
	}
	return nil
}

// news is what a push of messages is about: the newest one, and how many there are.
type news struct {
	From     string // the sender's first name
	PeerID   uuid.UUID
	Count    int // unread messages, this one included
	Type     string
	Content  string
	Files    int
	Duration time.Duration // of a recording
	Hidden   bool          // the filter found something in it: it is not for a locked screen
	Request  bool
	SentAt   time.Time
	Unread   int // conversations with something new, for the app's badge
}
