package community_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestComment_IsIdempotentAndOneLevelDeep(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, cleo := w.join("Ann"), w.join("Ben"), w.join("Cleo")
	post := w.publish(ann, "One")
	in := community.CommentInput{ClientID: uuid.New(), Content: " Lovely "}
	first, err := w.Comment(t.Context(), ben, post, in)
	require.NoError(t, err)
	again, err := w.Comment(t.Context(), ben, post, in)
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Equal(t, "Lovely", first.Content)
	require.True(t, first.IsOwn)
	require.Equal(t, in.ClientID.String(), *first.ClientID)
	reply := w.comment(cleo, post, first.ID, "Yes")
	for parent, kind := range map[uuid.UUID]fault.Kind{reply.ID: fault.Invalid, uuid.New(): fault.NotFound} {
		_, err := w.Comment(t.Context(), ann, post, community.CommentInput{ClientID: uuid.New(), Content: "Hi", Parent: parent})
		testkit.RequireKind(t, err, kind)
	}
	elsewhere := w.publish(ann, "Two")
	_, err = w.Comment(t.Context(), ann, elsewhere, community.CommentInput{ClientID: uuid.New(), Content: "Hi", Parent: first.ID})
	testkit.RequireKind(t, err, fault.NotFound, "a comment on another post")
	_, err = w.Comment(t.Context(), ann, w.write(ann, "Three").ID, community.CommentInput{ClientID: uuid.New(), Content: "Hi"})
	testkit.RequireKind(t, err, fault.NotFound, "a post that waits")
	w.comment(ann, post, first.ID, "Thanks")
	w.comment(ann, post, uuid.Nil, "By the author")
	require.Equal(t, []string{"Lovely", "  Yes", "  Thanks", "By the author"}, w.thread(uuid.Nil, post))
	require.Equal(t, 4, w.card(cleo, post).CommentCount)
	require.Equal(t, []string{"comment", "comment", "published", "published"}, w.news(ann), "Ben's comment and Cleo's reply")
	require.Equal(t, []string{"reply", "reply"}, w.news(ben))
	require.Empty(t, w.news(cleo))
	threads, _, err := w.Comments(t.Context(), uuid.Nil, post, web.Page{Limit: 50})
	require.NoError(t, err)
	require.Equal(t, "Ben", threads[0].Author.FullName)
	require.Nil(t, threads[0].ClientID)
}

func TestDeleteComment_LeavesRepliesOfOthers(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post := w.publish(ann, "One")
	first := w.comment(ann, post, uuid.Nil, "First")
	reply := w.comment(ben, post, first.ID, "Reply")
	alone := w.comment(ann, post, uuid.Nil, "Alone")
	testkit.RequireKind(t, w.DeleteComment(t.Context(), ben, first.ID), fault.NotFound)
	require.NoError(t, w.DeleteComment(t.Context(), ann, first.ID))
	testkit.RequireKind(t, w.DeleteComment(t.Context(), ann, first.ID), fault.NotFound)
	require.NoError(t, w.DeleteComment(t.Context(), ann, alone.ID))
	require.Equal(t, []string{"-", "  Reply"}, w.thread(ben, post))
	require.Equal(t, 1, w.card(ben, post).CommentCount)
	_, err := w.Comment(t.Context(), ann, post, community.CommentInput{ClientID: uuid.New(), Content: "Hi", Parent: first.ID})
	testkit.RequireKind(t, err, fault.NotFound, "no reply to a deleted comment")
	require.NoError(t, w.DeleteComment(t.Context(), ben, reply.ID))
	require.Empty(t, w.thread(ben, post))
	require.Zero(t, w.Count(`SELECT count(*) FROM post_comments`), "the empty comment goes with its last reply")
	w.requireExactCounts()
}

func TestDeletionOfAccount_EmptiesCommentsWithReplies(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, cleo := w.join("Ann"), w.join("Ben"), w.join("Cleo")
	post := w.publish(ann, "One")
	gone := w.publish(ben, "Ben's")
	first := w.comment(ben, post, uuid.Nil, "By Ben")
	w.comment(cleo, post, first.ID, "By Cleo")
	w.comment(ben, post, uuid.Nil, "Alone")
	w.comment(ben, post, w.comment(cleo, post, uuid.Nil, "Second").ID, "Ben's reply")
	_, err := w.Like(t.Context(), ben, post, true)
	require.NoError(t, err)
	w.Exec(`DELETE FROM users WHERE id = $1`, ben)
	require.Equal(t, []string{"-", "  By Cleo", "Second"}, w.thread(ann, post))
	for _, viewer := range []uuid.UUID{ann, uuid.Nil} {
		threads, _, err := w.Comments(t.Context(), viewer, post, web.Page{Limit: 50})
		require.NoError(t, err)
		require.True(t, threads[0].IsFormerMember)
		require.Equal(t, &community.PostAuthor{FullName: "Former member"}, threads[0].Author)
		require.False(t, threads[1].IsFormerMember)
	}
	require.Equal(t, 2, w.card(ann, post).CommentCount)
	require.Zero(t, w.card(ann, post).LikeCount)
	require.False(t, w.sees(ann, gone))
	require.Zero(t, w.Count(`SELECT count(*) FROM post_comments WHERE author_id = $1 OR content LIKE '%Ben%'`, ben))
	w.requireExactCounts()
}

// commentQueue returns the ids of the moderators' list.
func (w *env) commentQueue(filter string) (ids []uuid.UUID) {
	w.Helper()
	list, _, err := w.ReviewComments(w.Context(), w.moderator.ID, filter, web.Page{Limit: 50})
	require.NoError(w, err)
	for _, c := range list {
		ids = append(ids, c.ID)
	}
	return ids
}

// requireDecided decides on the present version of a comment.
func (w *env) requireDecided(action string, id uuid.UUID) {
	w.Helper()
	result, err := w.decideComment(action, id)
	require.NoError(w, err)
	require.True(w, result.Stored, result.Problem)
}

func TestComment_WaitsIfTheFilterNoticesIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben, cleo := w.join("Ann"), w.join("Ben"), w.join("Cleo")
	post := w.publish(ann, "One")
	first := w.comment(ann, post, uuid.Nil, "First")
	c := w.comment(ben, post, first.ID, insult)
	require.True(t, c.IsPending)
	require.Equal(t, []string{"First", "  " + insult}, w.thread(ben, post), "its author sees it")
	for _, viewer := range []uuid.UUID{ann, cleo, uuid.Nil} {
		require.Equal(t, []string{"First"}, w.thread(viewer, post))
		require.Equal(t, 1, w.card(viewer, post).CommentCount)
	}
	require.Equal(t, []string{"published"}, w.news(ann), "nobody is told before the decision")
	_, err := w.Comment(t.Context(), ben, post, community.CommentInput{ClientID: uuid.New(), Content: "Hi", Parent: w.comment(ben, post, uuid.Nil, insult).ID})
	testkit.RequireKind(t, err, fault.NotFound, "no reply to a comment that waits")
	w.requireDecided("restore", c.ID)
	require.Equal(t, []string{"First", "  " + insult}, w.thread(cleo, post))
	require.Equal(t, []string{"published", "reply"}, w.news(ann))
	w.requireExactCounts()
}

func TestDecideComments_HidesAndRestores(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post := w.publish(ann, "One")
	c := w.comment(ben, post, uuid.Nil, insult)
	w.comment(ben, post, uuid.Nil, "Fine")
	require.Equal(t, []uuid.UUID{c.ID}, w.commentQueue("pending"))
	require.Len(t, w.commentQueue("all"), 2)
	w.requireDecided("hide", c.ID)
	w.requireDecided("hide", c.ID)
	require.Equal(t, []string{"Fine"}, w.thread(ben, post))
	require.Equal(t, 1, w.card(ben, post).CommentCount)
	require.Empty(t, w.commentQueue("pending"))
	require.Equal(t, []uuid.UUID{c.ID}, w.commentQueue("hidden"))
	w.requireDecided("restore", c.ID)
	require.Len(t, w.thread(ann, post), 2)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE action LIKE 'community_comment.%' AND subject_id = $1`, ben))
	w.requireExactCounts()
}

func TestDecide_RefusesWhatWasDecidedOrChangedSince(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post := w.publish(ann, "One")
	c := w.comment(ben, post, uuid.Nil, insult)
	comment := func(item community.ReviewItem, action string) string {
		item.ID = c.ID
		results, err := w.DecideComments(t.Context(), w.moderator.ID, []community.ReviewItem{item}, community.Decision{Action: action, Reason: "A reason"})
		require.NoError(t, err)
		return results[0].Problem
	}
	w.requireDecided("restore", c.ID)
	require.Contains(t, comment(community.ReviewItem{Version: 1, Status: "pending"}, "hide"), "Mo has decided this already: approved.")
	_, err := w.EditComment(t.Context(), ben, c.ID, "Sorry")
	require.NoError(t, err)
	require.Contains(t, comment(community.ReviewItem{Version: 1}, "hide"), "changed")
	require.Empty(t, comment(community.ReviewItem{Version: 2, Status: "approved"}, "hide"))

	results, err := w.DecidePosts(t.Context(), w.moderator.ID, []community.ReviewItem{{ID: post, Version: 1, Status: "pending"}},
		community.Decision{Action: "reject", Reason: "A reason"})
	require.NoError(t, err)
	require.Contains(t, results[0].Problem, "Mo has decided this already: published.")
	require.True(t, w.sees(ben, post))
}

func TestDecide_RefusedUntilTheModeratorHasOpenedIt(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post, published := w.write(ann, "One").ID, w.publish(ann, "Two")
	c := w.comment(ben, published, uuid.Nil, insult).ID
	decision := func(action string) community.Decision {
		return community.Decision{Action: action, Reason: "A reason", OpenedOnly: true}
	}
	decidePost := func() string {
		results, err := w.DecidePosts(t.Context(), w.moderator.ID, []community.ReviewItem{{ID: post, Version: 1}}, decision("approve"))
		require.NoError(t, err)
		return results[0].Problem
	}
	decideComment := func() string {
		results, err := w.DecideComments(t.Context(), w.moderator.ID, []community.ReviewItem{{ID: c, Version: 1}}, decision("hide"))
		require.NoError(t, err)
		return results[0].Problem
	}
	require.Equal(t, "Please open it first.", decidePost())
	require.Equal(t, "Please open it first.", decideComment())
	_, err := w.OpenPost(t.Context(), w.moderator.ID, post, "To decide")
	require.NoError(t, err)
	_, err = w.OpenComment(t.Context(), w.moderator.ID, c, "To decide")
	require.NoError(t, err)
	require.Empty(t, decidePost())
	require.Empty(t, decideComment())
	require.True(t, w.sees(ben, post))
}

func TestEditComment_IsForTheAuthorForTenMinutes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post := w.publish(ann, "One")
	c := w.comment(ben, post, uuid.Nil, "Lovly")
	require.Nil(t, c.EditedAt)
	require.WithinDuration(t, c.CreatedAt.Add(10*time.Minute), *c.EditableUntil, time.Second)
	same, err := w.EditComment(t.Context(), ben, c.ID, " Lovly ")
	require.NoError(t, err)
	require.Nil(t, same.EditedAt, "an edit that changes nothing")
	edited, err := w.EditComment(t.Context(), ben, c.ID, "Lovely")
	require.NoError(t, err)
	require.Equal(t, "Lovely", edited.Content)
	require.NotNil(t, edited.EditedAt)
	_, err = w.EditComment(t.Context(), ann, c.ID, "Mine")
	testkit.RequireKind(t, err, fault.NotFound)
	_, err = w.EditComment(t.Context(), ben, c.ID, " ")
	testkit.RequireInvalid(t, err, "content")

	_, err = w.EditComment(t.Context(), ben, c.ID, insult)
	require.NoError(t, err)
	require.Empty(t, w.thread(ann, post), "the filter checks an edit too")
	require.Equal(t, []uuid.UUID{c.ID}, w.commentQueue("pending"))
	_, err = w.EditComment(t.Context(), ben, c.ID, "Lovely again")
	require.NoError(t, err)
	require.Equal(t, []string{"Lovely again"}, w.thread(ann, post))
	require.Equal(t, []string{"comment", "published"}, w.news(ann), "told once")

	w.requireDecided("hide", c.ID)
	_, err = w.EditComment(t.Context(), ben, c.ID, "Back")
	testkit.RequireKind(t, err, fault.NotFound, "a hidden comment")
	late := w.comment(ben, post, uuid.Nil, "Late")
	w.Exec(`UPDATE post_comments SET created_at = now() - interval '11 minutes' WHERE id = $1`, late.ID)
	_, err = w.EditComment(t.Context(), ben, late.ID, "Later")
	testkit.RequireKind(t, err, fault.Conflict)
	w.requireExactCounts()
}

func TestComments_ParentIsACommentOnTheSamePost(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	post, other := w.publish(ann, "One"), w.publish(ann, "Two")
	first := w.comment(ann, post, uuid.Nil, "First")
	reply := w.comment(ann, post, first.ID, "Reply")
	for name, at := range map[string][2]uuid.UUID{"another post": {other, first.ID}, "a reply": {post, reply.ID}} {
		_, err := w.Pool.Exec(t.Context(), `INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content)
			VALUES ($1, $2, $3, gen_random_uuid(), 'Hi')`, at[0], at[1], ann)
		require.ErrorContains(t, err, "post_comments_parent", name)
	}
}

func TestComments_PageThreadsAndReplies(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann := w.join("Ann")
	post := w.publish(ann, "One")
	w.Exec(`INSERT INTO post_comments (post_id, author_id, client_id, content, created_at)
		SELECT $1, $2, gen_random_uuid(), 'c' || n, now() + n * interval '1 second' FROM generate_series(1, 5) n`, post, ann)
	w.Exec(`INSERT INTO post_comments (post_id, parent_id, author_id, client_id, content, created_at)
		SELECT $1, (SELECT id FROM post_comments WHERE content = 'c1'), $2, gen_random_uuid(), 'r' || n, now() + n * interval '1 second' FROM generate_series(1, 120) n`, post, ann)
	texts, cursor := []string{}, ""
	for {
		page, next, err := w.Comments(t.Context(), uuid.Nil, post, web.Page{Limit: 2, Cursor: cursor})
		require.NoError(t, err)
		for _, thread := range page {
			texts = append(texts, thread.Content)
			for replies := thread.RepliesCursor; replies != ""; {
				more, after, err := w.Replies(t.Context(), uuid.Nil, post, thread.ID, web.Page{Limit: 50, Cursor: replies})
				require.NoError(t, err)
				for _, r := range more {
					thread.Replies = append(thread.Replies, r.PostComment)
				}
				replies = after
			}
			for i, r := range thread.Replies {
				require.Equal(t, fmt.Sprintf("r%d", i+1), r.Content)
			}
			texts = append(texts, fmt.Sprint(len(thread.Replies)))
		}
		if cursor = next; next == "" {
			break
		}
	}
	require.Equal(t, []string{"c1", "120", "c2", "0", "c3", "0", "c4", "0", "c5", "0"}, texts)
	require.Equal(t, 125, w.card(uuid.Nil, post).CommentCount)
}

// The list of comments has no words of them; opening one needs a reason and is recorded.
func TestOpenComment_RecordsAccess(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	c := w.comment(ben, w.publish(ann, "One"), uuid.Nil, insult)
	_, err := w.OpenComment(t.Context(), w.moderator.ID, c.ID, "")
	require.Equal(t, "reason", fault.From(err).Field)
	opened, err := w.OpenComment(t.Context(), w.moderator.ID, c.ID, "To decide")
	require.NoError(t, err)
	require.Equal(t, insult, opened.Content)
	require.Equal(t, "One", opened.PostTitle)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM audit_log WHERE action = 'community_comment.open' AND subject_id = $1 AND reason = 'To decide'`, ben))
	list, _, err := w.ReviewComments(t.Context(), w.moderator.ID, "pending", web.Page{Limit: 50})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.True(t, list[0].Opened)
	text, err := json.Marshal(list)
	require.NoError(t, err)
	require.NotContains(t, string(text), insult)
	_, err = w.OpenComment(t.Context(), w.moderator.ID, uuid.New(), "To see")
	testkit.RequireKind(t, err, fault.NotFound)
}
