// Package notifications pushes to members who are not connected: their devices and
// settings, when to push, and what a push says.
package notifications

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/push"
)

// maxDevices is how many subscriptions a member may have; a newer one takes
// the place of the oldest.
const maxDevices = 16

// Config describes the installation.
type Config struct {
	PublicKey string     // VAPID, given to browsers
	Site      string     // the origin that notifications lead to, without a slash at the end
	Hosts     push.Hosts // allowed push services; nil stands for push.DefaultHosts
}

// Service is safe for concurrent use.
type Service struct {
	pool   *pgxpool.Pool
	jobs   jobqueue.Inserter
	sender push.Sender
	config Config
}

// New returns a service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool, jobs jobqueue.Inserter, sender push.Sender, config Config) *Service {
	nilcheck.Must("notifications.New", nilcheck.Deps{"pool": pool, "jobs": jobs, "sender": sender})
	if config.Hosts == nil {
		config.Hosts = push.DefaultHosts
	}
	config.Site = strings.TrimSuffix(config.Site, "/")
	return &Service{pool: pool, jobs: jobs, sender: sender, config: config}
}

// PublicKey returns the VAPID key, which browsers need to subscribe.
func (s *Service) PublicKey() string { return s.config.PublicKey }

// Subscribe stores the subscription of the actor's device for as long as its session
// lasts. A device that belonged to another member now belongs to the actor. It
// reports whether the endpoint is new. It fails with Invalid for an endpoint of an
// unknown push service and for malformed keys.
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

// checkEndpoint fails with Invalid for characters that no URL contains.
func checkEndpoint(endpoint string) error {
	if strings.ContainsFunc(endpoint, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fault.InvalidField("endpoint", "The address contains characters that an address cannot have.")
	}
	return nil
}

// Unsubscribe deletes one of the actor's devices, if it exists. It fails with
// Invalid for what cannot be a URL.
func (s *Service) Unsubscribe(ctx context.Context, actor web.Actor, endpoint string) error {
	if err := checkEndpoint(endpoint); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `DELETE FROM push_subscriptions WHERE user_id = $1 AND endpoint = $2`, actor.ID, endpoint)
	return pg.Fault(err)
}

// SetCategories limits the pushes to one of the actor's devices to the categories;
// nil stands for all that the actor wants. It fails with NotFound for a device that
// is not the actor's.
func (s *Service) SetCategories(ctx context.Context, actor web.Actor, endpoint string, categories []string) error {
	if err := checkEndpoint(endpoint); err != nil {
		return err
	}
	tag, err := s.pool.Exec(ctx, `UPDATE push_subscriptions SET categories = $3 WHERE user_id = $1 AND endpoint = $2`, actor.ID, endpoint, categories)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.NotFound, "This device is not subscribed.")
	}
	return pg.Fault(err)
}
