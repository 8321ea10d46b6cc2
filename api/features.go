package api

import (
	"github.com/danielgtaylor/huma/v2"

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
	"heartward/api/moderation"
	"heartward/api/moments"
	"heartward/api/notes"
	"heartward/api/notifications"
	"heartward/api/platform/feature"
	"heartward/api/platform/limits"
	"heartward/api/platform/web"
	"heartward/api/profilereview"
	"heartward/api/pulse"
	"heartward/api/queue"
	"heartward/api/referrals"
	"heartward/api/verification"
)

// Services are the features' services. All are required.
type Services struct {
	Auth          *auth.Service
	Members       *members.Service
	Delivery      *delivery.Service
	Discovery     *discovery.Service
	Matching      *matching.Service
	Media         *media.Service
	Messaging     *messaging.Service
	Dates         *dates.Service
	Notifications *notifications.Service
	Queue         *queue.Service
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
	ClientErrors  *clienterrors.Service
}

// entry is a feature in the list of features.
type entry struct {
	name     string // of its folder; it groups the operations in the documentation
	service  any    // must not be nil
	register func(huma.API)
	data     feature.Data
}

// entryOf makes a function with a parameter of each service's own type fit into the list.
func entryOf[Service any](name string, service *Service, register func(web.API, *Service), data feature.Data) entry {
	return entry{name, service, func(api huma.API) { register(web.ForFeature(api, name), service) }, data}
}

// features lists the features from the lowest to the highest: each may import only those before it. The operations, the
// check for nil, the export, the deletion of accounts and the clean-up follow from it.
func (s Services) features() []entry {
	none := feature.Data{}
	return []entry{
		entryOf("members", s.Members, members.Register, members.Data),
		entryOf("delivery", s.Delivery, delivery.Register, delivery.Data),
		entryOf("auth", s.Auth, auth.Register, auth.Data),
		entryOf("discovery", s.Discovery, discovery.Register, discovery.Data),
		entryOf("matching", s.Matching, matching.Register, matching.Data),
		entryOf("media", s.Media, media.Register, media.Data),
		entryOf("messaging", s.Messaging, messaging.Register, messaging.Data),
		entryOf("dates", s.Dates, dates.Register, dates.Data),
		entryOf("queue", s.Queue, queue.Register, queue.Data),
		entryOf("moderation", s.Moderation, moderation.Register, moderation.Data),
		entryOf("verification", s.Verification, verification.Register, verification.Data),
		entryOf("profilereview", s.ProfileReview, profilereview.Register, profilereview.Data),
		entryOf("graduation", s.Graduation, graduation.Register, graduation.Data),
		entryOf("pulse", s.Pulse, pulse.Register, pulse.Data),
		entryOf("community", s.Community, community.Register, community.Data),
		entryOf("badges", s.Badges, badges.Register, badges.Data),
		entryOf("moments", s.Moments, moments.Register, moments.Data),
		entryOf("referrals", s.Referrals, referrals.Register, referrals.Data),
		entryOf("notifications", s.Notifications, notifications.Register, notifications.Data),
		entryOf("activity", s.Activity, activity.Register, activity.Data),
		entryOf("notes", s.Notes, notes.Register, notes.Data),
		entryOf("clienterrors", s.ClientErrors, clienterrors.Register, none),
		entryOf("deletion", s.Deletion, deletion.Register, none),
		entryOf("digest", s.Digest, digest.Register, digest.Data),
		entryOf("export", s.Export, export.Register, export.Data),
		entryOf("figures", s.Figures, figures.Register, figures.Data),
		entryOf("admin", s.Admin, admin.Register, none),
	}
}

// limitsData keeps who was shown to whom, which figures counts.
var limitsData = limits.Data(discovery.ShownRule)

// platformData has the retention of the platform's tables, which refer to no member. Their packages own them.
var platformData = feature.Data{
	Retention: []feature.Retention{
		{Table: "blob_removals", What: "ids of files whose contents are to be removed", End: feature.ByAction("when the contents are removed")},
		{Table: "bus_nodes", What: "nodes that publish events", End: feature.ByAction("when another node finds that the node has stopped")},
		{Table: "job_clients", What: "processes that run jobs", End: feature.ByAction("when another process finds that the process has ended")},
		{Table: "database_identity", What: "identity of the database", End: feature.ForEver("it is replaced at a restore")},
		{Table: "migration_files", What: "hashes of applied migrations", End: feature.ForEver("they identify the schema")},
		{Table: "river_job", Columns: []string{"args"}, What: "ids in finished jobs, addresses in jobs of last mails", End: feature.ByAction("by River, 1 day after the job ended, or 7 days after it was given up")},
	},
}

// Data lists what happens to the data of all features, from the lowest to the highest, and of what they are built on.
func Data() []feature.Data {
	all := []feature.Data{platformData, limitsData, live.Data}
	for _, f := range (Services{}).features() {
		all = append(all, f.data)
	}
	return all
}
