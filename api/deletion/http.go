package deletion

import (
	"context"
	"net/http"
	"time"

	"heartward/api/auth"
	"heartward/api/platform/web"
)

// Register adds the operations of package deletion to api.
func Register(api web.API, s *Service) {
	web.Post(api, web.Account, "delete-account", "/api/users/me/deletion",
		"Hide the caller, end all sessions, and delete the account after 14 days", s.deleteAccount)
	web.Delete(api, web.Leaving, "keep-account", "/api/users/me/deletion",
		"End the caller's deletion, so that the account stays as it was", s.keepAccount)
}

// Deletion is a deletion that was requested.
type Deletion struct {
	DueAt time.Time `json:"dueAt" doc:"The time of the deletion; until then keep-account restores the account"`
}

type deleteAccountOutput struct {
	SetCookie     http.Cookie `header:"Set-Cookie"`
	ClearSiteData string      `header:"Clear-Site-Data"`
	Body          Deletion
}

func (s *Service) deleteAccount(ctx context.Context, _ *struct{}) (*deleteAccountOutput, error) {
	actor, _ := web.ActorOf(ctx)
	due, err := s.Request(ctx, actor)
	web.LogSecurity(ctx, web.EventDeletion, err)
	if err != nil {
		return nil, err
	}
	return &deleteAccountOutput{
		SetCookie: s.auth.NoSessionCookie(), ClearSiteData: auth.ClearSiteData, Body: Deletion{DueAt: web.Time(due)},
	}, nil
}

func (s *Service) keepAccount(ctx context.Context, _ *struct{}) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	err := s.Keep(ctx, actor)
	web.LogSecurity(ctx, web.EventDeletion, err, "step", "keep")
	return nil, err
}
