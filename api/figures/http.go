package figures

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// Register adds the operation of package figures to api.
func Register(api huma.API, s *Service) {
	web.Register(api, web.Admin, huma.Operation{
		OperationID: "get-figures", Method: http.MethodGet, Path: "/api/admin/figures", Tags: []string{"admin"},
		Summary: "Get the key figures of the last days, and how evenly members were shown in their weeks",
	}, s.get)
}

type figuresInput struct {
	Days int `query:"days" enum:"7,30,90" default:"30" doc:"The number of days up to today"`
}

type figuresOutput struct{ Body Figures }

func (s *Service) get(ctx context.Context, in *figuresInput) (*figuresOutput, error) {
	figures, err := s.Read(ctx, in.Days, time.Now())
	return &figuresOutput{figures}, err
}
