package members

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/gazetteer"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// Register adds the operations on profiles and photos to api.
func Register(api web.API, s *Service) {
	web.Get(api, web.Member, "get-me", "/api/users/me",
		"Get the caller's account", s.getMe)
	web.Patch(api, web.Member, "change-me", "/api/users/me",
		"Change the fields of the caller's profile that are in the body", s.changeMe, web.MaxBody(64<<10))
	web.Get(api, web.Member, "get-me-as-stranger", "/api/users/me/as-stranger",
		"Get the caller's profile as a stranger, a match or a blocked member gets it, and who can see it", s.getAsStranger)
	web.Put(api, web.Member, "start-visit", "/api/users/me/visit",
		"Look in another town for seven days, which others see on the profile", s.startVisit)
	web.Delete(api, web.Member, "end-visit", "/api/users/me/visit",
		"End the visit to another town", s.endVisit)
	web.Get(api, web.Member, "get-member", "/api/users/{id}",
		"Get the public profile of a member", s.getMember)
	web.Get(api, web.Anyone, "list-intention-tags", "/api/settings/intention-tags",
		"List the intentions that can be chosen", s.listIntentionTags)
	web.Get(api, web.Anyone, "get-profile-options", "/api/settings/profile-options",
		"Get the words and questions that can be chosen", getOptions)
	web.Get(api, web.Anyone, "list-places", "/api/places",
		"List towns whose name begins with a text, the largest first", listPlaces)
	registerMedia(api, s)
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

type asViewerInput struct {
	Viewer string `query:"viewer" enum:"stranger,match,blocked" default:"stranger" doc:"Who looks. A blocked member gets 404"`
}

func (s *Service) getAsStranger(ctx context.Context, in *asViewerInput) (*strangerOutput, error) {
	actor, _ := web.ActorOf(ctx)
	view, err := s.AsViewer(ctx, actor.ID, in.Viewer)
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
	q, err := text.Clean("query.q", in.Q, text.Rule{Max: 100, Bad: "Please type the name of a town."})
	if err != nil {
		return nil, err
	}
	return &placesOutput{gazetteer.Complete(q, in.Country, in.Limit)}, nil
}
