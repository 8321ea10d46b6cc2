package community_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/matching"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging/guard"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/pg"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/web"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	*community.Service
	t          *testing.T
	pool       *pgxpool.Pool
	members    *members.Service
	media      *media.Service
	moderation *moderation.Service
	moderator  web.Actor
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{t: t, pool: pgtest.New(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b, jobs, events := blobs.New(w.pool, store), pgtest.Jobs(t, w.pool), &bustest.Recorder{}
	w.members = members.New(w.pool, b)
	w.media = media.New(w.pool, b, w.members, jobs, nil)
	w.moderation = moderation.New(w.pool, events, matching.New(w.pool, events, jobs), b, jobs, make([]byte, 32))
	w.Service = community.New(community.Deps{
		Pool: w.pool, Blobs: b, Media: w.media, Moderation: w.moderation, Jobs: jobs, Classify: guard.Category,
	})
	w.moderator = web.Actor{ID: w.join("Mo"), Moderator: true}
	return w
}

// join adds a member as a sign-up does.
func (w *env) join(name string) uuid.UUID {
	w.t.Helper()
	draft, err := w.members.Check(w.t.Context(), members.NewMember{
		Email: strings.ToLower(name) + "@example.test", FullName: name + " Doe", Age: new(30), City: "Portland", State: "OR",
	})
	require.NoError(w.t, err)
	id, err := pg.Tx(w.t.Context(), w.pool, func(tx pgx.Tx) (uuid.UUID, error) { return members.Create(w.t.Context(), tx, draft) })
	require.NoError(w.t, err)
	return id
}

func draft(title string) community.Draft {
	return community.Draft{Title: title, Excerpt: "A summary", Content: "A **story** that is longer than its summary.", Category: "advice"}
}

// write sends in a post, which waits.
func (w *env) write(author uuid.UUID, title string) community.Post {
	w.t.Helper()
	post, err := w.Create(w.t.Context(), web.Actor{ID: author}, uuid.New(), draft(title))
	require.NoError(w.t, err)
	return post
}

func (w *env) decide(action string, id uuid.UUID, version int) web.RowResult {
	w.t.Helper()
	results, err := w.DecidePosts(w.t.Context(), w.moderator.ID, []community.ReviewItem{{ID: id, Version: version}}, community.Decision{Action: action, Reason: "A reason"})
	require.NoError(w.t, err)
	require.Len(w.t, results, 1)
	return results[0]
}

// publish writes and publishes a post.
func (w *env) publish(author uuid.UUID, title string) uuid.UUID {
	w.t.Helper()
	id := w.write(author, title).ID
	require.True(w.t, w.decide("approve", id, 1).Stored)
	return id
}

func (w *env) comment(author, post, parent uuid.UUID, text string) community.PostComment {
	w.t.Helper()
	c, err := w.Comment(w.t.Context(), author, post, community.CommentInput{ClientID: uuid.New(), Content: text, Parent: parent})
	require.NoError(w.t, err)
	return c
}

// titles returns the titles of all pages of the board as the viewer sees it, with two posts a page.
func (w *env) titles(viewer uuid.UUID, filter community.Filter) []string {
	w.t.Helper()
	titles := []string{}
	for cursor := ""; ; {
		posts, next, err := w.Board(w.t.Context(), viewer, filter, web.Page{Limit: 2, Cursor: cursor})
		require.NoError(w.t, err)
		for _, p := range posts {
			titles = append(titles, p.Title)
		}
		if cursor = next; next == "" {
			return titles
		}
	}
}

// thread returns the comments on a post as the viewer sees them: replies are indented, deleted ones are "-".
func (w *env) thread(viewer, post uuid.UUID) []string {
	w.t.Helper()
	threads, _, err := w.Comments(w.t.Context(), viewer, post, web.Page{Limit: 50})
	require.NoError(w.t, err)
	lines := []string{}
	for _, t := range threads {
		if t.IsDeleted {
			require.Empty(w.t, t.Content)
			require.Nil(w.t, t.Author)
			lines = append(lines, "-")
		} else {
			lines = append(lines, t.Content)
		}
		for _, r := range t.Replies {
			lines = append(lines, "  "+r.Content)
		}
	}
	return lines
}

func (w *env) card(viewer, post uuid.UUID) community.PostCard {
	w.t.Helper()
	p, err := w.Post(w.t.Context(), viewer, post)
	require.NoError(w.t, err)
	return p.PostCard
}

// sees reports whether the viewer gets the post.
func (w *env) sees(viewer, post uuid.UUID) bool {
	w.t.Helper()
	_, err := w.Post(w.t.Context(), viewer, post)
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w.t, err)
	return true
}

// upload adds a complete upload of a picture.
func (w *env) upload(owner uuid.UUID) uuid.UUID {
	w.t.Helper()
	var picture bytes.Buffer
	require.NoError(w.t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 30))))
	size := int64(picture.Len())
	u, err := w.media.Create(w.t.Context(), owner, uuid.New(), media.ForProfile, size)
	require.NoError(w.t, err)
	_, err = w.media.Append(w.t.Context(), owner, u.ID, 0, &picture, size)
	require.NoError(w.t, err)
	return u.ID
}

func (w *env) exec(sql string, args ...any) {
	w.t.Helper()
	pgtest.Exec(w.t, w.pool, sql, args...)
}

func (w *env) count(sql string, args ...any) (n int) {
	w.t.Helper()
	require.NoError(w.t, w.pool.QueryRow(w.t.Context(), `SELECT count(*) FROM `+sql, args...).Scan(&n))
	return n
}

// jobs returns the kinds of news of the notifications that are enqueued for the member, sorted.
func (w *env) jobs(member uuid.UUID) []string {
	w.t.Helper()
	rows, _ := w.pool.Query(w.t.Context(), `SELECT args->>'newsKind' FROM river_job WHERE kind = 'notify_community' AND args->>'memberId' = $1 ORDER BY 1`, member.String())
	kinds, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(w.t, err)
	return kinds
}

// requireExactCounts fails unless the stored counts of all posts equal the rows.
func (w *env) requireExactCounts() {
	w.t.Helper()
	require.Zero(w.t, w.count(`community_posts p
		WHERE p.like_count <> (SELECT count(*) FROM post_likes l WHERE l.post_id = p.id)
			OR p.comment_count <> (
				SELECT count(*)
				FROM post_comments c
				JOIN users u ON u.id = c.author_id AND u.profile_status = 'active'
				WHERE c.post_id = p.id AND c.status = 'approved' AND c.deleted_at IS NULL)`))
	require.Zero(w.t, w.count(`community_posts p JOIN users u ON u.id = p.author_id WHERE p.author_hidden <> (u.profile_status <> 'active')`))
}
