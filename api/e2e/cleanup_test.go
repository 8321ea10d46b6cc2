package e2e_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The dry run counts what the clean-up would delete, and deletes nothing. The clean-up deletes it.
func TestCleanup_DryRunDeletesNothing(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	server := p.serve("--no-work", "--demo")
	pass := p.query(`WITH old AS (INSERT INTO user_passes (from_user_id, to_user_id, created_at)
		SELECT a.id, b.id, now() - interval '366 days' FROM users a, users b WHERE a.id <> b.id ORDER BY a.id, b.id LIMIT 3
		ON CONFLICT (from_user_id, to_user_id) DO UPDATE SET created_at = excluded.created_at RETURNING 1) SELECT count(*) FROM old`)
	require.Equal(t, 3, pass)
	passes := p.query(`SELECT count(*) FROM user_passes`)
	due := p.run(nil, "cleanup", "--dry-run")
	require.Zero(t, due.code, due.err)
	require.Regexp(t, `(?m)^3 +user_passes +1 year after the pass$`, due.out)
	require.Regexp(t, `(?m)^0 +user_likes +1 year after a like that was not returned$`, due.out)
	require.Equal(t, passes, p.query(`SELECT count(*) FROM user_passes`))
	done := p.run(nil, "cleanup")
	require.Zero(t, done.code, done.err)
	require.Regexp(t, `(?m)^3 +user_passes +1 year after the pass$`, done.out)
	require.Equal(t, passes-3, p.query(`SELECT count(*) FROM user_passes`))
	server.stop(syscall.SIGTERM)
}
