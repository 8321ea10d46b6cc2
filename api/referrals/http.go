package referrals

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds the operations of package referrals. Their path must contain the caller's
// id.
func Register(api web.API, s *Service) {
	web.Get(api, web.Member, "referral-stats", "/api/referrals/stats/{userId}",
		"Get the caller's referral counts and rewards", s.getStats)
	web.Get(api, web.Member, "list-referrals", "/api/referrals/{userId}",
		"List the caller's invitations by mail and the friends who joined, the newest first", s.getList)
	web.Post(api, web.Member, "referral-code", "/api/referrals/generate/{userId}",
		"Get the caller's referral code", s.getCode)
	web.Post(api, web.Member, "invite-friend", "/api/referrals/invite/{userId}",
		"Invite a friend by mail; idempotent by the client's id. The response tells nothing about the address", s.postInvitation, web.Status(http.StatusCreated), web.MaxBody(4<<10))
	web.Put(api, web.Member, "set-profile-look", "/api/referrals/look/{userId}",
		"Set the theme and the frame of the caller's profile page, which need Premium; idempotent", s.putLook, web.MaxBody(4<<10))
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
	query := in.Query()
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

type inviteInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
	Body   struct {
		ClientID uuid.UUID `json:"clientId" format:"uuid" doc:"Made by the device; a repetition returns the first result"`
		Email    string    `json:"email" maxLength:"300" doc:"The friend's address"`
	}
}

type referralOutput struct{ Body Referral }

func (s *Service) postInvitation(ctx context.Context, in *inviteInput) (*referralOutput, error) {
	actor, _ := web.ActorOf(ctx)
	referral, err := s.Invite(ctx, actor, in.UserID, in.Body.ClientID, in.Body.Email)
	return &referralOutput{referral}, err
}

type lookInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
	Body   Look
}

type lookOutput struct{ Body Look }

func (s *Service) putLook(ctx context.Context, in *lookInput) (*lookOutput, error) {
	actor, _ := web.ActorOf(ctx)
	return &lookOutput{in.Body}, s.SetLook(ctx, actor, in.UserID, in.Body)
}
