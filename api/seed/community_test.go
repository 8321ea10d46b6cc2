package seed_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/guard"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/seed"
)

// The demo board has something in each of its lists and in each queue of the moderators.
func TestRun_BoardHasEveryKindOfContent(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	_, err := seed.Run(t.Context(), pool, &memoryStore{}, seed.Options{})
	require.NoError(t, err)
	count := func(sql string, args ...any) int { return testkit.Count(t, pool, sql, args...) }
	const published = `SELECT count(*) FROM community_posts WHERE status = 'published' AND NOT author_hidden`
	assert.GreaterOrEqual(t, count(published), 12)
	for _, category := range []string{"blog", "community-story", "advice", "experience"} {
		assert.GreaterOrEqual(t, count(published+` AND category = $1`, category), 2, category)
	}
	assert.Positive(t, count(published+` AND featured_image IS NOT NULL`))
	assert.Equal(t, count(published), count(published+` AND like_count > 0 AND comment_count > 0`))
	assert.Positive(t, count(`SELECT count(*) FROM post_comments WHERE parent_id IS NOT NULL`))
	for _, status := range []string{"pending", "rejected"} {
		assert.Equal(t, 1, count(`SELECT count(*) FROM community_posts WHERE status = $1 AND author_id = $2`, status, idOf(t, pool, seed.DemoEmail)), status)
	}
	flagged := testkit.SelectAll[string](t, pool, `SELECT content FROM post_comments WHERE flag = 'off_platform'`)
	require.Len(t, flagged, 1)
	assert.Equal(t, "off_platform", guard.Category(flagged[0]), "the flag is that of the message filter")
	assert.Zero(t, count(`SELECT count(*) FROM post_comments WHERE created_at > now()`))
}
