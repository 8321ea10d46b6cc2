package members

import (
	"context"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/web"
)

// Register adds the operations on profiles and photos to api.
func Register(api huma.API, s *Service) {
	tags := []string{"members"}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-me", Method: http.MethodGet, Path: "/api/users/me", Tags: tags, Summary: "Get the caller's account",
	}, s.getMe)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "change-me", Method: http.MethodPatch, Path: "/api/users/me", Tags: tags,
		Summary: "Change the fields of the caller's profile that are in the body", MaxBodyBytes: 64 << 10,
	}, s.changeMe)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-me-as-stranger", Method: http.MethodGet, Path: "/api/users/me/as-stranger", Tags: tags,
		Summary: "Get the caller's profile as strangers get it, and who can see it",
	}, s.getAsStranger)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "start-visit", Method: http.MethodPut, Path: "/api/users/me/visit", Tags: tags,
		Summary: "Look in another town for seven days, which others see on the profile",
	}, s.startVisit)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "end-visit", Method: http.MethodDelete, Path: "/api/users/me/visit", Tags: tags,
		Summary: "End the visit to another town",
	}, s.endVisit)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-member", Method: http.MethodGet, Path: "/api/users/{id}", Tags: tags,
		Summary: "Get the public profile of a member",
	}, s.getMember)
	web.Register(api, web.Anyone, huma.Operation{
		OperationID: "list-intention-tags", Method: http.MethodGet, Path: "/api/settings/intention-tags", Tags: tags,
		Summary: "List the intentions that can be chosen",
	}, s.listIntentionTags)
	web.Register(api, web.Anyone, huma.Operation{
		OperationID: "get-profile-options", Method: http.MethodGet, Path: "/api/settings/profile-options", Tags: tags,
		Summary: "Get the words and questions that can be chosen",
	}, getOptions)
	web.Register(api, web.Anyone, huma.Operation{
		OperationID: "list-places", Method: http.MethodGet, Path: "/api/places", Tags: tags,
		Summary: "List towns whose name begins with a text, the largest first",
	}, listPlaces)
	registerMedia(api, s, tags)
}

type meOutput struct{ Body Me }

type idInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (s *Service) getMe(ctx context.Context, _ *struct{}) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.Me(ctx, actor.ID)
	return &meOutput{me}, err
}

type strangerOutput struct{ Body StrangerView }

func (s *Service) getAsStranger(ctx context.Context, _ *struct{}) (*strangerOutput, error) {
	actor, _ := web.ActorOf(ctx)
	view, err := s.AsStranger(ctx, actor.ID)
	return &strangerOutput{view}, err
}

func (s *Service) changeMe(ctx context.Context, in *struct{ Body Changes }) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.Change(ctx, actor.ID, in.Body)
	return &meOutput{me}, err
}

type startVisitInput struct {
	Body struct {
		City  string `json:"city" minLength:"1" maxLength:"100" doc:"As in the list of places"`
		State string `json:"state" minLength:"1" maxLength:"100" doc:"As in the list of places"`
	}
}

func (s *Service) startVisit(ctx context.Context, in *startVisitInput) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.StartVisit(ctx, actor.ID, in.Body.City, in.Body.State)
	return &meOutput{me}, err
}

func (s *Service) endVisit(ctx context.Context, _ *struct{}) (*meOutput, error) {
	actor, _ := web.ActorOf(ctx)
	me, err := s.EndVisit(ctx, actor.ID)
	return &meOutput{me}, err
}

type memberOutput struct{ Body PublicMember }

func (s *Service) getMember(ctx context.Context, in *idInput) (*memberOutput, error) {
	actor, _ := web.ActorOf(ctx)
	member, err := s.Public(ctx, actor.ID, in.ID)
	return &memberOutput{member}, err
}

type tagsOutput struct {
	Body []string
}

func (s *Service) listIntentionTags(ctx context.Context, _ *struct{}) (*tagsOutput, error) {
	tags, err := ListedTags(ctx, s.pool)
	return &tagsOutput{tags}, err
}

type optionsOutput struct{ Body Options }

func getOptions(context.Context, *struct{}) (*optionsOutput, error) {
	return &optionsOutput{ProfileOptions()}, nil
}

type placesInput struct {
	Q       string `query:"q" maxLength:"100" doc:"The beginning of a town's name, with or without the state"`
	Country string `query:"country" pattern:"^[A-Za-z]{2}$" doc:"A two-letter ISO 3166 code; its towns are listed before larger ones elsewhere"`
	Limit   int    `query:"limit" minimum:"1" maximum:"20" default:"8"`
}

type placesOutput struct{ Body []gazetteer.Place }

func listPlaces(_ context.Context, in *placesInput) (*placesOutput, error) {
	if !utf8.ValidString(in.Q) || strings.ContainsFunc(in.Q, unicode.IsControl) {
		return nil, fault.InvalidField("query.q", "Please type the name of a town.")
	}
	return &placesOutput{gazetteer.Complete(in.Q, in.Country, in.Limit)}, nil
}
