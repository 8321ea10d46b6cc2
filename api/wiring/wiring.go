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
	pool, events, jobs, c := d.Pool, d.Bus, d.Jobs, d.Config
	var s api.Services
	s.Delivery = newDelivery(d)
	d.Mail = s.Delivery // sends the mails of all services below
	stored := blobs.New(pool, d.Files)
	s.Activity = activity.New(pool, events)
	s.Members = newMembers(d, stored, s.Activity)
	s.Members.CheckMailBy(s.Delivery.HasProblem)
	s.Media = media.New(pool, stored, s.Members, jobs, d.FFmpeg)
	s.Badges, s.Moments = newBadges(d), newMoments(d, s.Media)
	s.Matching, s.Graduation = matching.New(pool, events, jobs), newGraduation(d, stored)
	s.Moderation = newModeration(d, s.Matching, s.Graduation, stored)
	s.Messaging = newMessaging(d, s.Matching, s.Media)
	s.Verification = newVerification(d, s.Media, stored)
	s.Pulse = newPulse(d)
	s.Auth = newAuth(d, s.Members)
	s.Auth.WatchAddress(s.Moderation.AdmitAddress)
	s.Deletion = deletion.New(pool, events, s.Auth, jobs)
	s.Referrals = newReferrals(d, s.Moderation, s.Auth)
	s.Auth.WatchSignUp(s.Referrals.Join)
	s.Community = newCommunity(d, stored, s.Media, s.Moderation)
	s.Discovery = discovery.New(pool)
	s.Discovery.ScaleLimits(c.RateLimitScale)
	s.Dates = dates.New(pool, events, jobs, s.Messaging.Messages, dates.Config{Site: c.PublicURL.String(), RateLimitScale: c.RateLimitScale})
	s.Notifications = newNotifications(d)
	s.Queue = queue.New(pool)
	s.Admin = admin.New(pool, events, jobs)
	s.ProfileReview = newProfileReview(d)
	s.Notes = notes.New(pool)
	s.Figures = figures.New(pool)
	s.ClientErrors = clienterrors.New(pool, c.RateLimitScale)
	s.Export = export.New(pool, stored, jobs, api.Data())
	s.Digest = digest.New(pool, mail.OfKind(mail.Digests, d.Mail), jobs, c.PublicURL.String())
	watchCouples(s)
	watchAchievements(s)
	return s
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

// newBadges returns the service of badges, which publishes their changes.
func newBadges(d Deps) *badges.Service {
	s := badges.New(d.Pool, d.Jobs)
	s.WatchChanges(func(id uuid.UUID) { live.PublishBadges(d.Bus, id) })
	return s
}

// newMoments returns the service of moments, which publishes their changes.
func newMoments(d Deps, pictures *media.Service) *moments.Service {
	s := moments.New(d.Pool, pictures, d.Jobs)
	s.Watch(func(id uuid.UUID) { live.PublishMoments(d.Bus, id) })
	return s
}

// newVerification returns the service of selfies, which publishes its decisions.
func newVerification(d Deps, pictures *media.Service, stored *blobs.Service) *verification.Service {
	s := verification.New(d.Pool, pictures, stored, d.Jobs)
	s.WatchDecisions(func(id uuid.UUID) { activity.PublishChange(d.Bus, id) })
	return s
}

// newReferrals returns the service of invitations, which sends none to a mailbox that reports or auth refuses.
func newReferrals(d Deps, reports *moderation.Service, signIn *auth.Service) *referrals.Service {
	c := d.Config
	return referrals.New(d.Pool, mail.OfKind(mail.Invitations, d.Mail), d.Jobs, referrals.Config{
		Site: c.PublicURL.String(), Secret: c.AddressSecret(), PerDay: c.InvitationsPerDay,
		Refuse: []referrals.Refuser{reports.RefusesInvitation, signIn.RefusesInvitation},
	})
}

// newMembers returns the service of members, which publishes changes of their towns and of who is hidden.
func newMembers(d Deps, stored *blobs.Service, activities *activity.Service) *members.Service {
	pool, events := d.Pool, d.Bus
	s := members.New(pool, stored)
	s.ScaleLimits(d.Config.RateLimitScale)
	s.CountUnreadBy(activities.CountUnread)
	s.WatchTown(func(id uuid.UUID) { live.PublishTownChange(events, id) })
	s.WatchHiding(func(ctx context.Context, id uuid.UUID) { live.PublishVisibilityChange(ctx, pool, events, id) })
	return s
}

// newMessaging returns the services of messaging. With MODERATION_URL it has texts reviewed, and pictures if
// MODERATION_PICTURES is on.
func newMessaging(d Deps, match *matching.Service, pictures *media.Service) *messaging.Service {
	s := messaging.New(d.Pool, d.Bus, match, d.Jobs, guard.Category)
	if d.Config.ModerationURL == "" {
		return s
	}
	s.Messages.EnableReview(d.Config.ModerationPictures == "on")
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

func newCommunity(d Deps, stored *blobs.Service, pictures *media.Service, reports *moderation.Service) *community.Service {
	return community.New(community.Deps{
		Pool: d.Pool, Blobs: stored, Media: pictures, Moderation: reports, Jobs: d.Jobs, Classify: guard.Category, RateLimitScale: d.Config.RateLimitScale,
	})
}

// newModeration returns the service of reports, which publishes its decisions.
func newModeration(d Deps, match *matching.Service, couples *graduation.Service, stored *blobs.Service) *moderation.Service {
	pool, events, c := d.Pool, d.Bus, d.Config
	s := moderation.New(pool, events, match, stored, d.Jobs, c.AddressSecret())
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
func newGraduation(d Deps, stored *blobs.Service) *graduation.Service {
	pool, events := d.Pool, d.Bus
	s := graduation.New(pool, stored, d.Jobs)
	s.Watch(func(ctx context.Context, ids ...uuid.UUID) {
		for _, id := range ids {
			live.PublishVisibilityChange(ctx, pool, events, id)
			live.PublishGraduation(events, id)
		}
	})
	s.WatchWall(func() { live.PublishWall(events) })
	return s
}

// watchCouples reports to the service of couples what others do that changes a couple, or what the wall shows of it.
func watchCouples(s api.Services) {
	changed := func(ctx context.Context, id uuid.UUID) { s.Graduation.MemberChanged(ctx, id) }
	s.Members.WatchDeletedMedia(changed)
	s.Deletion.WatchLeaving(changed)
	s.Matching.WatchEndedCouples(func(ended ...matching.EndedCouple) { s.Graduation.CouplesEnded(context.Background(), ended...) })
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
