package matching_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/matching"
	"heartward/api/platform/testkit"
)

// A like that was not returned ends after a year: its sender may be shown the other member, and like, again. A like of a
// match stays.
func TestLike_EndsAfterAYearUnlessReturned(t *testing.T) {
	t.Parallel()
	pool, s, _ := setup(t)
	ann, ben, cid, dan := member(t, pool, "Ann"), member(t, pool, "Ben"), member(t, pool, "Cid"), member(t, pool, "Dan")
	for _, pair := range [][2]uuid.UUID{{ann, ben}, {ann, cid}, {ben, ann}, {dan, ann}} {
		like(t, s, pair[0], pair[1])
	}
	testkit.Exec(t, pool, `UPDATE user_likes SET created_at = now() - interval '366 days' WHERE from_user_id <> $1`, dan)
	for _, entry := range matching.Data.Retention {
		if entry.IsCleaned() {
			_, err := entry.Clean(t.Context(), pool, 100)
			require.NoError(t, err)
		}
	}
	pairs := testkit.SelectAll[string](t, pool, `SELECT f.first_name || ' ' || t.first_name FROM user_likes l JOIN users f ON f.id = l.from_user_id JOIN users t ON t.id = l.to_user_id`)
	require.ElementsMatch(t, []string{"Ann Ben", "Ben Ann", "Dan Ann"}, pairs)
	require.Zero(t, testkit.Count(t, pool, `SELECT count(*) FROM decided_pairs WHERE member_id = $1 AND peer_id = $2`, ann, cid))
	require.Empty(t, received(t, s, cid, 10))
	require.Len(t, received(t, s, ann, 10), 1)
	like(t, s, ann, cid)
	require.Len(t, received(t, s, cid, 10), 1)
}
