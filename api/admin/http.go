package admin

import (
	"context"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/platform/web"
)

// Register adds this package's operations to api.
func Register(api web.API, s *Service) {
	api = api.WithMaxBody(64 << 10)
	h := handlers{s}
	web.Post(api, web.Admin, "list-members", "/api/admin/users",
		"List members by filters, without their profiles", h.members, web.Reads())
	web.Get(api, web.Moderator, "get-managed-member", "/api/admin/users/{id}",
		"Get a member with counts, reports and sanctions, without messages and profile", h.member)
	web.Put(api, web.Admin, "set-featured", "/api/admin/users/{id}/featured",
		"Set whether a member precedes others of the same score; idempotent if it names the setting", h.setFeatured)
	web.Post(api, web.Moderator, "end-member-sessions", "/api/admin/users/{id}/end-sessions",
		"Sign a member out on all devices, at once; the account keeps its status", h.endSessions)
	web.Post(api, web.Admin, "open-job-pages", "/api/admin/job-pages",
		"Request a link to the pages of the background jobs, at the address of the metrics", h.openJobPages, web.Status(http.StatusCreated))
	web.Get(api, web.Admin, "summarize-messages", "/api/admin/messages/summary",
		"Get the number of messages and the newest, without their contents", h.messages)
	web.Get(api, web.Admin, "get-intention-tags", "/api/admin/settings/intention-tags",
		"List the intentions that members choose from", h.tags)
	web.Put(api, web.Admin, "set-intention-tags", "/api/admin/settings/intention-tags",
		"Replace the intentions that members choose from; members keep those they have chosen", h.setTags)
	web.Get(api, web.Admin, "get-settings", "/api/admin/settings",
		"Get the settings of the installation", h.settings)
	web.Put(api, web.Admin, "set-settings", "/api/admin/settings",
		"Replace the settings of the installation; idempotent", h.setSettings)
}

type handlers struct{ s *Service }

type membersInput struct {
	web.Page
	Body struct {
		Status      string `json:"status,omitempty" enum:"active,suspended,under_review,leaving"`
		City        string `json:"city,omitempty" maxLength:"100" doc:"The whole name, without regard to case"`
		Search      string `json:"search,omitempty" maxLength:"254" doc:"An e-mail address, or the beginning of the full or the last name"`
		IsGraduated *bool  `json:"isGraduated,omitempty"`
		IsVerified  *bool  `json:"isVerified,omitempty"`
		IsFeatured  *bool  `json:"isFeatured,omitempty"`
		Sort        Order  `json:"sort,omitempty" enum:"newest,oldest,name,last_active" default:"newest"`
		AdminEmail  string `json:"adminEmail,omitempty" maxLength:"254" doc:"Ignored: the session decides"`
	}
}

type membersOutput struct {
	Link  string `header:"Link" doc:"The next page, if there is one; request it with the same body"`
	Total string `header:"X-Total-Count" doc:"The number of members that the filters select"`
	Body  []Member
}

func (h handlers) members(ctx context.Context, in *membersInput) (*membersOutput, error) {
	actor, _ := web.ActorOf(ctx)
	page, err := h.s.Members(ctx, actor.ID, Filter{
		Status: in.Body.Status, City: in.Body.City, Search: in.Body.Search, IsGraduated: in.Body.IsGraduated,
		IsVerified: in.Body.IsVerified, IsFeatured: in.Body.IsFeatured, Sort: in.Body.Sort,
	}, in.Page)
	query := in.Query()
	return &membersOutput{
		Link: web.NextLink("/api/admin/users", query, page.Next), Total: strconv.Itoa(page.Total), Body: page.Members,
	}, err
}

type memberInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type memberOutput struct{ Body MemberDetail }

func (h handlers) member(ctx context.Context, in *memberInput) (*memberOutput, error) {
	actor, _ := web.ActorOf(ctx)
	member, err := h.s.Member(ctx, actor.ID, in.ID)
	return &memberOutput{member}, err
}

type setFeaturedInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Featured   *bool  `json:"featured,omitempty" doc:"Without it the setting is turned over"`
		Reason     string `json:"reason,omitempty" maxLength:"500" doc:"Recorded in the audit log"`
		AdminEmail string `json:"adminEmail,omitempty" maxLength:"254" doc:"Ignored: the session decides"`
	}
}

func (h handlers) setFeatured(ctx context.Context, in *setFeaturedInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.SetFeatured(ctx, actor.ID, in.ID, in.Body.Featured, moderation.ReasonOr(in.Body.Reason))
}

type endSessionsInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

func (h handlers) endSessions(ctx context.Context, in *endSessionsInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.EndSessions(ctx, actor.ID, in.ID, in.Body.Reason)
}

type jobLinkOutput struct{ Body JobLink }

func (h handlers) openJobPages(ctx context.Context, _ *struct{}) (*jobLinkOutput, error) {
	actor, _ := web.ActorOf(ctx)
	link, err := h.s.NewJobLink(ctx, actor)
	return &jobLinkOutput{link}, err
}

type messagesOutput struct{ Body messages.Summary }

func (h handlers) messages(ctx context.Context, _ *struct{}) (*messagesOutput, error) {
	summary, err := messages.Summarize(ctx, h.s.pool)
	return &messagesOutput{summary}, err
}

type tagsOutput struct{ Body []string }

func (h handlers) tags(ctx context.Context, _ *struct{}) (*tagsOutput, error) {
	tags, err := h.s.IntentionTags(ctx)
	return &tagsOutput{tags}, err
}

type setTagsInput struct {
	Body struct {
		Tags       []string `json:"tags" minItems:"1" maxItems:"50" maxLength:"40"`
		Reason     string   `json:"reason,omitempty" maxLength:"500" doc:"Recorded in the audit log"`
		AdminEmail string   `json:"adminEmail,omitempty" maxLength:"254" doc:"Ignored: the session decides"`
	}
}

func (h handlers) setTags(ctx context.Context, in *setTagsInput) (*tagsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	tags, err := h.s.SetIntentionTags(ctx, actor.ID, in.Body.Tags, moderation.ReasonOr(in.Body.Reason))
	return &tagsOutput{tags}, err
}

type settingsOutput struct{ Body members.SiteSettings }

func (h handlers) settings(ctx context.Context, _ *struct{}) (*settingsOutput, error) {
	settings, err := members.Site(ctx, h.s.pool)
	return &settingsOutput{settings}, err
}

type setSettingsInput struct {
	Body struct {
		members.SiteSettings
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

func (h handlers) setSettings(ctx context.Context, in *setSettingsInput) (*settingsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	return &settingsOutput{in.Body.SiteSettings}, h.s.SetSettings(ctx, actor.ID, in.Body.SiteSettings, in.Body.Reason)
}
