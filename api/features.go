package api

import (
	"github.com/danielgtaylor/huma/v2"

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
	"heartward/api/moderation"
	"heartward/api/moments"
	"heartward/api/notes"
	"heartward/api/notifications"
	"heartward/api/platform/feature"
	"heartward/api/platform/limits"
	"heartward/api/platform/web"
	"heartward/api/profilereview"
	"heartward/api/pulse"
	"heartward/api/referrals"
	"heartward/api/verification"
)

// Services are the features' services. All are required.
type Services struct {
	Auth          *auth.Service
	Members       *members.Service
	Discovery     *discovery.Service
	Matching      *matching.Service
	Media         *media.Service
	Messaging     *messaging.Service
	Dates         *dates.Service
	Notifications *notifications.Service
	Moderation    *moderation.Service
	Verification  *verification.Service
	ProfileReview *profilereview.Service
	Activity      *activity.Service
	Referrals     *referrals.Service
	Graduation    *graduation.Service
	Pulse         *pulse.Service
	Community     *community.Service
	Badges        *badges.Service
	Moments       *moments.Service
	Deletion      *deletion.Service
	Digest        *digest.Service
	Admin         *admin.Service
	Export        *export.Service
	Figures       *figures.Service
	Notes         *notes.Service
}

// listed is a feature in the list of features.
type listed struct {
	name     string // of its folder; it groups the operations in the documentation
	service  any    // must not be nil
	register func(huma.API)
	data     feature.Data
}

// list makes a function with a parameter of each service's own type fit into the list.
func list[Service any](name string, service *Service, register func(web.API, *Service), data feature.Data) listed {
	return listed{name, service, func(api huma.API) { register(web.ForFeature(api, name), service) }, data}
}

// features lists the features from the lowest to the highest: each may import only those before it. The operations, the
// check for nil, the export, the deletion of accounts and the clean-up follow from it.
func (s Services) features() []listed {
	none := feature.Data{}
	return []listed{
		list("members", s.Members, members.Register, members.Data),
		list("auth", s.Auth, auth.Register, auth.Data),
		list("discovery", s.Discovery, discovery.Register, discovery.Data),
		list("matching", s.Matching, matching.Register, matching.Data),
		list("media", s.Media, media.Register, media.Data),
		list("messaging", s.Messaging, messaging.Register, messaging.Data),
		list("dates", s.Dates, dates.Register, dates.Data),
		list("moderation", s.Moderation, moderation.Register, moderation.Data),
		list("verification", s.Verification, verification.Register, verification.Data),
		list("profilereview", s.ProfileReview, profilereview.Register, profilereview.Data),
		list("graduation", s.Graduation, graduation.Register, graduation.Data),
		list("pulse", s.Pulse, pulse.Register, pulse.Data),
		list("community", s.Community, community.Register, community.Data),
		list("badges", s.Badges, badges.Register, badges.Data),
		list("moments", s.Moments, moments.Register, moments.Data),
		list("notifications", s.Notifications, notifications.Register, notifications.Data),
		list("activity", s.Activity, activity.Register, activity.Data),
		list("referrals", s.Referrals, referrals.Register, referrals.Data),
		list("notes", s.Notes, notes.Register, notes.Data),
		list("deletion", s.Deletion, deletion.Register, none),
		list("digest", s.Digest, digest.Register, digest.Data),
		list("export", s.Export, export.Register, export.Data),
		list("figures", s.Figures, figures.Register, figures.Data),
		list("admin", s.Admin, admin.Register, none),
	}
}

// limitsData keeps who was shown to whom, which figures counts.
var limitsData = limits.Data(discovery.ShownRule)

// Data lists what happens to the data of all features, from the lowest to the highest, and of what they are built on.
func Data() []feature.Data {
	all := []feature.Data{limitsData, live.Data}
	for _, f := range (Services{}).features() {
		all = append(all, f.data)
	}
	return all
}
