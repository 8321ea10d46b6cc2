package admin

import (
	"context"
	"net/url"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/auth"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// JobLink is a link that opens the job pages.
type JobLink struct {
	URL       string    `json:"url" doc:"At the address of the metrics, which few browsers reach: valid once, for a minute"`
	Host      string    `json:"host" doc:"The host and port of the URL" example:"127.0.0.1:9090"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// JobPagesAt sets the function that returns the address of the page that opens the job pages, "" while there is none.
// It must be called before the service is used.
func (s *Service) JobPagesAt(fn func() string) { s.jobPages = fn }

// NewJobLink returns a link to the job pages for the actor, who must be an admin, and records it in the audit log. It
// returns Conflict if this process does not serve the job pages.
func (s *Service) NewJobLink(ctx context.Context, actor web.Actor) (JobLink, error) {
	var base string
	if s.jobPages != nil {
		base = s.jobPages()
	}
	address, err := url.Parse(base)
	if err != nil || address.Host == "" {
		return JobLink{}, fault.New(fault.Conflict, "The job pages are turned off on this server: METRICS_ADDR is off.").WithCode("no_job_pages")
	}
	token, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (string, error) {
		token, err := auth.NewJobLink(ctx, tx, actor)
		if err != nil {
			return "", err
		}
		return token, moderation.Audit(ctx, tx, actor.ID, "jobs.open", uuid.Nil, "To see the job pages", nil)
	})
	address.RawQuery = url.Values{"token": {token}}.Encode()
	return JobLink{URL: address.String(), Host: address.Host, ExpiresAt: web.Time(time.Now().Add(auth.JobLinkLifetime))}, err
}
