package notifications

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/matching"
	"heartward/api/platform/pg"
	"heartward/push"
)

// MatchPushArgs asks to tell one device of a new match.
type MatchPushArgs struct {
	SubscriptionID uuid.UUID `json:"subscriptionId"`
	MatchID        uuid.UUID `json:"matchId"`
	ReceiverID     uuid.UUID `json:"receiverId"`
}

// Kind names the job in the queue.
func (MatchPushArgs) Kind() string { return "push_match" }

// InsertOpts let a device be told once, however often it is asked for.
func (MatchPushArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: PushQueue, MaxAttempts: 8, UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// NotifyMatch decides in tx whether a member is to be told of a new match, and
// enqueues a push for each device. Whoever is connected was told by the socket;
// whoever has looked at the match knows. Running twice has one effect. In quiet
// hours the pushes wait for their end.
func (s *Service) NotifyMatch(ctx context.Context, tx pgx.Tx, jobs matching.Inserter, args matching.NotifyMatchArgs) error {
	settings, err := readSettings(ctx, tx, args.MemberID)
	if err != nil || !settings.Matches {
		return err
	}
	devices, err := devicesForMatch(ctx, tx, args.MatchID, args.MemberID)
	if err != nil {
		return err
	}
	for _, device := range devices {
		push := MatchPushArgs{SubscriptionID: device, MatchID: args.MatchID, ReceiverID: args.MemberID}
		if _, err := jobs.InsertTx(ctx, tx, push, nil); err != nil {
			return err
		}
	}
	return nil
}

// DeliverMatch pushes to one device what NotifyMatch decided, unless the match
// was seen or has ended meanwhile. A device that is gone is forgotten. The
// result says whether to try again. Delivering twice shows one notification:
// they share their tag.
func (s *Service) DeliverMatch(ctx context.Context, args MatchPushArgs) (push.Result, error) {
	settings, err := readSettings(ctx, s.pool, args.ReceiverID)
	if err != nil {
		return push.Result{}, err
	}
	if later, quiet := settings.inQuietHours(); quiet {
		return later, nil
	}
	to, match, err := readMatchPush(ctx, s.pool, args)
	if errors.Is(err, pgx.ErrNoRows) || (err == nil && (!settings.Matches || time.Since(match.At) > messageTTL)) {
		return push.Result{Outcome: push.Sent}, nil
	}
	if err != nil {
		return push.Result{}, err
	}
	result := s.sender.Send(ctx, to, push.Message{
		TTL: messageTTL, Urgency: push.High, Topic: topic("match", args.MatchID), Payload: renderMatch(s.config.Site, args, match, settings),
	})
	return result, s.forgetGone(ctx, result, args.SubscriptionID, to)
}

// newMatch is what a push tells of a match.
type newMatch struct {
	With   string // the other member's first name
	At     time.Time
	Unread int // conversations with something new, for the app's badge
}

// untold is a match m that $2 has not looked at, with the other member, u.
const untold = `matches m JOIN users u ON u.id = CASE m.user_a WHEN $2 THEN m.user_b ELSE m.user_a END
	WHERE m.id = $1 AND $2 IN (m.user_a, m.user_b) AND m.unmatched_at IS NULL AND u.profile_status = 'active'
		AND NOT CASE m.user_a WHEN $2 THEN m.seen_by_a ELSE m.seen_by_b END`

func devicesForMatch(ctx context.Context, tx pgx.Tx, match, member uuid.UUID) ([]uuid.UUID, error) {
	rows, err := tx.Query(ctx, `SELECT s.id FROM push_subscriptions s
		WHERE s.user_id = $2 AND (s.categories IS NULL OR 'matches' = ANY (s.categories)) AND EXISTS (SELECT FROM `+untold+`)
			AND NOT EXISTS (SELECT FROM online_members o WHERE o.user_id = $2)`, match, member)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// readMatchPush reads the device and what to tell it. ErrNoRows: the device is
// gone or another's, or there is nothing to tell any more.
func readMatchPush(ctx context.Context, db pg.DB, args MatchPushArgs) (to push.Subscription, n newMatch, err error) {
	err = db.QueryRow(ctx, `SELECT s.endpoint, s.p256dh, s.auth, news.first_name, news.created_at, `+unreadTalks+`
		FROM push_subscriptions s, (SELECT u.first_name, m.created_at FROM `+untold+`) news
		WHERE s.id = $3 AND s.user_id = $2 AND (s.categories IS NULL OR 'matches' = ANY (s.categories))`, args.MatchID, args.ReceiverID, args.SubscriptionID).
		Scan(&to.Endpoint, &to.P256dh, &to.Auth, &n.With, &n.At, &n.Unread)
	return to, n, err
}
