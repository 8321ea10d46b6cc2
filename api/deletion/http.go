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
}

// Deletion is a deletion that was requested.
type Deletion struct {
	DueAt time.Time `json:"dueAt" doc:"The time of the deletion; until then a sign-in with keepAccount restores the account"`
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
