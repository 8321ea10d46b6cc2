// Package notifications sends pushes to members' devices. It owns push subscriptions and
// notification settings, decides when to push, and renders pushes.
package notifications

import (
	"context"
	"strings"

	"github.com/google/uuid"
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
	onNews func(member uuid.UUID) // nil if not set
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

// WatchNews sets a function that is called for each new entry in a member's list of notifications for which the feature
// itself publishes no frame to the member's devices. It must be called before the service is used.
func (s *Service) WatchNews(fn func(member uuid.UUID)) { s.onNews = fn }

// announce calls the function of WatchNews. Only jobs call it, because they run after the commit of their cause.
func (s *Service) announce(member uuid.UUID) {
	if s.onNews != nil {
		s.onNews(member)
	}
}

// PublicKey returns the VAPID key, which browsers need to subscribe.
func (s *Service) PublicKey() string { return s.config.PublicKey }

// StoredSubscription is the result of Subscribe.
type StoredSubscription struct {
	Created      bool // the endpoint is new
	ShowsContent bool // pushes to the device name people and have texts
}

// Subscribe stores the subscription of the actor's device until the session ends. A device
// that belonged to another member then belongs to the actor. showsContent is whether pushes to
// the device name people and have texts. If it is nil, the device keeps its setting; a new device
// shows content, unless another member has signed in on it before. Subscribe returns Invalid for
// an endpoint of an unknown push service and for malformed keys.
func (s *Service) Subscribe(ctx context.Context, actor web.Actor, to push.Subscription, showsContent *bool) (StoredSubscription, error) {
	if err := s.config.Hosts.Check(to.Endpoint); err != nil {
		return StoredSubscription{}, fault.InvalidField("endpoint", "This is not the address of a push service that we know.")
	}
	if err := checkEndpoint(to.Endpoint); err != nil {
		return StoredSubscription{}, err
	}
	if err := push.CheckKeys(to.P256dh, to.Auth); err != nil {
		return StoredSubscription{}, fault.InvalidField("keys", "These keys cannot be used to encrypt.")
	}
	stored, err := saveSubscription(ctx, s.pool, actor, to, showsContent)
	return stored, pg.Fault(err)
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

// DeviceSettings are the settings of pushes to one device.
type DeviceSettings struct {
	Categories   []string // nil means all categories of the member's settings
	ShowsContent *bool    // whether pushes name people and have texts; nil keeps the setting
}

// SetDevice changes the settings of one of the actor's devices. It returns NotFound for a device
// that is not the actor's.
func (s *Service) SetDevice(ctx context.Context, actor web.Actor, endpoint string, set DeviceSettings) error {
	if err := checkEndpoint(endpoint); err != nil {
		return err
	}
	tag, err := s.pool.Exec(ctx, `
		UPDATE push_subscriptions
		SET
			categories = $3,
			shows_content = coalesce($4, shows_content)
		WHERE user_id = $1
			AND endpoint = $2`, actor.ID, endpoint, set.Categories, set.ShowsContent)
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.NotFound, "This device is not subscribed.")
	}
	return pg.Fault(err)
}
