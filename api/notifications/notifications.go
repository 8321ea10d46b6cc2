// Package notifications tells members who are not looking: the devices that
// want to be pushed to, when to push, and what the push says.
package notifications

import (
	"context"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/matching"
	"heartward/api/platform/fault"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/push"
)

// maxDevices is how many subscriptions a member may have; a newer one takes
// the place of the oldest.
const maxDevices = 16

// Config is what the service needs to know of this installation.
type Config struct {
	PublicKey string     // VAPID, given to browsers
	Site      string     // the origin that notifications lead to, without a slash at the end
	Hosts     push.Hosts // allowed push services; nil stands for push.DefaultHosts
}

// Service holds what the functions of this package need. Safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	jobs   matching.Inserter
	sender push.Sender
	config Config
}

// New makes the service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, jobs matching.Inserter, sender push.Sender, config Config) *Service {
	nilcheck.Must("notifications.New", nilcheck.Deps{"pool": pool, "jobs": jobs, "sender": sender})
	if config.Hosts == nil {
		config.Hosts = push.DefaultHosts
	}
	config.Site = strings.TrimSuffix(config.Site, "/")
	return &Service{pool: pool, jobs: jobs, sender: sender, config: config}
}

// PublicKey is what browsers need to subscribe.
func (s *Service) PublicKey() string { return s.config.PublicKey }

// Subscribe notes that the actor's device wants pushes, for as long as its
// session lasts. A device that was another member's is now this one's. It
// reports whether the endpoint is new. Fails with Invalid for an address that
// is no known push service, or keys that are none.
func (s *Service) Subscribe(ctx context.Context, actor web.Actor, to push.Subscription) (created bool, err error) {
	if err := s.config.Hosts.Check(to.Endpoint); err != nil {
		return false, fault.InvalidField("endpoint", "This is not the address of a push service that we know.")
	}
	if err := checkEndpoint(to.Endpoint); err != nil {
		return false, err
	}
	if err := push.CheckKeys(to.P256dh, to.Auth); err != nil {
		return false, fault.InvalidField("keys", "These keys cannot be used to encrypt.")
	}
	created, err = saveSubscription(ctx, s.pool, actor, to)
	return created, pg.Fault(err)
}

// checkEndpoint refuses characters that no address has.
func checkEndpoint(endpoint string) error {
	if strings.ContainsFunc(endpoint, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fault.InvalidField("endpoint", "The address contains characters that an address cannot have.")
	}
	return nil
}

// Unsubscribe forgets one of the actor's devices; it is no error when it is
// not there. Invalid for what cannot be an address.
func (s *Service) Unsubscribe(ctx context.Context, actor web.Actor, endpoint string) error {
	if err := checkEndpoint(endpoint); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `DELETE FROM push_subscriptions WHERE user_id = $1 AND endpoint = $2`, actor.ID, endpoint)
	return pg.Fault(err)
}

// Choose says what one of the actor's devices is told; nil for all that the
// actor wants. Fails with NotFound for a device that is not the actor's.
func (s *Service) Choose(ctx context.Context, actor web.Actor, endpoint string, categories []string) error {
	if err := checkEndpoint(endpoint); err != nil {
		return err
	}
	tag, err := s.pool.Exec(ctx, `UPDATE push_subscriptions SET categories = $3 WHERE user_id = $1 AND endpoint = $2`, actor.ID, endpoint, categories)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.NotFound, "This device is not subscribed.")
	}
	return pg.Fault(err)
}

// PushArgs asks to push what is new in a conversation, up to Seq, to one device.
type PushArgs struct {
	SubscriptionID uuid.UUID `json:"subscriptionId"`
	ConversationID uuid.UUID `json:"conversationId"`
	ReceiverID     uuid.UUID `json:"receiverId"`
	Seq            int64     `json:"seq"`
}

// Kind names the job in the queue.
func (PushArgs) Kind() string { return "push" }

// InsertOpts give it a queue of its own, so that a slow push service holds up
// nothing else.
func (PushArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: PushQueue, MaxAttempts: 8}
}

// PushQueue is where pushes wait.
const PushQueue = "push"
