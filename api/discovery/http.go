package discovery

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"heartward/api/discovery/compat"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

type handlers struct{ s *Service }

type candidatesOutput struct {
	Link      string `header:"Link" doc:"The next page, if there is one"`
	Remaining string `header:"X-Remaining" doc:"The number of members after this page; 1000+ for more than 1000"`
	NewPeople string `header:"X-New-People-At" doc:"If people were left out because the caller was shown as many as a day allows: when others are shown"`
	Body      []Candidate
}

type discoverInput struct {
	web.Page
	ExcludeUserID uuid.UUID `query:"excludeUserId" format:"uuid" doc:"A member to exclude; the caller is always excluded"`
}

type compatibilityInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
}

type compatibilityOutput struct{ Body compat.Compatibility }

// Register adds discovery's operations to api.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Member, "list-for-you", "/api/matches/for-you",
		"List members for the deck, the highest compatibility first", h.forYou)
	web.Get(api, web.Member, "discover", "/api/discover",
		"List members for the grid, by the saved filters", h.discover)
	web.Get(api, web.Member, "get-compatibility", "/api/compatibility/{userId}",
		"Get the compatibility of the caller and a member", h.compatibility)
	web.Get(api, web.Member, "get-filters", "/api/discovery/filters",
		"Get the caller's filters", h.filters)
	web.Put(api, web.Member, "save-filters", "/api/discovery/filters",
		"Save the caller's filters", h.saveFilters, web.MaxBody(512<<10))
	web.Delete(api, web.Member, "reset-filters", "/api/discovery/filters",
		"Reset the caller's filters to the defaults", h.resetFilters)
	web.Post(api, web.Member, "preview-filters", "/api/discovery/preview",
		"Count the members that match filters, and suggest changes if there are none", h.preview, web.MaxBody(512<<10))
	registerNear(api, s)
}

func (h handlers) forYou(ctx context.Context, in *web.Page) (*candidatesOutput, error) {
	return h.search(ctx, Page{Cursor: in.Cursor, Limit: in.Limit}, "/api/matches/for-you")
}

func (h handlers) discover(ctx context.Context, in *discoverInput) (*candidatesOutput, error) {
	return h.search(ctx, Page{Cursor: in.Cursor, Limit: in.Limit, Exclude: in.ExcludeUserID}, "/api/discover")
}

// search returns a page of the members that match the actor's saved filters.
func (h handlers) search(ctx context.Context, page Page, path string) (*candidatesOutput, error) {
	actor, _ := web.ActorOf(ctx)
	if err := h.s.calls.Allow(actor.ID); err != nil {
		return nil, err
	}
	saved, err := h.s.Filters(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	candidates, rest, err := h.s.Search(ctx, actor.ID, saved.Filters, page)
	if err != nil {
		return nil, err
	}
	query := url.Values{"limit": {strconv.Itoa(page.Limit)}}
	if page.Exclude != uuid.Nil {
		query.Set("excludeUserId", page.Exclude.String())
	}
	out := &candidatesOutput{
		Link: web.NextLink(path, query, rest.Cursor), Remaining: web.Remaining(rest.Count, rest.More), Body: candidates,
	}
	if rest.NewPeopleAt != nil {
		out.NewPeople = rest.NewPeopleAt.Format(time.RFC3339)
	}
	return out, nil
}

func (h handlers) compatibility(ctx context.Context, in *compatibilityInput) (*compatibilityOutput, error) {
	actor, _ := web.ActorOf(ctx)
	result, err := h.s.Compatibility(ctx, actor.ID, in.UserID)
	if err != nil {
		return nil, err
	}
	return &compatibilityOutput{result}, nil
}

type filtersOutput struct{ Body SavedFilters }

func (h handlers) filters(ctx context.Context, _ *struct{}) (*filtersOutput, error) {
	actor, _ := web.ActorOf(ctx)
	saved, err := h.s.Filters(ctx, actor.ID)
	return &filtersOutput{saved}, err
}

func (h handlers) saveFilters(ctx context.Context, in *struct{ Body filterRequest }) (*filtersOutput, error) {
	actor, _ := web.ActorOf(ctx)
	saved, err := h.s.SaveFilters(ctx, actor.ID, in.Body.FilterSet)
	return &filtersOutput{saved}, err
}

func (h handlers) resetFilters(ctx context.Context, _ *struct{}) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.ResetFilters(ctx, actor.ID)
}

// previewRequest is the body of a preview request.
type previewRequest struct {
	Filters    filterRequest `json:"filters"`
	Candidates int           `json:"candidates,omitempty" minimum:"0" maximum:"12" doc:"The number of members to return"`
}

type previewOutput struct{ Body FilterPreview }

func (h handlers) preview(ctx context.Context, in *struct{ Body previewRequest }) (*previewOutput, error) {
	actor, _ := web.ActorOf(ctx)
	preview, err := h.s.Preview(ctx, actor.ID, in.Body.Filters.FilterSet, in.Body.Candidates)
	if known := fault.From(err); known != nil && known.Field != "" {
		return nil, fault.InvalidField("filters."+known.Field, known.Message)
	}
	return &previewOutput{preview}, err
}
