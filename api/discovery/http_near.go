package discovery

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// registerNear adds the operations about how many people are near a town.
func registerNear(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Anyone, "get-near", "/api/near",
		"Get roughly how many people are within 50 miles of a town", h.near)
	web.Get(api, web.Member, "get-near-me", "/api/discovery/near",
		"Get roughly how many people are within 50 miles of the caller's town", h.nearMe)
	web.Put(api, web.Member, "wait-for-more-near", "/api/discovery/near/wait",
		"Be told once when there are 20 more people within 50 miles of the caller's town", h.waitForMore)
	web.Delete(api, web.Member, "stop-waiting-for-more-near", "/api/discovery/near/wait",
		"Do not be told of more people nearby", h.stopWaiting)
}

// TransformSchema lists the bands.
func (Near) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	for _, band := range Bands() {
		schema.Properties["band"].Enum = append(schema.Properties["band"].Enum, band)
	}
	return schema
}

// TransformSchema lists the bands.
func (NearMe) TransformSchema(registry huma.Registry, schema *huma.Schema) *huma.Schema {
	return Near{}.TransformSchema(registry, schema)
}

type nearInput struct {
	City  string `query:"city" minLength:"1" maxLength:"100" required:"true" doc:"As in the list of places"`
	State string `query:"state" minLength:"1" maxLength:"100" required:"true" doc:"As in the list of places"`
}

type nearOutput struct{ Body Near }

func (h handlers) near(ctx context.Context, in *nearInput) (*nearOutput, error) {
	near, err := h.s.Near(ctx, in.City, in.State)
	return &nearOutput{near}, err
}

type nearMeOutput struct{ Body NearMe }

func (h handlers) nearMe(ctx context.Context, _ *struct{}) (*nearMeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	near, err := h.s.NearMe(ctx, actor.ID)
	return &nearMeOutput{near}, err
}

type waitInput struct {
	Body struct {
		ByMail bool `json:"byMail" doc:"Whether the notice is mailed too"`
	}
}

func (h handlers) waitForMore(ctx context.Context, in *waitInput) (*nearMeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	near, err := h.s.WaitForMore(ctx, actor.ID, in.Body.ByMail)
	return &nearMeOutput{near}, err
}

func (h handlers) stopWaiting(ctx context.Context, _ *struct{}) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.StopWaiting(ctx, actor.ID)
}
