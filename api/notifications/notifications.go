// Package notifications sends pushes to members' devices. It owns push subscriptions and
// notification settings, decides when to push, and renders pushes.
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

// maxDevices is the maximum number of a member's subscriptions. A new one replaces the
// oldest.
const maxDevices = 16

// Config holds the settings of a Service.
type Config struct {
	PublicKey string     // the VAPID key for browsers
	Site      string     // the origin of the app, without a slash at the end
	Hosts     push.Hosts // allowed push services; nil means push.DefaultHosts
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

// Subscribe stores the subscription of the actor's device until the session ends. A device
// that belonged to another member then belongs to the actor. Subscribe reports whether
// the endpoint is new. It returns Invalid for an endpoint of an unknown push service and
// for malformed keys.
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

// checkEndpoint returns Invalid for characters that are not allowed in a URL.
func checkEndpoint(endpoint string) error {
	if strings.ContainsFunc(endpoint, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fault.InvalidField("endpoint", "The address contains characters that an address cannot have.")
	}
	return nil
}

// Unsubscribe deletes one of the actor's devices, if it exists. It returns Invalid for an
// endpoint with characters that are not allowed in a URL.
func (s *Service) Unsubscribe(ctx context.Context, actor web.Actor, endpoint string) error {
	if err := checkEndpoint(endpoint); err != nil {
		return err
	}
	_, err := s.pool.Exec(ctx, `DELETE FROM push_subscriptions WHERE user_id = $1 AND endpoint = $2`, actor.ID, endpoint)
	return pg.Fault(err)
}

// SetCategories limits the pushes to one of the actor's devices to the categories;
// nil means all categories of the actor's settings. It returns NotFound for a device that
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
