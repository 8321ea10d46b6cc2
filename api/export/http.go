package export

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/web"
)

// DownloadPath is the prefix of the addresses of downloads. A token follows, which must not
// be logged.
const DownloadPath = "/api/users/me/export/download/"

// DownloadTimeout is the maximum time of a download.
const DownloadTimeout = time.Hour

// Register adds the operations of package export to api.
func Register(api web.API, s *Service) {
	web.Get(api, web.Leaving, "get-export", "/api/users/me/export",
		"Get the state of the caller's newest export", s.getExport)
	web.Post(api, web.Leaving, "request-export", "/api/users/me/export",
		"Start an export of the caller's data", s.requestExport, web.Status(http.StatusAccepted))
	web.Post(api, web.Leaving, "link-export", "/api/users/me/export/link",
		"Get an address from which the caller can download the export once, in the next 10 minutes", s.linkExport)
	web.Get(api, web.Leaving, "download-export", DownloadPath+"{token}",
		"Download the caller's export, once", s.downloadExport, web.Returns("application/zip", "The archive"))
}

type stateOutput struct{ Body DataExport }

func (s *Service) getExport(ctx context.Context, _ *struct{}) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := s.State(ctx, actor.ID)
	return &stateOutput{state}, err
}

func (s *Service) requestExport(ctx context.Context, _ *struct{}) (*stateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	state, err := s.Request(ctx, actor)
	web.LogSecurity(ctx, web.EventExport, err, "step", "request")
	return &stateOutput{state}, err
}

// DownloadLink is the address of a download.
type DownloadLink struct {
	URL string `json:"url" doc:"Valid once, for 10 minutes, in a session of the caller"`
}

type linkOutput struct{ Body DownloadLink }

func (s *Service) linkExport(ctx context.Context, _ *struct{}) (*linkOutput, error) {
	actor, _ := web.ActorOf(ctx)
	token, err := s.Link(ctx, actor)
	web.LogSecurity(ctx, web.EventExport, err, "step", "link")
	return &linkOutput{DownloadLink{DownloadPath + token}}, err
}

type downloadInput struct {
	Token string `path:"token" minLength:"1" maxLength:"100"`
}

func (s *Service) downloadExport(ctx context.Context, in *downloadInput) (*huma.StreamResponse, error) {
	actor, _ := web.ActorOf(ctx)
	found, err := s.Fetch(ctx, actor, in.Token)
	web.LogSecurity(ctx, web.EventExport, err, "step", "download")
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(out huma.Context) {
		out.SetHeader("Cache-Control", "no-store")
		out.SetHeader("Content-Type", "application/zip")
		out.SetHeader("Content-Disposition", `attachment; filename="heartward-`+found.MadeAt.UTC().Format(time.DateOnly)+`.zip"`)
		web.Stream(out, found.Content, found.Bytes)
	}}, nil
}
