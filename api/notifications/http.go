package notifications

import (
	"context"
	"net/http"

	"heartward/api/platform/web"
	"heartward/push"
)

// Register adds the operations of this package, all for members.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Member, "get-push-key", "/api/push/key",
		"Get the VAPID key for push subscriptions", h.key)
	web.Post(api, web.Member, "add-push-subscription", "/api/push/subscriptions",
		"Add the push subscription of a device, until its session ends", h.subscribe, web.Status(http.StatusCreated))
	web.Delete(api, web.Member, "delete-push-subscription", "/api/push/subscriptions",
		"Delete the push subscription of a device", h.unsubscribe)
	web.Put(api, web.Member, "set-push-subscription", "/api/push/subscriptions",
		"Set which pushes a device gets, and whether they show their content", h.setDevice)
	web.Get(api, web.Member, "get-notification-settings", "/api/notifications/settings",
		"Get notification and media settings", h.settings)
	web.Put(api, web.Member, "save-notification-settings", "/api/notifications/settings",
		"Replace notification and media settings", h.saveSettings)
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

		ShowsContent *bool `json:"showsContent,omitempty" doc:"Whether pushes name people and have texts; without it the device keeps its setting, and a new device shows them unless another member has signed in on it"`
	}
}

// SubscribedDevice is a device with a subscription.
type SubscribedDevice struct {
	ShowsContent bool `json:"showsContent" doc:"Whether pushes to this device name people and have texts"`
}

type subscribeOutput struct {
	Status int
	Body   SubscribedDevice
}

func (h handlers) subscribe(ctx context.Context, in *subscribeInput) (*subscribeOutput, error) {
	actor, _ := web.ActorOf(ctx)
	stored, err := h.s.Subscribe(ctx, actor, push.Subscription{
		Endpoint: in.Body.Endpoint, P256dh: in.Body.Keys.P256dh, Auth: in.Body.Keys.Auth,
	}, in.Body.ShowsContent)
	out := &subscribeOutput{Status: http.StatusOK}
	if stored.Created {
		out.Status = http.StatusCreated
	}
	out.Body.ShowsContent = stored.ShowsContent
	return out, err
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

type setDeviceInput struct {
	Body struct {
		Endpoint     string   `json:"endpoint" maxLength:"1000"`
		ShowsContent *bool    `json:"showsContent,omitempty" doc:"Whether pushes name people and have texts; without it the setting stays"`
		Categories   []string `json:"categories" nullable:"true" maxItems:"8" enum:"messages,matches,likes,community,graduation,badges,digest,pulse" doc:"null for all categories of the member's settings"`
	}
}

func (h handlers) setDevice(ctx context.Context, in *setDeviceInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	set := DeviceSettings{Categories: in.Body.Categories, ShowsContent: in.Body.ShowsContent}
	return nil, h.s.SetDevice(ctx, actor, in.Body.Endpoint, set)
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
