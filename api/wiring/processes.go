package wiring

import (
	"heartward/api"
	"heartward/api/live"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/config"
	"heartward/jobs"
)

// Proxies returns the configured proxies.
func Proxies(c config.Config) api.Proxies {
	return api.Proxies{Networks: c.TrustedProxies, Header: c.ClientIPHeader, PlaceHeader: c.ClientPlaceHeader}
}

// Hub returns the dependencies of the hub of s, with the default timing.
func Hub(d Deps, s api.Services) live.Deps {
	c := d.Config
	return live.Deps{
		Pool: d.Pool, Bus: d.Bus, Messaging: s.Messaging,
		Authenticate: s.Auth.Authenticate, CheckSession: s.Auth.CheckSession,
		Cookie: s.Auth.CookieName(), Client: Proxies(c).ClientAddress,
		Origin: c.PublicURL.String(), Limits: live.DefaultLimits(c.RateLimitScale),
	}
}

// Workers returns the dependencies of the workers of s.
func Workers(d Deps, s api.Services) jobs.Deps {
	deps := jobs.Deps{
		Notifications: s.Notifications, Blobs: blobs.New(d.Pool, d.Files), Media: s.Media, Mail: s.Delivery,
		Auth: s.Auth, Export: s.Export, Digest: s.Digest, Moderation: s.Moderation,
		ProfileReview: s.ProfileReview, Referrals: s.Referrals, Badges: s.Badges, Moments: s.Moments,
		Data: api.Data(), Site: d.Config.PublicURL.String(), Contact: d.Config.Contact(), OutsideContact: d.Config.OutsideContact,
	}
	if c := d.Config; c.ModerationURL != "" {
		deps.External = moderation.NewExternal(s.Moderation, s.Messaging.Flags, s.Media, moderation.Endpoint{
			URL: c.ModerationURL, Key: c.ModerationKey, Model: c.ModerationModel, Pictures: c.ModerationPictures == "on",
		})
	}
	return deps
}
