package notifications

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
	"heartward/push"
)

// Register adds the operations of this package, all for members.
func Register(api huma.API, s *Service) {
	h := handlers{s}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-push-key", Method: http.MethodGet, Path: "/api/push/key", Tags: []string{"notifications"},
		Summary: "Get the VAPID key for push subscriptions",
	}, h.key)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "add-push-subscription", Method: http.MethodPost, Path: "/api/push/subscriptions", Tags: []string{"notifications"},
		Summary: "Add the push subscription of a device, until its session ends", DefaultStatus: http.StatusCreated,
	}, h.subscribe)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "delete-push-subscription", Method: http.MethodDelete, Path: "/api/push/subscriptions", Tags: []string{"notifications"},
		Summary: "Delete the push subscription of a device", DefaultStatus: http.StatusNoContent,
	}, h.unsubscribe)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "set-push-categories", Method: http.MethodPut, Path: "/api/push/subscriptions", Tags: []string{"notifications"},
		Summary: "Set the categories of pushes to a device", DefaultStatus: http.StatusNoContent,
	}, h.setCategories)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-notification-settings", Method: http.MethodGet, Path: "/api/notifications/settings", Tags: []string{"notifications"},
		Summary: "Get notification and media settings",
	}, h.settings)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "save-notification-settings", Method: http.MethodPut, Path: "/api/notifications/settings", Tags: []string{"notifications"},
		Summary: "Replace notification and media settings",
	}, h.saveSettings)
}

type handlers struct{ s *Service }

type pushKeyOutput struct {
	Body struct {
		PublicKey string `json:"publicKey"`
	}
}

func (h handlers) key(context.Context, *struct{}) (*pushKeyOutput, error) {
	out := &pushKeyOutput{}
	out.Body.PublicKey = h.s.PublicKey()
	return out, nil
}

// PushKeys are the keys with which a push to the browser is encrypted.
type PushKeys struct {
	P256dh string `json:"p256dh" maxLength:"200"`
	Auth   string `json:"auth" maxLength:"100"`
}

type subscribeInput struct {
	Body struct {
		Endpoint string   `json:"endpoint" maxLength:"1000"`
		Keys     PushKeys `json:"keys"`
	}
}

type statusOutput struct{ Status int }

func (h handlers) subscribe(ctx context.Context, in *subscribeInput) (*statusOutput, error) {
	actor, _ := web.ActorOf(ctx)
	created, err := h.s.Subscribe(ctx, actor, push.Subscription{
		Endpoint: in.Body.Endpoint, P256dh: in.Body.Keys.P256dh, Auth: in.Body.Keys.Auth,
	})
	if created {
		return &statusOutput{http.StatusCreated}, err
	}
	return &statusOutput{http.StatusOK}, err
}

type unsubscribeInput struct {
	Body struct {
		Endpoint string `json:"endpoint" maxLength:"1000"`
	}
}

func (h handlers) unsubscribe(ctx context.Context, in *unsubscribeInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Unsubscribe(ctx, actor, in.Body.Endpoint)
}

type setCategoriesInput struct {
	Body struct {
		Endpoint   string   `json:"endpoint" maxLength:"1000"`
		Categories []string `json:"categories" nullable:"true" maxItems:"7" enum:"messages,matches,likes,community,graduation,badges,digest" doc:"null for all categories of the member's settings"`
	}
}

func (h handlers) setCategories(ctx context.Context, in *setCategoriesInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.SetCategories(ctx, actor, in.Body.Endpoint, in.Body.Categories)
}

type settingsOutput struct{ Body Preferences }

func (h handlers) settings(ctx context.Context, _ *struct{}) (*settingsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	settings, err := h.s.Settings(ctx, actor)
	return &settingsOutput{settings}, err
}

type saveSettingsInput struct{ Body Preferences }

func (h handlers) saveSettings(ctx context.Context, in *saveSettingsInput) (*settingsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	settings, err := h.s.SaveSettings(ctx, actor, in.Body)
	return &settingsOutput{settings}, err
}
