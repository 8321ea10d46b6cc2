package main

import (
	"context"

	"github.com/google/uuid"

	"heartward/api"
	"heartward/api/activity"
	"heartward/api/auth"
	"heartward/api/dates"
	"heartward/api/deletion"
	"heartward/api/discovery"
	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/messaging/guard"
	"heartward/api/moderation"
	"heartward/api/notifications"
	"heartward/api/platform/blobs"
	"heartward/api/platform/web"
	"heartward/api/referrals"
	"heartward/api/verification"
	"heartward/jobs"
	"heartward/push"
)

// newServices builds all features on core. A process that serves and works builds them
// twice, because workers have a pool of their own. inserter enqueues the jobs.
func newServices(core *Core, inserter *jobs.Client) api.Services {
	pool, events, c := core.Pool, core.Bus, core.Config
	web.SetCursorSecret(c.Secret)
	b := blobs.New(pool, core.Files)
	m := members.New(pool, b)
	m.Watch(referrals.Complete)
	m.WatchTown(func(id uuid.UUID) { live.PublishTownChange(events, id) })
	m.WatchHiding(func(ctx context.Context, id uuid.UUID) { live.PublishVisibilityChange(ctx, pool, events, id) })
	files := media.New(pool, b, m, inserter, core.FFmpeg)
	match := matching.New(pool, events, inserter)
	reports := moderation.New(pool, events, match, b, inserter)
	reports.WatchStatus(func(ctx context.Context, id uuid.UUID) { live.PublishVisibilityChange(ctx, pool, events, id) })
	chat := messaging.New(pool, events, match, inserter, guard.Category)
	if c.ModerationURL != "" {
		chat.EnableReview()
	}
	signIn := auth.New(pool, core.Mail, events, m, inserter, auth.Config{
		Site: c.PublicURL.String(), Secret: c.Secret, Secure: c.Secure(), RateLimitScale: c.RateLimitScale, DemoPasswords: core.DemoPasswords,
	})
	return api.Services{
		Auth:    signIn,
		Members: m, Discovery: discovery.New(pool), Matching: match,
		Media: files, Messaging: chat,
		Dates: dates.New(pool, events, inserter, chat, dates.Config{
			Site: c.PublicURL.String(), RateLimitScale: c.RateLimitScale,
		}),
		Notifications: newNotifications(core, inserter),
		Moderation:    reports, Verification: verification.New(pool, files, b),
		Activity: activity.New(pool), Referrals: referrals.New(pool), Deletion: deletion.New(pool, events, signIn, inserter),
	}
}

func newNotifications(core *Core, inserter *jobs.Client) *notifications.Service {
	c := core.Config
	sender := push.NewSender(push.Options{
		PublicKey: c.VAPIDPublic, PrivateKey: c.VAPIDPrivate, Subject: c.VAPIDSubject, Hosts: c.AllowedPushHosts(),
	})
	return notifications.New(core.Pool, inserter, sender, notifications.Config{
		PublicKey: c.VAPIDPublic, Site: c.PublicURL.String(), Hosts: c.AllowedPushHosts(),
	})
}

// proxies returns the configured proxies.
func (c *Core) proxies() api.Proxies {
	return api.Proxies{Networks: c.Config.TrustedProxies, Header: c.Config.ClientIPHeader}
}

// newHub returns the socket hub of services.
func newHub(core *Core, services api.Services) *live.Hub {
	c := core.Config
	return live.New(live.Deps{
		Pool: core.Pool, Bus: core.Bus, Messaging: services.Messaging,
		Authenticate: services.Auth.Authenticate, CheckSession: services.Auth.CheckSession,
		Cookie: services.Auth.CookieName(), Client: core.proxies().ClientAddress,
		Origin: c.PublicURL.String(), Limits: live.DefaultLimits(c.RateLimitScale),
	})
}

// newWorkers returns the River client whose workers use core.
func newWorkers(core *Core) (*jobs.Client, error) {
	inserter, err := jobs.NewInserter(core.Pool)
	if err != nil {
		return nil, err
	}
	services := newServices(core, inserter)
	deps := jobs.Deps{
		Notifications: services.Notifications, Blobs: blobs.New(core.Pool, core.Files), Media: services.Media, Mail: core.Mail,
		Auth: services.Auth,
		Site: core.Config.PublicURL.String(),
	}
	if c := core.Config; c.ModerationURL != "" {
		deps.External = moderation.NewExternal(services.Messaging, c.ModerationURL, c.ModerationKey, c.ModerationModel)
	}
	return jobs.New(core.Pool, deps)
}
