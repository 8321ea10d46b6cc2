package jobs_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
	"heartward/jobs"
)

// uiEnv has the job pages and an admin with a session.
type uiEnv struct {
	testkit.DB
	ui    http.Handler
	actor web.Actor
}

func newUIEnv(t *testing.T) *uiEnv {
	t.Helper()
	w := &uiEnv{DB: pgtest.NewDB(t)}
	client, err := jobs.NewInserter(w.Pool)
	require.NoError(t, err)
	w.ui, err = jobs.NewUI(t.Context(), w.Pool, client, "/riverui")
	require.NoError(t, err)
	w.actor = web.Actor{ID: w.Member("Zoe Admin").ID, SessionID: uuid.New()}
	w.Exec(`UPDATE users SET is_admin = true WHERE id = $1`, w.actor.ID)
	w.Exec(`INSERT INTO sessions (id, token_hash, user_id, expires_at) VALUES ($1, sha256('t'), $2, now() + interval '1 hour')`, w.actor.SessionID, w.actor.ID)
	return w
}

func (w *uiEnv) call(method, path, body, cookie string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.AddCookie(&http.Cookie{Name: "jobs", Value: cookie})
	response := httptest.NewRecorder()
	w.ui.ServeHTTP(response, r)
	return response
}

// open uses a new link and returns the value of the cookie.
func (w *uiEnv) open() string {
	w.Helper()
	token, err := auth.NewJobLink(w.Context(), w.Pool, w.actor)
	require.NoError(w, err)
	opened := w.call("GET", "/riverui/open?token="+token, "", "")
	require.Equal(w, 303, opened.Code)
	require.Equal(w, "/riverui/", opened.Header().Get("Location"))
	require.Equal(w, 403, w.call("GET", "/riverui/open?token="+token, "", "").Code, "a link is valid once")
	cookie := opened.Result().Cookies()[0]
	require.Equal(w, 403, w.call("GET", "/riverui/open?token="+cookie.Value, "", "").Code, "the cookie is no link")
	require.Equal(w, 403, w.call("GET", "/riverui/", "", token).Code, "the link is no cookie")
	require.True(w, cookie.HttpOnly)
	return cookie.Value
}

func TestUI_ServesPagesBelowPrefix(t *testing.T) {
	t.Parallel()
	w := newUIEnv(t)
	cookie := w.open()
	get := func(path string) *httptest.ResponseRecorder { return w.call("GET", path, "", cookie) }
	page := get("/riverui/")
	require.Equal(t, 200, page.Code)
	require.Contains(t, page.Header().Get("Content-Security-Policy"), "script-src 'self'")
	_, script, ok := strings.Cut(page.Body.String(), `<script type="module" src="`)
	require.True(t, ok)
	script, _, _ = strings.Cut(script, `"`)
	require.True(t, strings.HasPrefix(script, "/riverui/"), script)
	require.Equal(t, 200, get(script).Code)
	require.Equal(t, 200, get("/riverui/api/queues").Code)
	require.Equal(t, 200, get("/riverui/api/states").Code)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`), "reads are not recorded")
}

func TestUI_RequiresLinkOfAnAdmin(t *testing.T) {
	t.Parallel()
	w := newUIEnv(t)
	for _, path := range []string{"/riverui/", "/riverui/api/queues", "/riverui/api/jobs?state=available", "/riverui/open", "/riverui/open?token=x"} {
		refused := w.call("GET", path, "", "")
		require.Equal(t, 403, refused.Code, path)
		require.Contains(t, refused.Body.String(), "with the link in the admins' settings")
	}
	require.Equal(t, 403, w.call("POST", "/riverui/api/jobs/cancel", `{"ids":["1"]}`, "unknown").Code)

	token, err := auth.NewJobLink(t.Context(), w.Pool, w.actor)
	require.NoError(t, err)
	w.Exec(`UPDATE job_page_links SET expires_at = now() - interval '1 second'`)
	require.Equal(t, 403, w.call("GET", "/riverui/open?token="+token, "", "").Code, "a link is valid for a minute")

	for name, change := range map[string]string{
		"an hour later":           `UPDATE job_page_links SET expires_at = now() - interval '1 second'`,
		"no admin any more":       `UPDATE users SET is_admin = false`,
		"the session was revoked": `DELETE FROM sessions`,
	} {
		w := newUIEnv(t)
		cookie := w.open()
		require.Equal(t, 200, w.call("GET", "/riverui/api/queues", "", cookie).Code)
		w.Exec(change)
		require.Equal(t, 403, w.call("GET", "/riverui/api/queues", "", cookie).Code, name)
		require.Equal(t, 403, w.call("POST", "/riverui/api/jobs/cancel", `{"ids":["1"]}`, cookie).Code, name)
	}
}

func TestUI_RecordsWritesWithTheAdmin(t *testing.T) {
	t.Parallel()
	w := newUIEnv(t)
	cookie := w.open()
	id := testkit.Select[string](t, w.Pool, `INSERT INTO river_job (kind, args, max_attempts, state, scheduled_at)
		VALUES ('sample', '{"name":"Ann"}', 1, 'scheduled', now() + interval '1 hour') RETURNING id::text`)
	cancelled := w.call("POST", "/riverui/api/jobs/cancel", `{"ids":["`+id+`"]}`, cookie)
	require.Equal(t, 200, cancelled.Code, cancelled.Body)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE state = 'cancelled'`), "the handler still has the body")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE admin_id = $1 AND action = 'jobs.change'
		AND detail = jsonb_build_object('method', 'POST', 'path', '/api/jobs/cancel', 'body', jsonb_build_object('ids', jsonb_build_array($2::text)))`, w.actor.ID, id))
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log WHERE detail::text LIKE '%Ann%'`))

	require.Equal(t, 422, w.call("POST", "/riverui/api/jobs/cancel", strings.Repeat(" ", 1<<20+1), cookie).Code)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log`))
}
