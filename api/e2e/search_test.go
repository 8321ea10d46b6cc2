package e2e_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// While the search index cannot be loaded, /healthz succeeds and /readyz fails with the
// reason.
func TestServe_IsReadyWhenSearchIndexIsLoaded(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	first := p.serve()
	// A row that cannot be read into the index.
	require.Equal(t, 1, p.query(`WITH broken AS (INSERT INTO users (id, email, full_name, first_name, birth_date, referral_code)
		VALUES (gen_random_uuid(), 'broken@example.test', 'Kim', 'Kim', '1990-01-01', 'broken01') RETURNING id),
		activity AS (INSERT INTO member_activity (user_id, last_active_at) SELECT id, 'infinity' FROM broken RETURNING user_id)
		SELECT count(*) FROM activity`))
	first.stop(syscall.SIGTERM)
	p.serve()
	requireReadiness := func(status int, text string) {
		t.Helper()
		require.Eventually(t, func() bool {
			got, body := p.get("/readyz")
			return got == status && strings.Contains(body, text)
		}, waitTimeout, 10*time.Millisecond)
	}
	requireReadiness(http.StatusServiceUnavailable, "The search index cannot be loaded.")
	status, _ := p.get("/healthz")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, 1, p.query(`WITH deleted AS (DELETE FROM users RETURNING id) SELECT count(*) FROM deleted`))
	requireReadiness(http.StatusOK, "ready")
}

func TestRestored_RenewsIdentityWhileServerRuns(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	p.serve()
	const renewals = `SELECT count(*) FROM database_identity WHERE written_by > $1::int::text::xid8`
	before := p.query(`SELECT written_by::text::bigint::int FROM database_identity`)
	require.Equal(t, "Search indexes and devices will load everything again\n", p.run(nil, "restored").out)
	require.Equal(t, 1, p.query(renewals, before))
}
