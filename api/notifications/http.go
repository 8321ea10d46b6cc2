package notifications

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
	"heartward/push"
)

// Register adds this package's operations, all for members.
func Register(api huma.API, s *Service) {
	h := handlers{s}
	web.Register(api, web.Member, huma.Operation{
		OperationID: "get-push-key", Method: http.MethodGet, Path: "/api/push/key", Tags: []string{"notifications"},
		Summary: "The key a browser needs to subscribe",
	}, h.key)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "add-push-subscription", Method: http.MethodPost, Path: "/api/push/subscriptions", Tags: []string{"notifications"},
		Summary: "Push to this device while its session lasts", DefaultStatus: http.StatusCreated,
	}, h.subscribe)
	web.Register(api, web.Member, huma.Operation{
		OperationID: "delete-push-subscription", Method: http.MethodDelete, Path: "/api/push/subscriptions", Tags: []string{"notifications"},
		Summary: "Stop pushing to this device", DefaultStatus: http.StatusNoContent,
	}, h.unsubscribe)
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

// PushKeys are what a browser gives to encrypt pushes to it.
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
