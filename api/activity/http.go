package activity

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// Register adds the operation of package activity to api.
func Register(api huma.API, s *Service) {
	web.Register(api, web.Member, huma.Operation{
		OperationID: "list-activity", Method: http.MethodGet, Path: "/api/users/me/activity", Tags: []string{"activity"},
		Summary: "List the caller's activity, the newest first",
	}, s.handleList)
}

type listOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Item
}

func (s *Service) handleList(ctx context.Context, in *web.Page) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	items, next, err := s.List(ctx, actor, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}}
	return &listOutput{Link: web.NextLink("/api/users/me/activity", query, next), Body: items}, nil
}
