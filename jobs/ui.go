package jobs

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"
	"riverqueue.com/riverui"
)

// uiPolicy is the content security policy of River's pages. Their components set
// style attributes.
const uiPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// UIPrefix is the path of River's pages on the address of the metrics.
const UIPrefix = "/riverui"

// NewUI returns the handler of River's pages under prefix, for admins who came by a link of the dashboard (auth.NewJobLink).
// Their writes are recorded in the audit log. It does not check the origin of writes: it is for an address that members
// cannot reach, which does. Its background work stops when ctx ends.
func NewUI(ctx context.Context, pool *pgxpool.Pool, client *Client, prefix string) (http.Handler, error) {
	ui, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints: riverui.NewEndpoints(client, nil), Prefix: prefix, JobListHideArgsByDefault: true,
		Logger: slog.New(warnings{slog.Default().Handler()}),
	})
	if err != nil {
		return nil, err
	}
	if err := ui.Start(ctx); err != nil {
		return nil, err
	}
	pages := requireAdmin(pool, prefix, ui)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", uiPolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		pages.ServeHTTP(w, r)
	}), nil
}
