package admin_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestNewJobLink_OpensThePagesAndIsRecorded(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	actor := web.Actor{ID: w.admin, SessionID: w.session(w.admin, laptopAgent, "0")}
	at := ""
	w.s.JobPagesAt(func() string { return at })
	_, err := w.s.NewJobLink(t.Context(), actor)
	testkit.RequireKind(t, err, fault.Conflict)
	require.Zero(t, w.Count(`SELECT count(*) FROM audit_log`))

	at = "http://127.0.0.1:9090/riverui/open"
	link, err := w.s.NewJobLink(t.Context(), actor)
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:9090", link.Host)
	address, err := url.Parse(link.URL)
	require.NoError(t, err)
	require.Equal(t, at, "http://"+address.Host+address.Path)
	cookie, err := auth.OpenJobPages(t.Context(), w.Pool, address.Query().Get("token"))
	require.NoError(t, err)
	admin, err := auth.JobPagesAdmin(t.Context(), w.Pool, cookie)
	require.NoError(t, err)
	require.Equal(t, w.admin, admin)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'jobs.open' AND admin_id = $1`, w.admin))
}
