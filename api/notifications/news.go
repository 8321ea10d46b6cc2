package notifications

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/dates"
	"heartward/api/matching"
	"heartward/push"
)

// News is something to tell a member by push, whatever feature it comes from.
type News struct {
	Member   uuid.UUID `json:"member"`
	Category Category  `json:"category"`
	Title    string    `json:"title"`
	Body     string    `json:"body"`
	Path     string    `json:"path"` // of the app, to which a tap leads
	Tag      string    `json:"tag"`  // a newer one takes the place of an older one of the same tag

	// Date is what a reminder asked for: it is looked at again before it goes.
	Date *dates.ReminderArgs `json:"date,omitempty"`
	// Until is when the news is of no use any more; null after newsTTL.
	Until *time.Time `json:"until,omitempty"`
}

// NewsArgs asks to tell one device.
type NewsArgs struct {
	SubscriptionID uuid.UUID `json:"subscriptionId"`
	News           News      `json:"news"`
	At             time.Time `json:"at"`
}

// Kind names the job in the queue.
func (NewsArgs) Kind() string { return "push_news" }

// InsertOpts are as of other pushes.
func (NewsArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: PushQueue, MaxAttempts: 8}
}

// newsTTL is how long news is of use at most.
const newsTTL = 24 * time.Hour

// timeToLive returns how long a push of news that was enqueued at the given time
// is still of use; zero or less when it is not.
func (n News) timeToLive(enqueued, now time.Time) time.Duration {
	until := enqueued.Add(newsTTL)
	if n.Until != nil && n.Until.Before(until) {
		until = *n.Until
	}
	return until.Sub(now)
}

// Tell enqueues, in the transaction of the change, a push of news for each of
// the member's devices that wants their category. Nothing happens for a member
// who does not, or has no device. In quiet hours the pushes wait for the end.
func (s *Service) Tell(ctx context.Context, tx pgx.Tx, jobs matching.Inserter, news News) error {
	settings, err := readSettings(ctx, tx, news.Member)
	if err != nil || !settings.wants(news.Category) {
		return err
	}
	devices, err := devicesFor(ctx, tx, news.Member, news.Category)
	if err != nil {
		return err
	}
	for _, device := range devices {
		if _, err := jobs.InsertTx(ctx, tx, NewsArgs{SubscriptionID: device, News: news, At: time.Now()}, nil); err != nil {
			return err
		}
	}
	return nil
}

// DeliverNews pushes to one device what was told, unless its member does not
// want it any more. The rest is as of Deliver.
func (s *Service) DeliverNews(ctx context.Context, args NewsArgs) (push.Result, error) {
	settings, err := readSettings(ctx, s.pool, args.News.Member)
	if err != nil {
		return push.Result{}, err
	}
	if later, quiet := settings.inQuietHours(); quiet {
		return later, nil
	}
	to, err := readDevice(ctx, s.pool, args.SubscriptionID, args.News.Member, args.News.Category)
	ttl := args.News.timeToLive(args.At, time.Now())
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && (!settings.wants(args.News.Category) || ttl <= 0)) {
		return push.Result{Outcome: push.Sent}, nil
	}
	if err != nil {
		return push.Result{}, err
	}
	if stands, err := s.stands(ctx, args.News); err != nil || !stands {
		return push.Result{Outcome: push.Sent}, err
	}
	unread, err := readUnread(ctx, s.pool, args.News.Member)
	if err != nil {
		return push.Result{}, err
	}
	result := s.sender.Send(ctx, to, push.Message{
		TTL: ttl, Urgency: urgency(args.News.Category), Topic: topicOf(args.News), Payload: renderNews(s.config.Site, args.News, unread, settings),
	})
	return result, s.forgetGone(ctx, result, args.SubscriptionID, to)
}

// urgency is high for what somebody waits for.
func urgency(c Category) push.Urgency {
	switch c {
	case Messages, Matches, Graduation:
		return push.High
	}
	return push.Low
}

func topicOf(news News) string {
	sum := sha256.Sum256(append(news.Member[:], news.Tag...))
	return base64.RawURLEncoding.EncodeToString(sum[:15])
}

func renderNews(site string, news News, unread int, settings Preferences) []byte {
	return encode(news.Member, settings, payload{Notification: notification{
		Title: cut(news.Title, maxBody), Body: cut(news.Body, maxBody), Navigate: site + news.Path, Tag: news.Tag, AppBadge: unread,
	}})
}
