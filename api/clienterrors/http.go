package clienterrors

import (
	"context"

	"heartward/api/platform/web"
)

// maxBody is the size in bytes of the largest valid report, with space to spare.
const maxBody = 4 << 10

// Register adds the operation on reports to api.
func Register(api web.API, s *Service) {
	web.Post(api, web.Anyone, "report-client-error", "/api/client-errors",
		"Report to the operator's log that a screen of the app failed", s.report, web.MaxBody(maxBody))
}

type reportInput struct{ Body Failure }

func (s *Service) report(ctx context.Context, in *reportInput) (*struct{}, error) {
	return nil, s.Log(ctx, in.Body)
}
