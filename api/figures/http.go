package figures

import (
	"context"
	"time"

	"heartward/api/platform/web"
)

// Register adds the operation of package figures to api.
func Register(api web.API, s *Service) {
	web.Get(api, web.Admin, "get-figures", "/api/admin/figures",
		"Get the key figures of the last days, and how evenly members were shown in their weeks", s.get)
}

type figuresInput struct {
	Days int `query:"days" enum:"7,30,90" default:"30" doc:"The number of days up to today"`
}

type figuresOutput struct{ Body Figures }

func (s *Service) get(ctx context.Context, in *figuresInput) (*figuresOutput, error) {
	figures, err := s.Read(ctx, in.Days, time.Now())
	return &figuresOutput{figures}, err
}
