package community_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// refused reports whether an operation may fail with err in TestCounts: what it is about may be gone or
// hidden by a concurrent operation.
func refused(err error) bool {
	return fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) || fault.Is(err, fault.RateLimited) || fault.Is(err, fault.Conflict)
}

// The stored counts equal the rows after random operations of several members at once: likes, comments,
// replies, edits, deletions, decisions of moderators, restrictions and deletions of accounts.
func TestCounts_EqualRowsAfterConcurrentOperations(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	people, posts := []uuid.UUID{}, []uuid.UUID{}
	for _, name := range []string{"Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"} {
		people = append(people, w.join(name))
	}
	for _, author := range people[:3] {
		posts = append(posts, w.publish(author, "One"), w.publish(author, "Two"))
	}
	var workers sync.WaitGroup
	for seed := range 6 {
		workers.Go(func() {
			random := rand.New(rand.NewPCG(2026, uint64(seed)))
			for range 60 {
				if err := w.randomOperation(random, people, posts); err != nil {
					assert.True(t, refused(err), "%v", err)
				}
			}
		})
	}
	workers.Wait()
	w.requireExactCounts()
	w.Exec(`UPDATE users SET profile_status = 'active' WHERE id = ANY ($1)`, people)
	w.requireExactCounts()
	for _, leaving := range [][]uuid.UUID{people[:2], people[2:5]} { // several at once, whose likes are on the same posts
		var deletions sync.WaitGroup
		for _, id := range leaving {
			deletions.Go(func() {
				_, err := w.Pool.Exec(t.Context(), `DELETE FROM users WHERE id = $1`, id)
				assert.NoError(t, err, "no deadlock")
			})
		}
		deletions.Wait()
		w.requireExactCounts()
	}
}

func (w *env) randomOperation(random *rand.Rand, people, posts []uuid.UUID) error {
	ctx := w.Context()
	member, post := people[random.IntN(len(people))], posts[random.IntN(len(posts))]
	pick := func(condition string) (id uuid.UUID) {
		err := w.Pool.QueryRow(ctx, `SELECT id FROM post_comments WHERE post_id = $1 AND `+condition+` ORDER BY random() LIMIT 1`, post).Scan(&id)
		assert.True(w, err == nil || errors.Is(err, pgx.ErrNoRows))
		return id
	}
	var err error
	switch random.IntN(16) {
	case 0, 1, 2:
		_, err = w.Like(ctx, member, post, random.IntN(3) > 0)
	case 3, 4:
		_, err = w.Comment(ctx, member, post, community.CommentInput{ClientID: uuid.New(), Content: "Hello"})
	case 5, 6:
		_, err = w.Comment(ctx, member, post, community.CommentInput{ClientID: uuid.New(), Content: "Hello", Parent: pick(`parent_id IS NULL AND is_counted`)})
	case 7:
		err = w.DeleteComment(ctx, member, pick(`deleted_at IS NULL`))
	case 8:
		action := []string{"hide", "restore"}[random.IntN(2)]
		_, err = w.decideComment(action, pick(`true`))
	case 9, 10:
		_, err = w.EditComment(ctx, member, pick(`deleted_at IS NULL`), []string{"Hello again", insult}[random.IntN(2)])
	case 11:
		_, err = w.Comment(ctx, member, post, community.CommentInput{ClientID: uuid.New(), Content: insult})
	case 12:
		err = w.editPost(post, fmt.Sprint("Title ", random.IntN(1000)))
	case 13, 14:
		err = w.decidePost([]string{"reject", "approve"}[random.IntN(2)], post)
	case 15:
		status := []string{"active", "under_review"}[random.IntN(2)]
		err = w.change(`UPDATE users SET profile_status = $2 WHERE id = $1`, member, status)
	}
	return err
}

// decideComment decides on the present version of a comment.
func (w *env) decideComment(action string, id uuid.UUID) (web.RowResult, error) {
	version := 1
	err := w.Pool.QueryRow(w.Context(), `SELECT version FROM post_comments WHERE id = $1`, id).Scan(&version)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return web.RowResult{}, err
	}
	results, err := w.DecideComments(w.Context(), w.moderator.ID, []community.ReviewItem{{ID: id, Version: version}},
		community.Decision{Action: action, Reason: "Random"})
	if err != nil {
		return web.RowResult{}, err
	}
	return results[0], nil
}

// decidePost decides on the present version of a post.
func (w *env) decidePost(action string, id uuid.UUID) error {
	var version int
	if err := w.Pool.QueryRow(w.Context(), `SELECT version FROM community_posts WHERE id = $1`, id).Scan(&version); err != nil {
		return err
	}
	_, err := w.DecidePosts(w.Context(), w.moderator.ID, []community.ReviewItem{{ID: id, Version: version}}, community.Decision{Action: action, Reason: "Random"})
	return err
}

// editPost has the author of a post change its title.
func (w *env) editPost(id uuid.UUID, title string) error {
	var author uuid.UUID
	if err := w.Pool.QueryRow(w.Context(), `SELECT author_id FROM community_posts WHERE id = $1`, id).Scan(&author); err != nil {
		return err
	}
	_, err := w.Edit(w.Context(), web.Actor{ID: author}, id, draft(title))
	return err
}

// change runs a statement as the services do: again after a deadlock.
func (w *env) change(sql string, args ...any) error {
	return pg.TxDo(w.Context(), w.Pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(w.Context(), sql, args...)
		return err
	})
}

func TestLike_CountsOnceForEachMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post := w.publish(ann, "One")
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			_, err := w.Like(t.Context(), ben, post, true)
			assert.NoError(t, err)
		})
	}
	calls.Wait()
	likes, err := w.Like(t.Context(), ann, post, true)
	require.NoError(t, err)
	require.Equal(t, community.PostLikes{LikeCount: 2, LikedByMe: true}, likes)
	require.True(t, w.card(ben, post).LikedByMe)
	require.False(t, w.card(w.moderator.ID, post).LikedByMe)
	for range 2 {
		likes, err = w.Like(t.Context(), ben, post, false)
		require.NoError(t, err)
		require.Equal(t, community.PostLikes{LikeCount: 1}, likes)
	}
	_, err = w.Like(t.Context(), ben, w.write(ann, "Two").ID, true)
	testkit.RequireKind(t, err, fault.NotFound, "a post that waits")
}
