package jobs_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
	"github.com/stretchr/testify/require"

	"heartward/api/export"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// The member sees the failure of an export after its last attempt, and can request another.
func TestMakeExport_LastFailureIsRecorded(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	member, first := testkit.Member(t, pool, "Ann").ID, uuid.New()
	testkit.Exec(t, pool, `INSERT INTO exports (id, user_id) VALUES ($1, $2)`, first, member)
	testkit.Exec(t, pool, `ALTER TABLE user_likes RENAME COLUMN comment TO gone`)
	client := start(t, pool, make(sentPushes, 1))
	_, err := client.Insert(t.Context(), export.MakeArgs{ExportID: first, MemberID: member}, &river.InsertOpts{MaxAttempts: 1})
	require.NoError(t, err)
	hasExport := func(condition string) func() bool {
		return func() bool {
			return testkit.Select[bool](t, pool, `SELECT EXISTS (SELECT FROM exports WHERE `+condition+`)`)
		}
	}
	require.Eventually(t, hasExport(`failed_at IS NOT NULL`), testkit.Timeout, 20*time.Millisecond)

	testkit.Exec(t, pool, `ALTER TABLE user_likes RENAME COLUMN gone TO comment`)
	testkit.Exec(t, pool, `UPDATE exports SET id = gen_random_uuid(), failed_at = NULL`)
	second := testkit.Select[uuid.UUID](t, pool, `SELECT id FROM exports`)
	_, err = client.Insert(t.Context(), export.MakeArgs{ExportID: second, MemberID: member}, nil)
	require.NoError(t, err)
	require.Eventually(t, hasExport(`ready_at IS NOT NULL`), testkit.Timeout, 20*time.Millisecond)
}
