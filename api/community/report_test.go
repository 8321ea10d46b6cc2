package community_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/community"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestReportPost_KeepsTextAndPictureAsEvidence(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	d := draft("One")
	d.Image, d.Tags = w.upload(ann), []string{"tea"}
	post, err := w.Create(t.Context(), web.Actor{ID: ann}, uuid.New(), d)
	require.NoError(t, err)
	require.True(t, w.decide("approve", post.ID, 1).Stored)
	receipt, err := w.ReportPost(t.Context(), ben, post.ID, "spam", "An advertisement")
	require.NoError(t, err)
	require.True(t, receipt.Created)
	again, err := w.ReportPost(t.Context(), ben, post.ID, "spam", "")
	require.NoError(t, err)
	require.Equal(t, receipt.ID, again.ID)
	require.False(t, again.Created)
	other, err := w.ReportPost(t.Context(), ben, w.publish(ann, "Two"), "spam", "")
	require.NoError(t, err)
	require.True(t, other.Created, "another post of the same author")
	require.True(t, w.sees(ben, post.ID), "a report of a post blocks no one")
	_, err = w.ReportPost(t.Context(), ann, post.ID, "spam", "")
	testkit.RequireKind(t, err, fault.Conflict)
	_, err = w.ReportPost(t.Context(), ben, w.write(ann, "Three").ID, "spam", "")
	testkit.RequireKind(t, err, fault.NotFound)

	require.NoError(t, w.Delete(t.Context(), ann, post.ID))
	opened, err := w.moderation.OpenReport(t.Context(), w.moderator.ID, receipt.ID, "To see")
	require.NoError(t, err)
	require.Equal(t, "post", opened.Place)
	require.Equal(t, post.ID, *opened.ContentID)
	require.Equal(t, "One", opened.Evidence.Content.Title)
	require.Equal(t, "A summary\n\nA **story** that is longer than its summary.\n\nTags: tea", opened.Evidence.Content.Text)
	require.Empty(t, opened.Evidence.Messages)
	require.Len(t, opened.Files, 1, "the picture, although the post is deleted")
	require.Equal(t, post.FeaturedImage.ID, opened.Files[0].ID)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM retained_files WHERE file_id = $1`, post.FeaturedImage.ID))
}

func TestReportComment_HidesAtOnceWhenUrgent(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, ben := w.join("Ann"), w.join("Ben")
	post := w.publish(ben, "One")
	c := w.comment(ann, post, uuid.Nil, "A threat")
	// Without a match the urgent report of a member who joined just now would hide nothing.
	w.Exec(`INSERT INTO matches (id, user_a, user_b) VALUES (gen_random_uuid(), least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid))`, ann, ben)
	_, err := w.ReportComment(t.Context(), ann, c.ID, "threat", "")
	testkit.RequireKind(t, err, fault.Conflict)
	receipt, err := w.ReportComment(t.Context(), ben, c.ID, "threat", "")
	require.NoError(t, err)
	require.Zero(t, receipt.Priority)
	require.Empty(t, w.thread(ben, post), "the profile of its author is under review")
	require.Zero(t, w.card(ben, post).CommentCount)
	_, err = w.Comment(t.Context(), ann, post, community.CommentInput{ClientID: uuid.New(), Content: "Hi"})
	testkit.RequireKind(t, err, fault.Forbidden)
	opened, err := w.moderation.OpenReport(t.Context(), w.moderator.ID, receipt.ID, "To see")
	require.NoError(t, err)
	require.Equal(t, "A threat", opened.Evidence.Content.Text)
	w.requireExactCounts()
}
