// Package wiring builds the features' services and connects them. The program and the tests of
// the API and of the jobs use it, so that tests run on the connections that are shipped.
package wiring

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api"
	"heartward/api/activity"
	"heartward/api/admin"
	"heartward/api/auth"
	"heartward/api/badges"
	"heartward/api/clienterrors"
	"heartward/api/community"
	"heartward/api/dates"
	"heartward/api/deletion"
	"heartward/api/delivery"
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
	"heartward/api/notes"
	"heartward/api/notifications"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus"
	"heartward/api/platform/config"
	"heartward/api/platform/files"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/mail"
	"heartward/api/profilereview"
	"heartward/api/pulse"
	"heartward/api/queue"
	"heartward/api/referrals"
	"heartward/api/verification"
	"heartward/push"
)

// Deps are what the services are built on. All are required except FFmpeg and Push.
type Deps struct {
	Config config.Config
	Pool   *pgxpool.Pool
	Bus    *bus.Bus
	Files  *files.Store
	Mail   mail.Sender
	Jobs   jobqueue.Inserter
	FFmpeg *media.FFmpeg // nil without ffmpeg
	Push   push.Sender   // nil: the push services, with the keys of Config

	DemoPasswords bool // demo members may sign in by password
	// AdminsWithoutFactor is for tests: admins of a public site need no second factor.
	AdminsWithoutFactor bool
}

// New builds all services. A process that serves and works calls it twice, because workers
// have a pool of their own.
func New(d Deps) api.Services {
	mails := newDelivery(d)
	d.Mail = mails
	pool, events, jobs, c := d.Pool, d.Bus, d.Jobs, d.Config
	b := blobs.New(pool, d.Files)
	happened := activity.New(pool, events)
	m := newMembers(d, b, happened)
	m.CheckMailBy(mails.HasProblem)
	files := media.New(pool, b, m, jobs, d.FFmpeg)
	earned, shared := badges.New(pool, jobs), moments.New(pool, files, jobs)
	earned.WatchChanges(func(id uuid.UUID) { live.PublishBadges(events, id) })
	shared.Watch(func(id uuid.UUID) { live.PublishMoments(events, id) })
	match, couples := matching.New(pool, events, jobs), newGraduation(d, b)
	reports := newModeration(d, match, couples, b)
	chat := newMessaging(d, match, files)
	selfies := verification.New(pool, files, b, jobs)
	selfies.WatchDecisions(func(id uuid.UUID) { activity.PublishChange(events, id) })
	pulses := newPulse(d)
	signIn := newAuth(d, m)
	signIn.WatchAddress(reports.TakeAddress)
	leaving := deletion.New(pool, events, signIn, jobs)
	watchCouples(couples, m, match, leaving)
	friends := referrals.New(pool, mail.OfKind(mail.Invitations, mails), jobs, referrals.Config{
		Site: c.PublicURL.String(), Secret: c.AddressSecret(), PerDay: c.InvitationsPerDay, Refuse: []referrals.Refuser{reports.RefusesInvitation, signIn.RefusesInvitation},
	})
	board := newCommunity(d, b, files, reports)
	watchAchievements(m, match, chat, board, friends, earned, shared)
	signIn.WatchSignUp(friends.Join)
	search := discovery.New(pool)
	search.ScaleLimits(c.RateLimitScale)
	return api.Services{
		Auth:    signIn,
		Members: m, Delivery: mails, Discovery: search, Matching: match,
		Media: files, Messaging: chat,
		Dates: dates.New(pool, events, jobs, chat, dates.Config{
			Site: c.PublicURL.String(), RateLimitScale: c.RateLimitScale,
		}),
		Notifications: newNotifications(d),
		Queue:         queue.New(pool),
		Moderation:    reports, Verification: selfies,
		Activity: happened, Referrals: friends, Deletion: leaving,
		Admin: admin.New(pool, events, jobs), ProfileReview: newProfileReview(d),
		Graduation: couples, Pulse: pulses, Badges: earned, Moments: shared,
		Community: board,
		Notes:     notes.New(pool),
		Figures:   figures.New(pool),

		ClientErrors: clienterrors.New(pool, c.RateLimitScale),
		Export:       export.New(pool, b, jobs, api.Data()),
		Digest:       digest.New(pool, mail.OfKind(mail.Digests, mails), jobs, c.PublicURL.String()),
	}
}

// newDelivery returns the service that sends the mails of all others, and publishes when an address takes none.
func newDelivery(d Deps) *delivery.Service {
	s := delivery.New(d.Pool, d.Mail, d.Jobs, DeliveryConfig(d.Config))
	s.Watch(func(id uuid.UUID) { live.PublishMailProblem(d.Bus, id) })
	for _, kind := range []mail.Kind{mail.Digests, mail.Graduations, mail.Reminders} {
		s.EndKindBy(kind, notifications.TurnOffMail(kind))
	}
	return s
}

// DeliveryConfig returns the settings of deliveries, which the command for reports needs too.
func DeliveryConfig(c config.Config) delivery.Config {
	return delivery.Config{Secret: c.AddressSecret(), Bounces: c.BounceAddress, PerMinute: c.MailPerMinute}
}

// newMembers returns the service of members, which publishes changes of their towns and of who is hidden.
func newMembers(d Deps, b *blobs.Service, happened *activity.Service) *members.Service {
	pool, events := d.Pool, d.Bus
	s := members.New(pool, b)
	s.ScaleLimits(d.Config.RateLimitScale)
	s.CountUnreadBy(happened.CountUnread)
	s.WatchTown(func(id uuid.UUID) { live.PublishTownChange(events, id) })
	s.WatchHiding(func(ctx context.Context, id uuid.UUID) { live.PublishVisibilityChange(ctx, pool, events, id) })
	return s
}

// newMessaging returns the service of messages. With MODERATION_URL it has texts reviewed, and pictures if
// MODERATION_PICTURES is on.
func newMessaging(d Deps, match *matching.Service, pictures *media.Service) *messaging.Service {
	s := messaging.New(d.Pool, d.Bus, match, d.Jobs, guard.Category)
	if d.Config.ModerationURL == "" {
		return s
	}
	s.EnableReview(d.Config.ModerationPictures == "on")
	if d.Config.ModerationPictures == "on" {
		pictures.EnableReview()
	}
	return s
}

// newAuth returns the service of signing in, which publishes its notices.
func newAuth(d Deps, m *members.Service) *auth.Service {
	c := d.Config
	s := auth.New(d.Pool, mail.OfKind(mail.Security, d.Mail), d.Bus, m, d.Jobs, auth.Config{
		Site: c.PublicURL.String(), Contact: c.Contact(), Secret: c.Secret, Secure: c.Secure(), RateLimitScale: c.RateLimitScale,
		DemoPasswords: d.DemoPasswords, RequireFactor: c.IsPublic() && !d.AdminsWithoutFactor,
	})
	s.WatchNotices(func(id uuid.UUID) { activity.PublishChange(d.Bus, id) })
	return s
}

func newCommunity(d Deps, b *blobs.Service, files *media.Service, reports *moderation.Service) *community.Service {
	return community.New(community.Deps{
		Pool: d.Pool, Blobs: b, Media: files, Moderation: reports, Jobs: d.Jobs, Classify: guard.Category, RateLimitScale: d.Config.RateLimitScale,
	})
}

// newModeration returns the service of reports, which publishes its decisions.
func newModeration(d Deps, match *matching.Service, couples *graduation.Service, b *blobs.Service) *moderation.Service {
	pool, events, c := d.Pool, d.Bus, d.Config
	s := moderation.New(pool, events, match, b, d.Jobs, c.AddressSecret())
	s.ContactAt(c.Contact(), c.Imprint)
	s.SiteAt(c.PublicURL.String())
	s.PreviewNotices(activity.DecisionTexts)
	s.WatchDecisions(func(ids ...uuid.UUID) {
		for _, id := range ids {
			activity.PublishChange(events, id)
		}
	})
	s.WatchStatus(func(ctx context.Context, id uuid.UUID) {
		live.PublishVisibilityChange(ctx, pool, events, id)
		couples.MemberChanged(ctx, id)
	})
	return s
}

// newProfileReview returns the service of profile reviews, which publishes its decisions.
func newProfileReview(d Deps) *profilereview.Service {
	pool, events := d.Pool, d.Bus
	s := profilereview.New(pool, d.Jobs)
	s.WatchDecisions(func(ctx context.Context, id uuid.UUID) {
		live.PublishVisibilityChange(ctx, pool, events, id)
		live.PublishReviewDecision(events, id)
	})
	return s
}

// newGraduation returns the service of couples, which publishes their changes.
func newGraduation(d Deps, b *blobs.Service) *graduation.Service {
	pool, events := d.Pool, d.Bus
	s := graduation.New(pool, b, d.Jobs)
	s.Watch(func(ctx context.Context, ids ...uuid.UUID) {
		for _, id := range ids {
			live.PublishVisibilityChange(ctx, pool, events, id)
			live.PublishGraduation(events, id)
		}
	})
	s.WatchWall(func() { live.PublishWall(events) })
	return s
}

// watchCouples announces what others do to couples, or to what the wall shows of them.
func watchCouples(couples *graduation.Service, m *members.Service, match *matching.Service, leaving *deletion.Service) {
	one := func(ctx context.Context, id uuid.UUID) { couples.MemberChanged(ctx, id) }
	m.WatchDeletedMedia(one)
	leaving.WatchLeaving(one)
	match.WatchEndedCouples(func(ended ...matching.EndedCouple) { couples.CouplesEnded(context.Background(), ended...) })
}

// newPulse returns the service of Love Pulse, which publishes its changes.
func newPulse(d Deps) *pulse.Service {
	s := pulse.New(d.Pool, d.Jobs)
	s.Watch(func(_ context.Context, ids ...uuid.UUID) {
		for _, id := range ids {
			live.PublishPulse(d.Bus, id)
		}
	})
	return s
}

// newNotifications returns the service of notifications.
func newNotifications(d Deps) *notifications.Service {
	c, sender := d.Config, d.Push
	if sender == nil {
		sender = push.NewSender(push.Options{
			PublicKey: c.VAPIDPublic, PrivateKey: c.VAPIDPrivate, Subject: c.VAPIDSubject, Hosts: c.AllowedPushHosts(),
		})
	}
	s := notifications.New(d.Pool, d.Jobs, sender, notifications.Config{
		PublicKey: c.VAPIDPublic, Site: c.PublicURL.String(), Hosts: c.AllowedPushHosts(),
	})
	s.WatchNews(func(id uuid.UUID) { activity.PublishChange(d.Bus, id) })
	return s
}
