package community_test

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/google/uuid"
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
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

type env struct {
	testkit.DB
	*community.Service
	members    *members.Service
	media      *media.Service
	moderation *moderation.Service
	moderator  web.Actor
}

func newEnv(t *testing.T) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t)}
	store, err := files.Open(t.Context(), "", t.TempDir())
	require.NoError(t, err)
	b, jobs, events := blobs.New(w.Pool, store), pgtest.Jobs(t, w.Pool), &bustest.Recorder{}
	w.members = members.New(w.Pool, b)
	w.media = media.New(w.Pool, b, w.members, jobs, nil)
	w.moderation = moderation.New(w.Pool, events, matching.New(w.Pool, events, jobs), b, jobs, make([]byte, 32))
	w.Service = community.New(community.Deps{
		Pool: w.Pool, Blobs: b, Media: w.media, Moderation: w.moderation, Jobs: jobs, Classify: guard.Category,
	})
	w.moderator = web.Actor{ID: w.join("Mo"), Moderator: true}
	return w
}

func (w *env) join(name string) uuid.UUID {
	w.Helper()
	return w.Member(name + " Doe").ID
}

func draft(title string) community.Draft {
	return community.Draft{Title: title, Excerpt: "A summary", Content: "A **story** that is longer than its summary.", Category: "advice"}
}

// write sends in a post, which waits.
func (w *env) write(author uuid.UUID, title string) community.Post {
	w.Helper()
	post, err := w.Create(w.Context(), web.Actor{ID: author}, uuid.New(), draft(title))
	require.NoError(w, err)
	return post
}

// insult is a text that the message filter notices.
const insult = "You are a worthless idiot and everybody hates you."

func (w *env) decide(action string, id uuid.UUID, version int) web.RowResult {
	w.Helper()
	results, err := w.DecidePosts(w.Context(), w.moderator.ID, []community.ReviewItem{{ID: id, Version: version}}, community.Decision{Action: action, Reason: "A reason"})
	require.NoError(w, err)
	require.Len(w, results, 1)
	return results[0]
}

// publish writes and publishes a post.
func (w *env) publish(author uuid.UUID, title string) uuid.UUID {
	w.Helper()
	id := w.write(author, title).ID
	require.True(w, w.decide("approve", id, 1).Stored)
	return id
}

func (w *env) comment(author, post, parent uuid.UUID, text string) community.PostComment {
	w.Helper()
	c, err := w.Comment(w.Context(), author, post, community.CommentInput{ClientID: uuid.New(), Content: text, Parent: parent})
	require.NoError(w, err)
	return c
}

// titles returns the titles of all pages of the board as the viewer sees it, with two posts a page.
func (w *env) titles(viewer uuid.UUID, filter community.Filter) []string {
	w.Helper()
	titles := []string{}
	for cursor := ""; ; {
		posts, next, err := w.Board(w.Context(), viewer, filter, web.Page{Limit: 2, Cursor: cursor})
		require.NoError(w, err)
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
	w.Helper()
	threads, _, err := w.Comments(w.Context(), viewer, post, web.Page{Limit: 50})
	require.NoError(w, err)
	lines := []string{}
	for _, t := range threads {
		if t.IsDeleted {
			require.Empty(w, t.Content)
			require.Equal(w, t.IsFormerMember, t.Author != nil)
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
	w.Helper()
	p, err := w.Post(w.Context(), viewer, post)
	require.NoError(w, err)
	return p.PostCard
}

// sees reports whether the viewer gets the post.
func (w *env) sees(viewer, post uuid.UUID) bool {
	w.Helper()
	_, err := w.Post(w.Context(), viewer, post)
	if fault.Is(err, fault.NotFound) {
		return false
	}
	require.NoError(w, err)
	return true
}

// upload adds a complete upload of a picture.
func (w *env) upload(owner uuid.UUID) uuid.UUID {
	w.Helper()
	var picture bytes.Buffer
	require.NoError(w, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 30))))
	size := int64(picture.Len())
	u, err := w.media.Create(w.Context(), owner, uuid.New(), media.ForProfile, size)
	require.NoError(w, err)
	_, err = w.media.Append(w.Context(), owner, u.ID, 0, &picture, size)
	require.NoError(w, err)
	return u.ID
}

// news returns the kinds of news of the notifications that are enqueued for the member, sorted.
func (w *env) news(member uuid.UUID) []string {
	w.Helper()
	return testkit.SelectAll[string](w, w.Pool, `SELECT args->>'newsKind' FROM river_job WHERE kind = 'notify_community' AND args->>'memberId' = $1 ORDER BY 1`, member.String())
}

// requireExactCounts fails unless the stored counts of all posts equal the rows.
func (w *env) requireExactCounts() {
	w.Helper()
	require.Zero(w, w.Count(`SELECT count(*) FROM community_posts p
		WHERE p.like_count <> (SELECT count(*) FROM post_likes l WHERE l.post_id = p.id)
			OR p.comment_count <> (
				SELECT count(*)
				FROM post_comments c
				JOIN users u ON u.id = c.author_id AND u.profile_status = 'active'
				WHERE c.post_id = p.id AND c.status = 'approved' AND c.deleted_at IS NULL)`))
	require.Zero(w, w.Count(`SELECT count(*) FROM community_posts p JOIN users u ON u.id = p.author_id WHERE p.author_hidden <> (u.profile_status <> 'active')`))
}
