package jobs

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/auth"
	"heartward/api/moderation"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// OpenPath is the path below UIPrefix of the link that opens the pages, with the token as the query "token".
const OpenPath = "/open"

const (
	uiCookie    = "jobs"
	maxUIBody   = 1 << 20
	auditReason = "On the job pages"
)

// requireAdmin returns a handler that serves pages to admins who came by a link of the dashboard, and records their
// writes in the audit log before they happen.
func requireAdmin(pool *pgxpool.Pool, prefix string, pages http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+OpenPath, func(w http.ResponseWriter, r *http.Request) {
		token, err := auth.OpenJobPages(r.Context(), pool, r.URL.Query().Get("token"))
		if err != nil {
			refuse(w, err)
			return
		}
		http.SetCookie(w, &http.Cookie{
			// Not Secure, because the address of the metrics has no TLS.
			Name: uiCookie, Value: token, Path: prefix + "/", MaxAge: int(auth.JobCookieLifetime / time.Second), HttpOnly: true,
			// Lax, because the dashboard is another site: with Strict the redirect would not send the cookie.
			SameSite: http.SameSiteLaxMode,
		})
		http.Redirect(w, r, prefix+"/", http.StatusSeeOther)
	})
	mux.HandleFunc(prefix+"/", func(w http.ResponseWriter, r *http.Request) {
		var token string
		if cookie, err := r.Cookie(uiCookie); err == nil {
			token = cookie.Value
		}
		admin, err := auth.JobPagesAdmin(r.Context(), pool, token)
		if err == nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
			err = recordWrite(w, r, pool, prefix, admin)
		}
		if err != nil {
			refuse(w, err)
			return
		}
		pages.ServeHTTP(w, r)
	})
	return mux
}

// recordWrite inserts the audit row of a write, with its path and body: the ids of the jobs. The body can be read again.
func recordWrite(w http.ResponseWriter, r *http.Request, pool *pgxpool.Pool, prefix string, admin uuid.UUID) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxUIBody))
	if err != nil {
		return fault.New(fault.Invalid, "The request is too large.")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	detail := map[string]any{"method": r.Method, "path": strings.TrimPrefix(r.URL.Path, prefix)}
	if json.Valid(body) {
		detail["body"] = json.RawMessage(body)
	}
	return pg.TxDo(r.Context(), pool, func(tx pgx.Tx) error {
		return moderation.Audit(r.Context(), tx, admin, "jobs.change", uuid.Nil, auditReason, detail)
	})
}

func refuse(w http.ResponseWriter, err error) {
	f := fault.From(err)
	if f.Kind != fault.Forbidden && f.Kind != fault.Invalid {
		slog.Error("a request of the job pages failed", "error", err)
	}
	http.Error(w, f.Message, web.StatusOf(f.Kind))
}
