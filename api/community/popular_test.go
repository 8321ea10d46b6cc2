package community_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

// popular returns the titles of the popular posts as the viewer sees them.
func (w *env) popular(viewer uuid.UUID) []string {
	w.Helper()
	posts, err := w.Popular(w.Context(), viewer)
	require.NoError(w, err)
	titles := []string{}
	for _, p := range posts {
		titles = append(titles, p.Title)
	}
	return titles
}

func TestPopular_OrdersTheWeekByLikesAndAge(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	require.Empty(t, w.popular(uuid.Nil))
	for _, p := range []struct {
		title, age string
		likes      int
	}{
		{"New, 4 likes", "1 hour", 4}, {"Two days, 9 likes", "2 days", 9}, {"Two days, 7 likes", "2 days", 7}, {"Six days, 12 likes", "6 days", 12},
		{"New, 2 likes", "2 hours", 2}, {"New, 1 like", "3 hours", 1}, {"Liked by no one", "1 minute", 0}, {"Last week", "8 days", 90},
	} {
		w.Exec(`INSERT INTO community_posts (author_id, client_id, title, excerpt, content, category, tags, status, like_count, published_at, decided_at)
			VALUES ($1, gen_random_uuid(), $2, 'A summary', 'A story', 'advice', '{advice}', 'published', $3, now() - $4::interval, now())`, ann, p.title, p.likes, p.age)
	}
	require.Equal(t, []string{"Two days, 9 likes", "New, 4 likes", "Two days, 7 likes", "Six days, 12 likes", "New, 2 likes"}, w.popular(uuid.Nil), "at most five")
}

func TestPopular_ShowsWhatTheViewerSees(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, cleo := w.join("Ann"), w.join("Ben"), w.join("Cleo")
	w.publish(ann, "Ann's")
	second := w.publish(ben, "Ben's")
	w.write(cleo, "Waits")
	w.Exec(`INSERT INTO post_likes (post_id, user_id) SELECT p.id, $1 FROM community_posts p`, w.moderator.ID)
	both := []string{"Ann's", "Ben's"}
	for _, viewer := range []uuid.UUID{uuid.Nil, cleo, ann} {
		require.ElementsMatch(t, both, w.popular(viewer))
	}
	cards, err := w.Popular(t.Context(), uuid.Nil)
	require.NoError(t, err)
	require.NotContains(t, cards[0].Author.FullName, "Doe", "visitors see first names")
	require.NoError(t, w.moderation.Block(t.Context(), web.Actor{ID: cleo}, ann))
	require.Equal(t, []string{"Ben's"}, w.popular(cleo))
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ann)
	require.Equal(t, []string{"Ben's"}, w.popular(ben), "of an author who is not active")
	require.NoError(t, w.Delete(t.Context(), ben, second))
	require.Empty(t, w.popular(uuid.Nil))
}
