package community_test

import (
	"fmt"
	"testing"

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
	require.Equal(t, []string{"comment", "comment", "published", "published"}, w.jobs(ann), "Ben's comment and Cleo's reply")
	require.Equal(t, []string{"reply", "reply"}, w.jobs(ben))
	require.Empty(t, w.jobs(cleo))
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
	require.Equal(t, 2, w.card(ann, post).CommentCount)
	require.Zero(t, w.card(ann, post).LikeCount)
	require.False(t, w.sees(ann, gone))
	require.Zero(t, w.Count(`SELECT count(*) FROM post_comments WHERE author_id = $1 OR content LIKE '%Ben%'`, ben))
	w.requireExactCounts()
}

func TestDecideComments_HidesAndRestores(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post := w.publish(ann, "One")
	c := w.comment(ben, post, uuid.Nil, "You are a worthless idiot and everybody hates you.")
	w.comment(ben, post, uuid.Nil, "Fine")
	queue := func(filter string) (ids []uuid.UUID) {
		list, _, err := w.ReviewComments(t.Context(), w.moderator.ID, filter, web.Page{Limit: 50})
		require.NoError(t, err)
		for _, c := range list {
			ids = append(ids, c.ID)
		}
		return ids
	}
	require.Equal(t, []uuid.UUID{c.ID}, queue("flagged"), "the message filter noticed it")
	require.Len(t, queue("all"), 2)
	decide := func(action string) {
		results, err := w.DecideComments(t.Context(), w.moderator.ID, []community.ReviewItem{{ID: c.ID}}, community.Decision{Action: action, Reason: "Rude"})
		require.NoError(t, err)
		require.True(t, results[0].Stored)
	}
	decide("hide")
	decide("hide")
	require.Equal(t, []string{"Fine"}, w.thread(ben, post))
	require.Equal(t, 1, w.card(ben, post).CommentCount)
	require.Empty(t, queue("flagged"))
	require.Equal(t, []uuid.UUID{c.ID}, queue("hidden"))
	decide("restore")
	require.Len(t, w.thread(ben, post), 2)
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM audit_log WHERE action LIKE 'community_comment.%' AND subject_id = $1`, ben))
	w.requireExactCounts()
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
