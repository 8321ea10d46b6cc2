package moderation_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// urgent is a report with priority 0.
func urgent(of web.Actor) moderation.ReportInput {
	return moderation.ReportInput{UserID: of.ID, Reason: "threat", Place: "profile"}
}

func (w *env) status(of web.Actor) string {
	w.Helper()
	return testkit.Select[string](w, w.Pool, `SELECT profile_status FROM users WHERE id = $1`, of.ID)
}

// addFile adds a file with a blob to the member's profile: to a slot, or the first prompt.
func (w *env) addFile(of web.Actor, slot string) (file uuid.UUID) {
	w.Helper()
	file = uuid.Must(uuid.NewV7())
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'image/webp', 7)`, file, of.ID)
	require.NoError(w, w.files.Put(context.Background(), blobs.Key(file, "full.webp"), "image/webp", bytes.NewReader([]byte("picture"))))
	if slot == "prompt" {
		w.Exec(`INSERT INTO member_prompts (user_id, position, question, answer, voice_id) VALUES ($1, 1, 'A perfect Sunday', '', $2)`, of.ID, file)
		return file
	}
	w.Exec(`INSERT INTO member_media (file_id, user_id, slot, position)
		SELECT $1, $2, $3, count(*) + 1 FROM member_media WHERE user_id = $2 AND slot = $3`, file, of.ID, slot)
	return file
}

// An urgent report hides the reported member from everyone at once: strangers, matches and
// partners of conversations. Others do not.
func TestReport_UrgentReportHidesProfileAtOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var changed []uuid.UUID
	w.s.WatchStatus(func(_ context.Context, id uuid.UUID) { changed = append(changed, id) })
	stranger, friend := w.Member("Stranger Moss"), w.Member("Friend Moss")
	for _, reason := range []moderation.Reason{"underage", "threat", "assault", "nonconsensual_images"} {
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		w.match(friend, bob)
		require.NotEmpty(t, w.visibleOn(stranger, bob))
		in := urgent(bob)
		in.Reason = reason
		require.True(t, w.report(ann, in).Created)
		require.Equal(t, "under_review", w.status(bob), reason)
		require.Empty(t, w.visibleOn(stranger, bob), reason)
		require.Empty(t, w.visibleOn(friend, bob), reason)
		require.Error(t, w.send(bob, friend, "a threat"), "the reported member cannot go on")
		require.Equal(t, bob.ID, changed[len(changed)-1])
	}
	require.Len(t, changed, 4)
	for _, reason := range []moderation.Reason{"scam", "hate", "harassment", "other"} {
		bob := w.Member("Bob Moss")
		in := urgent(bob)
		in.Reason = reason
		w.report(w.Member("Ann Moss"), in)
		require.Equal(t, "active", w.status(bob), reason)
	}
	require.Len(t, changed, 4)
}

// Members who met the same person at once can all report: the first report does not make
// the profile unknown to the others.
func TestReport_ConcurrentUrgentReportsAreAllStored(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for range 10 {
		ann, eve, bob, friend := w.Member("Ann Moss"), w.Member("Eve Moss"), w.Member("Bob Moss"), w.Member("Friend Moss")
		w.establish(ann)
		w.match(eve, bob)
		w.match(friend, bob)
		concurrently(
			func() { _, err := w.s.Report(context.Background(), ann, urgent(bob)); assert.NoError(t, err) },
			func() { _, err := w.s.Report(context.Background(), eve, urgent(bob)); assert.NoError(t, err) },
			func() { _, err := w.s.Report(context.Background(), bob, urgent(eve)); assert.NoError(t, err) },
			func() { _ = w.send(bob, friend, "words") },
		)
		require.Equal(t, "under_review", w.status(bob))
		require.Equal(t, 2, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1 AND hides_profile`, bob.ID))
		require.Empty(t, w.visibleOn(friend, bob))
	}
}

// The pictures and recordings of the reported profile stay for moderators, although their
// owner deletes them, until 90 days after the decision.
func TestReport_KeepsFilesOfProfile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ctx := context.Background()
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	kept := map[string]uuid.UUID{}
	for _, slot := range []string{"photo", "header_banner", "audio_greeting", "video_greeting", "gallery_image", "gallery_video", "prompt"} {
		kept[slot] = w.addFile(bob, slot)
	}
	receipt := w.report(ann, report(bob))
	later := w.addFile(bob, "photo")
	for slot, file := range kept {
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM evidence_files WHERE subject_id = $1 AND file_id = $2 AND slot = $3 AND message_id IS NULL`, receipt.ID, file, slot), slot)
		if slot != "prompt" {
			require.NoError(t, w.members.DeleteMedia(ctx, bob.ID, file))
		}
	}
	require.NoError(t, w.members.DeleteMedia(ctx, bob.ID, later))
	w.Exec(`DELETE FROM users WHERE id = $1`, bob.ID)
	w.runCleanup()
	require.False(t, w.stored(later), "a photo added after the report is not evidence")
	for _, days := range []int{89, 91} {
		w.Exec(`UPDATE reports SET status = 'resolved', reviewed_at = now() - make_interval(days => $1)`, days)
		w.runCleanup()
		for slot, file := range kept {
			require.Equal(t, days == 89, w.stored(file), "%s after %d days", slot, days)
			require.False(t, w.readable(ann, file), slot)
		}
	}
}

// The reported member deletes a photo at the moment of the report: the photo is in the
// profile's copy and its blob is stored, or neither.
func TestReport_ConcurrentWithDeletionOfPhoto(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for round := range 30 {
		ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
		w.match(ann, bob)
		photo, second := w.addFile(bob, "photo"), w.addFile(bob, "photo")
		in := report(bob)
		if round%2 == 0 {
			in = urgent(bob)
		}
		var id uuid.UUID
		concurrently(
			func() { assert.NoError(t, w.members.DeletePhoto(context.Background(), bob.ID, photo)) },
			func() {
				receipt, err := w.s.Report(context.Background(), ann, in)
				assert.NoError(t, err)
				id = receipt.ID
			},
		)
		w.runCleanup()
		ids := w.evidence(id).Profile.PhotoIDs
		require.Contains(t, ids, second)
		require.Equal(t, len(ids), w.Count(`SELECT count(*) FROM evidence_files WHERE subject_id = $1`, id), "round %d", round)
		for _, file := range ids {
			require.True(t, w.stored(file), "round %d", round)
		}
		require.Equal(t, len(ids) == 2, w.stored(photo))
	}
}
