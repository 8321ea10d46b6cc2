package referrals

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds the operations of package referrals. Their path must contain the caller's
// id.
func Register(api huma.API, s *Service) {
	tags := []string{"referrals"}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "referral-stats", Method: http.MethodGet, Path: "/api/referrals/stats/{userId}", Tags: tags,
		Summary: "Get the caller's referral counts and rewards",
	}, s.getStats)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "list-referrals", Method: http.MethodGet, Path: "/api/referrals/{userId}", Tags: tags,
		Summary: "List the friends who joined with the caller's link, the newest first",
	}, s.getList)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "referral-code", Method: http.MethodPost, Path: "/api/referrals/generate/{userId}", Tags: tags,
		Summary: "Get the caller's referral code",
	}, s.getCode)
}

type memberInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
}

type statsOutput struct{ Body Stats }

func (s *Service) getStats(ctx context.Context, in *memberInput) (*statsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	stats, err := s.Stats(ctx, actor, in.UserID)
	return &statsOutput{stats}, err
}

type listInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
	web.Page
}

type listOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Referral
}

func (s *Service) getList(ctx context.Context, in *listInput) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := s.List(ctx, actor, in.UserID, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	query := url.Values{"limit": {strconv.Itoa(in.Limit)}}
	return &listOutput{Link: web.NextLink("/api/referrals/"+in.UserID.String(), query, next), Body: list}, nil
}

// Invitation is the content of an invitation link.
type Invitation struct {
	Code string `json:"code" doc:"The value of the link's parameter ref; it never changes"`
}

type codeOutput struct{ Body Invitation }

func (s *Service) getCode(ctx context.Context, in *memberInput) (*codeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	code, err := s.Code(ctx, actor, in.UserID)
	return &codeOutput{Invitation{code}}, err
}
