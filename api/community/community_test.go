package community_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestCreate_WaitsForModeratorAndIsIdempotent(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, client := w.join("Ann"), w.join("Ben"), uuid.New()
	first, err := w.Create(t.Context(), web.Actor{ID: ann}, client, draft("One"))
	require.NoError(t, err)
	again, err := w.Create(t.Context(), web.Actor{ID: ann}, client, draft("One"))
	require.NoError(t, err)
	require.Equal(t, first, again)
	changed, err := w.Create(t.Context(), web.Actor{ID: ann}, client, draft("Two"))
	require.NoError(t, err)
	require.Equal(t, first.ID, changed.ID)
	require.Equal(t, "Two", changed.Title, "the member went on writing because the response was lost")
	require.Equal(t, "pending", first.Status)
	require.Equal(t, []string{"advice"}, first.Tags, "the category")
	require.False(t, first.IsAdminPost)
	require.True(t, first.HasMore)
	require.Equal(t, "<p>A <strong>story</strong> that is longer than its summary.</p>", strings.TrimSpace(first.ContentHTML))
	require.Empty(t, w.titles(ann, community.Filter{}), "not on the board, not even for the author")
	require.True(t, w.sees(ann, first.ID))
	require.False(t, w.sees(ben, first.ID))
	require.False(t, w.sees(w.moderator.ID, first.ID), "a moderator reads it in the queue")
	other, err := w.Create(t.Context(), web.Actor{ID: ben}, client, draft("Three"))
	require.NoError(t, err)
	require.NotEqual(t, first.ID, other.ID, "the client id is one of the author")
}

func TestCreate_RefusesWhatIsMissing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := web.Actor{ID: w.join("Ann")}
	for field, change := range map[string]func(*community.Draft){
		"title":         func(d *community.Draft) { d.Title = " " },
		"excerpt":       func(d *community.Draft) { d.Excerpt = "" },
		"content":       func(d *community.Draft) { d.Content = "\n" },
		"tags":          func(d *community.Draft) { d.Tags = []string{strings.Repeat("a", 31)} },
		"featuredImage": func(d *community.Draft) { d.Image = uuid.New() },
	} {
		d := draft("Title")
		change(&d)
		_, err := w.Create(t.Context(), ann, uuid.New(), d)
		require.Equal(t, field, fault.From(err).Field)
		testkit.RequireKind(t, err, fault.Invalid)
	}
	d := draft("Title \u202egnp.exe")
	_, err := w.Create(t.Context(), ann, uuid.New(), d)
	require.Equal(t, "title", fault.From(err).Field, "a character that changes the direction")
	for n := range 5 {
		w.write(ann.ID, fmt.Sprint("Title ", n))
	}
	_, err = w.Create(t.Context(), ann, uuid.New(), draft("Title 0"))
	testkit.RequireKind(t, err, fault.Conflict, "the same story again")
	_, err = w.Create(t.Context(), ann, uuid.New(), draft("Title"))
	testkit.RequireKind(t, err, fault.RateLimited)
}

func TestBlog_IsOfAdminsAndPublishedAtOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	d := draft("News")
	d.Category = community.Blog
	for _, actor := range []web.Actor{{ID: ann}, w.moderator} {
		_, err := w.Create(t.Context(), actor, uuid.New(), d)
		testkit.RequireKind(t, err, fault.Forbidden)
	}
	admin := web.Actor{ID: w.join("Ada"), Admin: true, Moderator: true}
	post, err := w.Create(t.Context(), admin, uuid.New(), d)
	require.NoError(t, err)
	require.True(t, post.IsAdminPost)
	require.Equal(t, "published", post.Status)
	require.Equal(t, []string{"News"}, w.titles(uuid.Nil, community.Filter{}))
	require.Equal(t, "Ada Doe", w.card(uuid.Nil, post.ID).Author.FullName)
	require.False(t, w.decide("reject", post.ID, 1).Stored, "a moderator who is not an admin")
	d.Title = "Newer"
	post, err = w.Edit(t.Context(), admin, post.ID, d)
	require.NoError(t, err)
	require.Equal(t, "published", post.Status)
	_, err = w.DecidePosts(t.Context(), w.moderator.ID, []community.ReviewItem{{ID: post.ID, Version: 2}},
		community.Decision{Action: "reject", Reason: "Outdated", ByAdmin: true})
	require.NoError(t, err)
	d.Title = "Newest"
	post, err = w.Edit(t.Context(), admin, post.ID, d)
	require.NoError(t, err)
	require.Equal(t, "pending", post.Status, "one that was taken down waits as others do")
	d.Category = "advice"
	_, err = w.Edit(t.Context(), admin, post.ID, d)
	require.Equal(t, "category", fault.From(err).Field)
}

func TestDecidePosts_PublishesRejectsAndNotifies(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	id := w.write(ann, "One").ID
	require.True(t, w.decide("reject", id, 1).Stored)
	require.True(t, w.decide("reject", id, 1).Stored, "a repetition")
	post, err := w.Post(t.Context(), ann, id)
	require.NoError(t, err)
	require.Equal(t, "rejected", post.Status)
	require.Equal(t, "A reason", *post.RejectionReason)
	require.False(t, w.sees(ben, id))

	edited := draft("Two")
	post, err = w.Edit(t.Context(), web.Actor{ID: ann}, id, edited)
	require.NoError(t, err)
	require.Equal(t, "pending", post.Status)
	require.Contains(t, w.decide("approve", id, 1).Problem, "changed", "the version that the moderator read is not the current one")
	require.True(t, w.decide("approve", id, 2).Stored)
	require.Equal(t, []string{"Two"}, w.titles(ben, community.Filter{}))
	published := w.card(ben, id).PublishedAt

	_, err = w.Edit(t.Context(), web.Actor{ID: ann}, id, edited)
	require.NoError(t, err)
	require.True(t, w.sees(ben, id), "an edit that changes nothing")
	edited.Content += " And an end."
	_, err = w.Edit(t.Context(), web.Actor{ID: ann}, id, edited)
	require.NoError(t, err)
	require.False(t, w.sees(ben, id), "an edit waits for a moderator")
	_, err = w.Edit(t.Context(), web.Actor{ID: ben}, id, edited)
	testkit.RequireKind(t, err, fault.NotFound)
	require.True(t, w.decide("approve", id, 3).Stored)
	require.Equal(t, published, w.card(ben, id).PublishedAt, "an edit does not move the post up")
	require.Equal(t, []string{"published", "published", "rejected"}, w.news(ann))
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM audit_log WHERE action LIKE 'community_post.%' AND subject_id = $1 AND reason = 'A reason'`, ann))

	own := w.write(w.moderator.ID, "Mine").ID
	require.Contains(t, w.decide("approve", own, 1).Problem, "Another moderator")
	require.False(t, w.decide("approve", uuid.New(), 1).Stored)
	_, err = w.DecidePosts(t.Context(), w.moderator.ID, []community.ReviewItem{{ID: id, Version: 3}}, community.Decision{Action: "reject"})
	require.Equal(t, "reason", fault.From(err).Field)
}

// Opening finds posts of each status, records each access, and needs a reason. The list has no words of a post.
func TestOpenPost_RecordsEachAccess(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	for title, action := range map[string]string{"Waits": "", "Shown": "approve", "Refused": "reject"} {
		id := w.write(ann, title).ID
		if action != "" {
			require.True(t, w.decide(action, id, 1).Stored)
		}
		_, err := w.OpenPost(t.Context(), w.moderator.ID, id, " ")
		require.Equal(t, "reason", fault.From(err).Field)
		require.Zero(t, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'community_post.open' AND detail->>'post' = $1::text`, id.String()))
		for range 2 {
			post, err := w.OpenPost(t.Context(), w.moderator.ID, id, "To decide")
			require.NoError(t, err)
			require.Equal(t, title, post.Title)
			require.Equal(t, "Ann", post.Author.FirstName)
		}
		require.Equal(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'community_post.open' AND detail->>'post' = $1::text
			AND admin_id = $2 AND subject_id = $3 AND reason = 'To decide'`, id.String(), w.moderator.ID, ann))
		_, err = w.OpenPost(t.Context(), ann, id, "Mine")
		testkit.RequireKind(t, err, fault.NotFound, "the moderator's own")
	}
	_, err := w.OpenPost(t.Context(), w.moderator.ID, uuid.New(), "To see")
	testkit.RequireKind(t, err, fault.NotFound)

	waits := w.write(ann, "A title of her own").ID
	list, _, err := w.ReviewPosts(t.Context(), w.moderator.ID, community.Pending, web.Page{Limit: 50})
	require.NoError(t, err)
	require.Len(t, list, 2)
	text, err := json.Marshal(list)
	require.NoError(t, err)
	for _, written := range []string{"Waits", "A title of her own", draft("").Excerpt, draft("").Content} {
		require.NotContains(t, string(text), written)
	}
	for _, p := range list {
		require.Equal(t, p.ID != waits, p.Opened)
	}
}

func TestBoard_FiltersSearchesAndPages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	for _, p := range []struct{ title, category, content string }{
		{"One", "advice", "We were running along the river."}, {"Two", "experience", "A quiet evening."},
		{"Three", "advice", "He runs a bakery."}, {"Rivers", "community-story", "About nothing."},
	} {
		d := draft(p.title)
		d.Category, d.Content = p.category, p.content
		post, err := w.Create(t.Context(), web.Actor{ID: ann}, uuid.New(), d)
		require.NoError(t, err)
		require.True(t, w.decide("approve", post.ID, 1).Stored)
	}
	for _, viewer := range []uuid.UUID{uuid.Nil, ann, w.moderator.ID} {
		require.Equal(t, []string{"Rivers", "Three", "Two", "One"}, w.titles(viewer, community.Filter{}))
		require.Equal(t, []string{"Three", "One"}, w.titles(viewer, community.Filter{Category: "advice"}))
		require.Equal(t, []string{"Three", "One"}, w.titles(viewer, community.Filter{Search: "run"}), "other forms of the word, the newest first")
		require.Equal(t, []string{"Rivers", "One"}, w.titles(viewer, community.Filter{Search: "river"}))
		require.Equal(t, []string{"One"}, w.titles(viewer, community.Filter{Category: "advice", Search: "river -bakery"}))
		require.Empty(t, w.titles(viewer, community.Filter{Search: `"bakery runs"`}))
		require.Empty(t, w.titles(viewer, community.Filter{Search: `' & | ! :* (`}), "no syntax of the database")
	}
	_, next, err := w.Board(t.Context(), ann, community.Filter{}, web.Page{Limit: 1})
	require.NoError(t, err)
	_, _, err = w.Board(t.Context(), ann, community.Filter{Category: "advice"}, web.Page{Limit: 1, Cursor: next})
	testkit.RequireKind(t, err, fault.Invalid, "the cursor of another list")
}

func TestBoard_RespectsBlocksRestrictionsAndNames(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, cleo := w.join("Ann"), w.join("Ben"), w.join("Cleo")
	post := w.publish(ann, "Ann's")
	w.publish(cleo, "Cleo's")
	w.comment(cleo, post, uuid.Nil, "By Cleo")
	first := w.comment(ann, post, uuid.Nil, "By Ann")
	w.comment(ben, post, first.ID, "By Ben")

	card := w.card(ben, post)
	require.Equal(t, ann, *card.Author.ID)
	require.Equal(t, "Ann Doe", card.Author.FullName)
	require.Equal(t, "Ann", w.card(uuid.Nil, post).Author.FullName, "visitors see first names")
	require.Nil(t, w.card(uuid.Nil, post).Author.ID)
	w.Exec(`UPDATE users SET first_name_only = true, incognito = true WHERE id = $1`, ann)
	card = w.card(ben, post)
	require.Nil(t, card.Author.ID, "the profile of an incognito member is not open to him")
	require.Nil(t, card.Author.ProfileImageURL)
	require.Equal(t, "Ann", card.Author.FullName)

	require.Equal(t, 3, w.card(ben, post).CommentCount)
	require.NoError(t, w.moderation.Block(t.Context(), web.Actor{ID: ben}, cleo))
	require.Equal(t, 2, w.card(ben, post).CommentCount)
	require.Equal(t, 2, w.card(cleo, post).CommentCount)
	require.Equal(t, 3, w.card(ann, post).CommentCount)
	require.Equal(t, []string{"By Ann", "  By Ben"}, w.thread(ben, post))
	require.Equal(t, []string{"By Cleo", "By Ann"}, w.thread(cleo, post))
	require.Equal(t, []string{"Ann's"}, w.titles(ben, community.Filter{}))
	require.Equal(t, []string{"Cleo's", "Ann's"}, w.titles(uuid.Nil, community.Filter{}))
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, ann, ben)
	require.False(t, w.sees(ben, post))
	for _, err := range []error{
		func() error { _, err := w.Like(t.Context(), ben, post, true); return err }(),
		func() error { _, _, err := w.Comments(t.Context(), ben, post, web.Page{Limit: 5}); return err }(),
		func() error {
			_, err := w.Comment(t.Context(), ben, post, community.CommentInput{ClientID: uuid.New(), Content: "Hi"})
			return err
		}(),
		func() error { _, err := w.ReportPost(t.Context(), ben, post, "spam", ""); return err }(),
	} {
		testkit.RequireKind(t, err, fault.NotFound)
	}
	w.Exec(`UPDATE users SET profile_status = 'suspended' WHERE id = $1`, ann)
	require.False(t, w.sees(uuid.Nil, post), "posts of a restricted member are hidden")
	require.Equal(t, []string{"Cleo's"}, w.titles(uuid.Nil, community.Filter{}))
	w.requireExactCounts()
	// The post is shown all the same, as if another had written it.
	w.Exec(`UPDATE community_posts SET author_hidden = false WHERE id = $1`, post)
	w.Exec(`UPDATE community_posts SET author_id = $2 WHERE id = $1`, post, w.moderator.ID)
	require.Equal(t, []string{"By Cleo", "-", "  By Ben"}, w.thread(uuid.Nil, post), "a comment of a suspended member, by its reply")
	w.requireExactCounts()
}

func TestPost_ShowsMarkdownToAuthorOnly(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	id := w.publish(ann, "One")
	for _, viewer := range []uuid.UUID{ben, uuid.Nil, w.moderator.ID} {
		post, err := w.Post(t.Context(), viewer, id)
		require.NoError(t, err)
		require.Nil(t, post.Content)
		require.Nil(t, post.ClientID)
		require.False(t, post.IsOwn)
	}
	post, err := w.Post(t.Context(), ann, id)
	require.NoError(t, err)
	require.NotNil(t, post.Content)
	own, _, err := w.OwnPosts(t.Context(), ann, web.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, own, 1)
	require.Equal(t, "published", own[0].Status)
	testkit.RequireKind(t, w.Delete(t.Context(), ben, id), fault.NotFound)
	require.NoError(t, w.Delete(t.Context(), ann, id))
	require.False(t, w.sees(ann, id))
}

func TestPicture_IsPublicWhilePublished(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	reads := func(viewer web.Actor, id uuid.UUID) bool {
		_, err := w.OpenPicture(t.Context(), viewer, id, blobs.Full, blobs.Conditions{})
		if fault.Is(err, fault.NotFound) {
			return false
		}
		require.NoError(t, err)
		return true
	}
	d, client := draft("One"), uuid.New()
	d.Image = w.upload(ann)
	post, err := w.Create(t.Context(), web.Actor{ID: ann}, client, d)
	require.NoError(t, err)
	again, err := w.Create(t.Context(), web.Actor{ID: ann}, client, d)
	require.NoError(t, err)
	require.Equal(t, post, again)
	picture := post.FeaturedImage.ID
	require.True(t, reads(web.Actor{ID: ann}, picture))
	require.False(t, reads(w.moderator, picture), "a moderator who has not opened the post")
	_, err = w.OpenPost(t.Context(), w.moderator.ID, post.ID, "To see")
	require.NoError(t, err)
	require.True(t, reads(w.moderator, picture))
	require.False(t, reads(web.Actor{ID: ben}, picture))
	require.False(t, reads(web.Actor{}, picture))
	require.True(t, w.decide("approve", post.ID, 1).Stored)
	require.True(t, reads(web.Actor{ID: ben}, picture))
	require.True(t, reads(web.Actor{}, picture))
	_, err = w.OpenPicture(t.Context(), web.Actor{}, picture, "media", blobs.Conditions{})
	testkit.RequireKind(t, err, fault.NotFound)

	d.Image = w.upload(ben)
	_, err = w.Edit(t.Context(), web.Actor{ID: ann}, post.ID, d)
	require.Equal(t, "featuredImage", fault.From(err).Field, "the upload of another")
	d.Image = w.upload(ann)
	post, err = w.Edit(t.Context(), web.Actor{ID: ann}, post.ID, d)
	require.NoError(t, err)
	require.NotEqual(t, picture, post.FeaturedImage.ID)
	require.False(t, reads(web.Actor{ID: ann}, picture))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM blob_removals WHERE file_id = $1`, picture))
	require.NoError(t, w.Delete(t.Context(), ann, post.ID))
	require.Zero(t, w.Count(`SELECT count(*) FROM files WHERE owner_id = $1`, ann))
}
