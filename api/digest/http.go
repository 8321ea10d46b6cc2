package digest

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// Register adds the operations of package digest to api, all for admins. The page to
// unsubscribe is a route of package api.
func Register(api huma.API, s *Service) {
	tags := []string{"admin"}
	web.Register(api, web.Admin, huma.Operation{
		OperationID: "send-weekly-digest", Method: http.MethodPost, Path: "/api/admin/send-weekly-digest", Tags: tags,
		Summary: "Start the weekly digest unless this week's was started, and get its status",
	}, s.sendNow)
	web.Register(api, web.Admin, huma.Operation{
		OperationID: "get-weekly-digest", Method: http.MethodGet, Path: "/api/admin/weekly-digest", Tags: tags,
		Summary: "Get the status of this week's digest",
	}, s.getStatus)
}

type statusOutput struct{ Body RunStatus }

func (s *Service) sendNow(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := s.StartNow(ctx, actor, time.Now())
	return &statusOutput{status}, err
}

func (s *Service) getStatus(ctx context.Context, _ *struct{}) (*statusOutput, error) {
	status, err := s.Status(ctx, time.Now())
	return &statusOutput{status}, err
}
