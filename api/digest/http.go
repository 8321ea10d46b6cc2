package digest

import (
	"context"
	"time"

	"heartward/api/platform/web"
)

// Register adds the operations of package digest to api, all for admins. The page to
// unsubscribe is a route of package api.
func Register(api web.API, s *Service) {
	web.Post(api, web.Admin, "send-weekly-digest", "/api/admin/send-weekly-digest",
		"Start the weekly digest unless this week's was started, and get its status", s.sendNow)
	web.Get(api, web.Admin, "get-weekly-digest", "/api/admin/weekly-digest",
		"Get the status of this week's digest", s.getStatus)
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
