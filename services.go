package main

import (
	"context"

	"github.com/google/uuid"

	"heartward/api"
	"heartward/api/activity"
	"heartward/api/admin"
	"heartward/api/auth"
	"heartward/api/badges"
	"heartward/api/community"
	"heartward/api/dates"
	"heartward/api/deletion"
	"heartward/api/digest"
	"heartward/api/discovery"
	"heartward/api/export"
	"heartward/api/figures"
	"heartward/api/graduation"
	"heartward/api/live"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/messaging/guard"
	"heartward/api/moderation"
	"heartward/api/moments"
	"heartward/api/notifications"
	"heartward/api/platform/blobs"
	"heartward/api/platform/obs"
	"heartward/api/platform/web"
	"heartward/api/profilereview"
	"heartward/api/pulse"
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
	happened := activity.New(pool, events)
	m.CountUnreadBy(happened.CountUnread)
	files := media.New(pool, b, m, inserter, core.FFmpeg)
	earned, shared := badges.New(pool, inserter), moments.New(pool, files, inserter)
	earned.WatchChanges(func(id uuid.UUID) { live.PublishBadges(events, id) })
	shared.Watch(func(id uuid.UUID) { live.PublishMoments(events, id) })
	m.WatchTown(func(id uuid.UUID) { live.PublishTownChange(events, id) })
	m.WatchHiding(func(ctx context.Context, id uuid.UUID) { live.PublishVisibilityChange(ctx, pool, events, id) })
	match := matching.New(pool, events, inserter)
	reports := newModeration(core, match, b, inserter)
	chat := messaging.New(pool, events, match, inserter, guard.Category)
	if c.ModerationURL != "" {
		chat.EnableReview(c.ModerationPictures == "on")
		if c.ModerationPictures == "on" {
			files.EnableReview()
		}
	}
	selfies := verification.New(pool, files, b)
	selfies.WatchDecisions(func(id uuid.UUID) { activity.PublishChange(events, id) })
	pulses := pulse.New(pool)
	pulses.Watch(func(_ context.Context, ids ...uuid.UUID) {
		for _, id := range ids {
			live.PublishPulse(events, id)
		}
	})
	signIn := auth.New(pool, core.Mail, events, m, inserter, auth.Config{
		Site: c.PublicURL.String(), Secret: c.Secret, Secure: c.Secure(), RateLimitScale: c.RateLimitScale, DemoPasswords: core.DemoPasswords,
		RequireFactor: c.IsPublic(),
	})
	signIn.WatchAddress(reports.TakeAddress)
	friends := referrals.New(pool, core.Mail, inserter, referrals.Config{
		Site: c.PublicURL.String(), Secret: c.AddressSecret(), Refuse: []referrals.Refuser{reports.RefusesInvitation, signIn.RefusesInvitation},
	})
	watchAchievements(m, match, chat, friends, earned, shared)
	signIn.WatchSignUp(friends.Join)
	search := discovery.New(pool)
	search.ScaleLimits(c.RateLimitScale)
	return api.Services{
		Auth:    signIn,
		Members: m, Discovery: search, Matching: match,
		Media: files, Messaging: chat,
		Dates: dates.New(pool, events, inserter, chat, dates.Config{
			Site: c.PublicURL.String(), RateLimitScale: c.RateLimitScale,
		}),
		Notifications: newNotifications(core, inserter),
		Moderation:    reports, Verification: selfies,
		Activity: happened, Referrals: friends, Deletion: deletion.New(pool, events, signIn, inserter),
		Admin: admin.New(pool, events, inserter), ProfileReview: newProfileReview(core, inserter),
		Graduation: newGraduation(core, b, inserter), Pulse: pulses, Badges: earned, Moments: shared,
		Community: community.New(community.Deps{
			Pool: pool, Blobs: b, Media: files, Moderation: reports, Jobs: inserter, Classify: guard.Category, RateLimitScale: c.RateLimitScale,
		}),
		Figures: figures.New(pool),
		Export:  export.New(pool, b, inserter),
		Digest:  digest.New(pool, core.Mail, inserter, c.PublicURL.String()),
	}
}

// newModeration returns the service of reports, which publishes its decisions.
func newModeration(core *Core, match *matching.Service, b *blobs.Service, inserter *jobs.Client) *moderation.Service {
	pool, events, c := core.Pool, core.Bus, core.Config
	s := moderation.New(pool, events, match, b, inserter, c.AddressSecret())
	s.ContactAt(c.Contact())
	s.WatchDecisions(func(ids ...uuid.UUID) {
		for _, id := range ids {
			activity.PublishChange(events, id)
		}
	})
	s.WatchStatus(func(ctx context.Context, id uuid.UUID) { live.PublishVisibilityChange(ctx, pool, events, id) })
	return s
}

// newProfileReview returns the service of profile reviews, which publishes its decisions.
func newProfileReview(core *Core, inserter *jobs.Client) *profilereview.Service {
	pool, events := core.Pool, core.Bus
	s := profilereview.New(pool, inserter)
	s.WatchDecisions(func(ctx context.Context, id uuid.UUID) {
		live.PublishVisibilityChange(ctx, pool, events, id)
		live.PublishReviewDecision(events, id)
	})
	return s
}

// newGraduation returns the service of couples, which publishes their changes.
func newGraduation(core *Core, b *blobs.Service, inserter *jobs.Client) *graduation.Service {
	pool, events := core.Pool, core.Bus
	s := graduation.New(pool, b, inserter)
	s.Watch(func(ctx context.Context, ids ...uuid.UUID) {
		for _, id := range ids {
			live.PublishVisibilityChange(ctx, pool, events, id)
			live.PublishGraduation(events, id)
		}
	})
	return s
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
	return api.Proxies{Networks: c.Config.TrustedProxies, Header: c.Config.ClientIPHeader, PlaceHeader: c.Config.ClientPlaceHeader}
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

// newWorkers returns the River client whose workers use core, and adds the metrics of the
// workers.
func newWorkers(core *Core, metrics *obs.Metrics) (*jobs.Client, error) {
	inserter, err := jobs.NewInserter(core.Pool)
	if err != nil {
		return nil, err
	}
	services := newServices(core, inserter)
	deps := jobs.Deps{
		Notifications: services.Notifications, Blobs: blobs.New(core.Pool, core.Files), Media: services.Media, Mail: core.Mail,
		Auth: services.Auth, Export: services.Export, Digest: services.Digest, Moderation: services.Moderation,
		ProfileReview: services.ProfileReview, Referrals: services.Referrals, Badges: services.Badges, Moments: services.Moments,
		Site: core.Config.PublicURL.String(),
	}
	addDigestMetrics(metrics, services.Digest)
	if c := core.Config; c.ModerationURL != "" {
		deps.External = moderation.NewExternal(services.Moderation, services.Messaging, services.Media, moderation.Endpoint{
			URL: c.ModerationURL, Key: c.ModerationKey, Model: c.ModerationModel, Pictures: c.ModerationPictures == "on",
		})
	}
	return jobs.New(core.Pool, deps)
}

// addDigestMetrics adds the outcomes of the digests that this process sent.
func addDigestMetrics(m *obs.Metrics, d *digest.Service) {
	m.Counter("heartward_digests_sent", "Digests that the mail server accepted, since the start.", func() float64 {
		sent, _, _ := d.Counts()
		return float64(sent)
	})
	m.Counter("heartward_digests_failed", "Digests that were refused or may not have arrived, since the start.", func() float64 {
		_, failed, _ := d.Counts()
		return float64(failed)
	})
	m.Counter("heartward_digests_skipped", "Members who got no digest, since the start.", func() float64 {
		_, _, skipped := d.Counts()
		return float64(skipped)
	})
}
