package profilereview

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds the operations on reviews of profiles to api.
func Register(api web.API, s *Service) {
	api = api.WithMaxBody(64 << 10)
	h := handlers{s}
	web.Get(api, web.Member, "get-profile-review", "/api/users/me/review",
		"Get whether the caller's profile or first photo waits for a moderator, or was declined", h.status)
	web.Post(api, web.Member, "resubmit-profile", "/api/users/me/review",
		"Submit a declined profile again; idempotent", h.resubmit)
	web.Get(api, web.Moderator, "list-profile-reviews", "/api/admin/profile-reviews",
		"List the profiles and first photos that wait, without their contents, the oldest first", h.list)
	web.Post(api, web.Moderator, "open-profile-review", "/api/admin/profile-reviews/{id}/open",
		"Get a profile that waits, whose files can then be read for an hour; each request is recorded in the audit log", h.open)
	web.Post(api, web.Moderator, "decide-profile-reviews", "/api/admin/profile-reviews/decide",
		"Accept or decline profiles and first photos, with a result for each; idempotent", h.decide)
	registerBirthDates(api, h)
}

type handlers struct{ s *Service }

type statusOutput struct{ Body ReviewStatus }

func (h handlers) status(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := h.s.Status(ctx, actor.ID)
	return &statusOutput{status}, err
}

func (h handlers) resubmit(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := h.s.Resubmit(ctx, actor.ID)
	return &statusOutput{status}, err
}

type listOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedProfile
}

func (h handlers) list(ctx context.Context, in *web.Page) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Queue(ctx, actor.ID, *in)
	return &listOutput{web.NextLink("/api/admin/profile-reviews", in.Query(), next), list}, err
}

type openProfileInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

type openOutput struct{ Body OpenedProfile }

func (h handlers) open(ctx context.Context, in *openProfileInput) (*openOutput, error) {
	actor, _ := web.ActorOf(ctx)
	opened, err := h.s.Open(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openOutput{opened}, err
}

type decideProfilesInput struct {
	Body struct {
		IDs      []uuid.UUID `json:"ids" minItems:"1" maxItems:"50" uniqueItems:"true"`
		Decision string      `json:"decision" enum:"accept,decline"`
		Reason   string      `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log, and told to a declined member"`
	}
}

type decideOutput struct{ Body []web.RowResult }

func (h handlers) decide(ctx context.Context, in *decideProfilesInput) (*decideOutput, error) {
	actor, _ := web.ActorOf(ctx)
	results, err := h.s.Decide(ctx, actor.ID, in.Body.IDs, Decision{Accept: in.Body.Decision == "accept", Reason: in.Body.Reason})
	return &decideOutput{results}, err
}
