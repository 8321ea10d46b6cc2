package graduation

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/web"
)

// Register adds the operations on couples and the Legacy Wall to api.
func Register(api web.API, s *Service) {
	api = api.WithMaxBody(64 << 10)
	h := handlers{s}
	web.Get(api, web.Member, "get-graduation", "/api/graduation",
		"Get the caller's couple, and the requests that wait for the caller", h.state)
	web.Post(api, web.Member, "graduate", "/api/graduate",
		"Ask a match to graduate, named by id or address; accepts the partner's request if there is one; idempotent", h.ask)
	web.Post(api, web.Member, "accept-graduation", "/api/graduation/requests/{id}/accept",
		"Accept a partner's request; idempotent", h.accept)
	web.Post(api, web.Member, "decline-graduation", "/api/graduation/requests/{id}/decline",
		"Decline a partner's request", h.decline)
	web.Post(api, web.Member, "withdraw-graduation", "/api/graduation/withdraw",
		"End the caller's couple at any time; idempotent", h.withdraw)
	web.Post(api, web.Member, "return-from-graduation", "/api/graduation/return",
		"Return to discovery after the end of a couple; idempotent", h.returnToDiscovery)
	web.Put(api, web.Member, "set-legacy-wall", "/api/graduation/wall",
		"Set whether the caller wants the couple on the wall, and which chosen pictures stay", h.setWall)
	web.Put(api, web.Member, "agree-to-pictures", "/api/graduation/partner-pictures",
		"Set which of the partner's pictures the caller wants on the wall; the others are off it at once", h.agree)
	web.Get(api, web.Anyone, "get-legacy-wall", "/api/legacy-wall",
		"List the couples on the Legacy Wall, the newest first", h.wall)
	web.Get(api, web.Anyone, "get-legacy-picture", "/api/legacy-wall/pictures/{id}/{variant}",
		"Get a picture of a couple: on the wall for everyone", h.picture, web.Returns(images.ContentType, "The picture, or the part of it in the Range header"))
	web.Get(api, web.Moderator, "list-pending-graduations", "/api/admin/graduations/pending",
		"List the couples that wait, without their words and pictures, the oldest first", h.pending)
	web.Post(api, web.Moderator, "open-graduation", "/api/admin/graduations/{id}/open",
		"Get a couple that waits, whose pictures can then be read for a day; each request is recorded in the audit log", h.open)
	web.Put(api, web.Moderator, "approve-graduation", "/api/admin/graduations/{id}/approve",
		"Approve a couple's graduation; idempotent", h.approve)
	web.Put(api, web.Moderator, "reject-graduation", "/api/admin/graduations/{id}/reject",
		"Reject a couple's graduation, with the reason for both; idempotent", h.reject)
}

type handlers struct{ s *Service }

type stateOutput struct{ Body CoupleState }

func (h handlers) state(ctx context.Context, _ *struct{}) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := h.s.State(ctx, actor.ID)
	return &stateOutput{state}, err
}

type graduateInput struct {
	Body struct {
		UserOneID        *uuid.UUID  `json:"userOneId,omitempty" nullable:"true" format:"uuid" doc:"The caller, if given"`
		UserTwoID        *uuid.UUID  `json:"userTwoId,omitempty" nullable:"true" format:"uuid" doc:"A match of the caller, in place of the address"`
		PartnerEmail     string      `json:"partnerEmail,omitempty" maxLength:"254" doc:"The response does not tell whether it is the address of a match"`
		LegacyMessage    *string     `json:"legacyMessage,omitempty" nullable:"true" maxLength:"1000"`
		ShowOnLegacyWall bool        `json:"showOnLegacyWall" doc:"The couple is on the wall when both want it"`
		Pictures         []uuid.UUID `json:"pictures,omitempty" maxItems:"3" uniqueItems:"true" doc:"Of the caller's profile, for the wall"`
	}
}

func (h handlers) ask(ctx context.Context, in *graduateInput) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	if in.Body.UserOneID != nil && *in.Body.UserOneID != actor.ID {
		return nil, fault.InvalidField("userOneId", "You can only ask for yourself.")
	}
	ask := Ask{Address: in.Body.PartnerEmail, OnWall: in.Body.ShowOnLegacyWall, Pictures: in.Body.Pictures}
	if in.Body.UserTwoID != nil {
		ask.Partner = *in.Body.UserTwoID
	}
	if in.Body.LegacyMessage != nil {
		ask.LegacyMessage = *in.Body.LegacyMessage
	}
	state, err := h.s.Ask(ctx, actor.ID, ask)
	return &stateOutput{state}, err
}

type acceptGraduationInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		ShowOnLegacyWall bool        `json:"showOnLegacyWall"`
		Pictures         []uuid.UUID `json:"pictures,omitempty" maxItems:"3" uniqueItems:"true"`
		PartnerPictures  []uuid.UUID `json:"partnerPictures,omitempty" maxItems:"3" uniqueItems:"true" doc:"Those of the request, as the caller has seen them; 409 if it has others"`
	}
}

func (h handlers) accept(ctx context.Context, in *acceptGraduationInput) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := h.s.Accept(ctx, actor.ID, in.ID, Acceptance{
		OnWall: in.Body.ShowOnLegacyWall, Pictures: in.Body.Pictures, Seen: in.Body.PartnerPictures,
	})
	return &stateOutput{state}, err
}

type requestInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (h handlers) decline(ctx context.Context, in *requestInput) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := h.s.Decline(ctx, actor.ID, in.ID)
	return &stateOutput{state}, err
}

func (h handlers) withdraw(ctx context.Context, _ *struct{}) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := h.s.Withdraw(ctx, actor.ID)
	return &stateOutput{state}, err
}

func (h handlers) returnToDiscovery(ctx context.Context, _ *struct{}) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := h.s.Return(ctx, actor.ID)
	return &stateOutput{state}, err
}

type legacyWallInput struct {
	Body struct {
		ShowOnLegacyWall bool        `json:"showOnLegacyWall"`
		Pictures         []uuid.UUID `json:"pictures" maxItems:"3" uniqueItems:"true" doc:"Those of the chosen pictures that stay"`
	}
}

func (h handlers) setWall(ctx context.Context, in *legacyWallInput) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := h.s.SetWall(ctx, actor.ID, in.Body.ShowOnLegacyWall, in.Body.Pictures)
	return &stateOutput{state}, err
}

type agreeInput struct {
	Body struct {
		Pictures []uuid.UUID `json:"pictures" maxItems:"3" uniqueItems:"true" doc:"409 if the partner has taken one of them off"`
	}
}

func (h handlers) agree(ctx context.Context, in *agreeInput) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := h.s.Agree(ctx, actor.ID, in.Body.Pictures)
	return &stateOutput{state}, err
}

type wallOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []WallEntry
}

func (h handlers) wall(ctx context.Context, in *web.Page) (*wallOutput, error) {
	actor, _ := web.ActorOf(ctx)
	entries, next, err := h.s.Wall(ctx, actor.ID, *in)
	return &wallOutput{web.NextLink("/api/legacy-wall", in.Query(), next), entries}, err
}

func (h handlers) picture(ctx context.Context, in *blobs.PictureInput) (*huma.StreamResponse, error) {
	return in.Send(ctx, h.s.OpenPicture)
}

type pendingOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []QueuedCouple
}

func (h handlers) pending(ctx context.Context, in *web.Page) (*pendingOutput, error) {
	actor, _ := web.ActorOf(ctx)
	couples, next, err := h.s.Pending(ctx, actor.ID, *in)
	return &pendingOutput{web.NextLink("/api/admin/graduations/pending", in.Query(), next), couples}, err
}

type openGraduationInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
	}
}

type openGraduationOutput struct{ Body OpenedCouple }

func (h handlers) open(ctx context.Context, in *openGraduationInput) (*openGraduationOutput, error) {
	actor, _ := web.ActorOf(ctx)
	couple, err := h.s.Open(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openGraduationOutput{couple}, err
}

type approveGraduationInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason     string `json:"reason,omitempty" maxLength:"500" doc:"Recorded in the audit log; optional for an approval"`
		AdminEmail string `json:"adminEmail,omitempty" maxLength:"254" doc:"Ignored: the session decides"`
	}
}

func (h handlers) approve(ctx context.Context, in *approveGraduationInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.DecideOpened(ctx, actor.ID, in.ID, true, in.Body.Reason)
}

type rejectGraduationInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log, and told to both"`
	}
}

func (h handlers) reject(ctx context.Context, in *rejectGraduationInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.DecideOpened(ctx, actor.ID, in.ID, false, in.Body.Reason)
}
