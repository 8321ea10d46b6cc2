package discovery

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/discovery/compat"
	"heartward/api/platform/web"
)

type handlers struct{ s *Service }

type candidatesOutput struct {
	Link string `header:"Link" doc:"The next page, when there is one"`
	Body []Candidate
}

type discoverInput struct {
	web.Page
	ExcludeUserID uuid.UUID `query:"excludeUserId" format:"uuid" doc:"One member to leave out; the caller always is"`
}

type compatibilityInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
}

type compatibilityOutput struct{ Body compat.Compatibility }

// Register adds discovery's operations to api.
func Register(api huma.API, s *Service) {
	h := handlers{s}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "list-for-you", Method: http.MethodGet, Path: "/api/matches/for-you", Tags: []string{"discovery"},
		Summary: "Members for the deck, the best fit first",
	}, h.forYou)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "discover", Method: http.MethodGet, Path: "/api/discover", Tags: []string{"discovery"},
		Summary: "Members for the grid: 18 to 65, within 50 miles, here in the last 7 days",
	}, h.discover)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-compatibility", Method: http.MethodGet, Path: "/api/compatibility/{userId}", Tags: []string{"discovery"},
		Summary: "How well the caller and a member fit",
	}, h.compatibility)
}

func (h handlers) forYou(ctx context.Context, in *web.Page) (*candidatesOutput, error) {
	return h.search(ctx, ForYou(), *in, "/api/matches/for-you", url.Values{})
}

func (h handlers) discover(ctx context.Context, in *discoverInput) (*candidatesOutput, error) {
	filter, query := Discover(), url.Values{}
	if in.ExcludeUserID != uuid.Nil {
		filter.Exclude = in.ExcludeUserID
		query.Set("excludeUserId", in.ExcludeUserID.String())
	}
	return h.search(ctx, filter, in.Page, "/api/discover", query)
}

func (h handlers) search(ctx context.Context, filter Filter, page web.Page, path string, query url.Values) (*candidatesOutput, error) {
	actor, _ := web.ActorOf(ctx)
	candidates, next, err := h.s.Search(ctx, actor.ID, filter, Page(page))
	if err != nil {
		return nil, err
	}
	query.Set("limit", strconv.Itoa(page.Limit))
	return &candidatesOutput{Link: web.NextLink(path, query, next), Body: candidates}, nil
}

func (h handlers) compatibility(ctx context.Context, in *compatibilityInput) (*compatibilityOutput, error) {
	actor, _ := web.ActorOf(ctx)
	result, err := h.s.Compatibility(ctx, actor.ID, in.UserID)
	if err != nil {
		return nil, err
	}
	return &compatibilityOutput{result}, nil
}
