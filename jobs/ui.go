package jobs

import (
	"context"
	"log/slog"
	"net/http"

	"riverqueue.com/riverui"
)

// uiPolicy is for River's own pages, whose components set style attributes;
// scripts are its own files only.
const uiPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"font-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// NewUI makes River's pages for prefix, such as /riverui. Whoever mounts it
// lets in admins only, and checks where a write comes from: the handler does
// neither. Its background work ends with ctx.
func NewUI(ctx context.Context, client *Client, prefix string) (http.Handler, error) {
	ui, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints: riverui.NewEndpoints(client, nil), Prefix: prefix, JobListHideArgsByDefault: true,
		Logger: slog.New(quiet{slog.Default().Handler()}),
	})
	if err != nil {
		return nil, err
	}
	if err := ui.Start(ctx); err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", uiPolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		ui.ServeHTTP(w, r)
	}), nil
}
