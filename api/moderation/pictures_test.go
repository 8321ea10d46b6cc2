package moderation_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/media"
	"heartward/api/moderation"
	"heartward/api/platform/blobs"
	"heartward/api/platform/web"
)

const explicitResponse = `{"results":[{"flagged":true,"categories":{"sexual":true},"category_scores":{"sexual":0.97}}]}`

// pictureEndpoint starts an endpoint that gives a picture with the content the response of
// that name, and any other input a clean one. It returns the endpoint and the pictures that it
// received.
func pictureEndpoint(t *testing.T, responses map[string]string) (moderation.Endpoint, chan string) {
	t.Helper()
	received := make(chan string, 20)
	url := endpoint(t, func(out http.ResponseWriter, in *http.Request) {
		var body struct {
			Input []struct {
				Type     string `json:"type"`
				ImageURL struct {
					URL string `json:"url"`
				} `json:"image_url"`
			} `json:"input"`
		}
		if json.NewDecoder(in.Body).Decode(&body) != nil || len(body.Input) == 0 { // a text
			_, _ = out.Write([]byte(cleanResponse))
			return
		}
		encoded, isPicture := strings.CutPrefix(body.Input[0].ImageURL.URL, "data:image/webp;base64,")
		picture, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil || !isPicture || body.Input[0].Type != "image_url" || len(body.Input) != 1 {
			out.WriteHeader(http.StatusBadRequest)
			return
		}
		received <- string(picture)
		response, ok := responses[string(picture)]
		if !ok {
			response = cleanResponse
		}
		_, _ = out.Write([]byte(response))
	})
	return moderation.Endpoint{URL: url, Model: "m", Pictures: true}, received
}

// putVariant stores a variant of a file.
func (w *env) putVariant(file uuid.UUID, variant, content string) {
	w.Helper()
	require.NoError(w, w.files.Put(context.Background(), blobs.Key(file, variant), "image/webp", bytes.NewReader([]byte(content))))
}

// addPicture adds a picture with a thumbnail to the member's profile.
func (w *env) addPicture(of web.Actor, slot, content string) uuid.UUID {
	w.Helper()
	file := w.addFile(of, slot)
	w.putVariant(file, "thumb.webp", content)
	return file
}

// A finding below the block score is reported, and the profile stays visible.
func TestReviewPicture_ReportsMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob, admin := w.Member("Ann Moss"), w.Member("Bob Moss"), w.Admin("Admin Moss")
	e, received := pictureEndpoint(t, map[string]string{"odd": flaggedResponse})
	external, ctx := w.external(e), context.Background()
	harmless, odd := w.addPicture(bob, "photo", "calm"), w.addPicture(bob, "photo", "odd")
	require.NoError(t, external.ReviewPicture(ctx, harmless))
	require.Equal(t, "calm", <-received)
	require.Zero(t, w.Count(`SELECT count(*) FROM reports`))

	require.NoError(t, external.ReviewPicture(ctx, odd))
	require.NoError(t, external.ReviewPicture(ctx, odd), "a repeated job changes nothing")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE reported_user_id = $1 AND reporter_id IS NULL AND source = 'pictures'
		AND reason = 'inappropriate' AND priority = 2 AND NOT hides_profile AND description = 'Photo 2: violence or harassment, 83%'`, bob.ID))
	require.Equal(t, 2, w.Count(`SELECT count(*) FROM evidence_files WHERE slot = 'photo'`), "with the files of the profile")
	require.Equal(t, "active", w.status(bob))
	require.NotEmpty(t, w.visibleOn(ann, bob))
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind IN ('report_alert', 'sanction')`))

	queue, _, err := w.s.Reports(ctx, admin.ID, "pending", "", "", 50)
	require.NoError(t, err)
	require.Len(t, queue, 1)
	require.Equal(t, "pictures", queue[0].Source)
	require.Nil(t, queue[0].Reporter)
	opened, err := w.s.OpenReport(ctx, admin.ID, queue[0].ID, "the queue")
	require.NoError(t, err)
	require.Equal(t, "Photo 2: violence or harassment, 83%", opened.Description)
	require.Len(t, opened.Files, 2)
	require.NoError(t, w.s.DecideReport(ctx, admin.ID, queue[0].ID, moderation.Decision{Action: moderation.NoAction, Reason: "a costume"}))
	require.Equal(t, "active", w.status(bob))
}

// A verdict that blocks hides the profile at once and mails the member; an admin's decision
// shows it again. Two pictures make one report.
func TestReviewPicture_BlockHidesProfile(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var changed []uuid.UUID
	w.s.WatchStatus(func(_ context.Context, id uuid.UUID) { changed = append(changed, id) })
	ann, bob, admin := w.Member("Ann Moss"), w.Member("Bob Moss"), w.Admin("Admin Moss")
	minors := `{"results":[{"flagged":true,"categories":{"sexual/minors":true},"category_scores":{"sexual/minors":0.4}}]}`
	e, _ := pictureEndpoint(t, map[string]string{"odd": flaggedResponse, "explicit": explicitResponse, "child": minors})
	external, ctx := w.external(e), context.Background()
	require.NoError(t, external.ReviewPicture(ctx, w.addPicture(bob, "header_banner", "odd")))
	require.Equal(t, "active", w.status(bob))
	require.NoError(t, external.ReviewPicture(ctx, w.addPicture(bob, "gallery_image", "explicit")))
	require.NoError(t, external.ReviewPicture(ctx, w.addPicture(bob, "gallery_image", "child")))

	require.Equal(t, "under_review", w.status(bob))
	require.Empty(t, w.visibleOn(ann, bob))
	require.Equal(t, []uuid.UUID{bob.ID}, changed)
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE priority = 0 AND hides_profile
		AND description = E'Banner 1: violence or harassment, 83%\nGallery picture 1: sexual, 97%\nGallery picture 2: sexual, 40%'`))
	require.Equal(t, 3, w.Count(`SELECT count(*) FROM evidence_files`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'report_alert'`), "the admins are alerted once")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job j JOIN sanctions s ON s.id = (j.args->>'sanctionId')::uuid
		WHERE j.kind = 'sanction' AND s.kind = 'review' AND s.user_id = $1 AND s.decided_by IS NULL AND s.explanation LIKE 'Our automatic check%'`, bob.ID))

	queue, _, err := w.s.Reports(ctx, admin.ID, "pending", "", "", 50)
	require.NoError(t, err)
	require.NoError(t, w.s.DecideReport(ctx, admin.ID, queue[0].ID, moderation.Decision{Action: moderation.NoAction, Reason: "a painting"}))
	require.Equal(t, "active", w.status(bob))
	require.NotEmpty(t, w.visibleOn(ann, bob))
}

// A profile that an admin put under review stays so after the decision on the report.
func TestReviewPicture_LeavesReviewOfAdmin(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob, admin := w.Member("Bob Moss"), w.Admin("Admin Moss")
	w.Exec(`UPDATE users SET profile_status = 'under_review' WHERE id = $1`, bob.ID)
	e, _ := pictureEndpoint(t, map[string]string{"explicit": explicitResponse})
	require.NoError(t, w.external(e).ReviewPicture(context.Background(), w.addPicture(bob, "photo", "explicit")))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM reports WHERE priority = 0 AND NOT hides_profile`))
	queue, _, err := w.s.Reports(context.Background(), admin.ID, "pending", "", "", 50)
	require.NoError(t, err)
	require.NoError(t, w.s.DecideReport(context.Background(), admin.ID, queue[0].ID, moderation.Decision{Action: moderation.NoAction, Reason: "fine"}))
	require.Equal(t, "under_review", w.status(bob))
}

// A failing endpoint, a deleted picture, a video without a poster and an endpoint for texts
// only leave the member alone.
func TestReviewPicture_NothingFoundChangesNothing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob := w.Member("Bob Moss")
	ctx := context.Background()
	file := w.addPicture(bob, "photo", "explicit")
	for _, status := range []int{302, 400, 429, 500} {
		url := endpoint(t, func(out http.ResponseWriter, _ *http.Request) { out.WriteHeader(status) })
		require.Error(t, w.external(moderation.Endpoint{URL: url, Pictures: true}).ReviewPicture(ctx, file), status)
	}
	e, received := pictureEndpoint(t, map[string]string{"explicit": explicitResponse})
	textsOnly := e
	textsOnly.Pictures = false
	require.NoError(t, w.external(textsOnly).ReviewPicture(ctx, file))
	require.NoError(t, w.external(e).ReviewPicture(ctx, w.addFile(bob, "gallery_video")))
	w.Exec(`DELETE FROM files WHERE id = $1`, file)
	require.NoError(t, w.external(e).ReviewPicture(ctx, file))
	require.Empty(t, received)
	require.Zero(t, w.Count(`SELECT count(*) FROM reports`))
	require.Equal(t, "active", w.status(bob))
}

// A flagged picture or poster of a message is covered for its recipient and in the queue.
func TestReview_PicturesOfMessages(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	e, received := pictureEndpoint(t, map[string]string{"explicit": explicitResponse})
	external, ctx := w.external(e), context.Background()
	for _, c := range [][2]string{{"explicit", "thumb.webp"}, {"calm", "thumb.webp"}, {"explicit", "poster.webp"}} {
		content, variant := c[0], c[1]
		file, message := w.sendPicture(bob, ann, "")
		w.putVariant(file, variant, content)
		require.NoError(t, external.Review(ctx, message.ID))
		require.Equal(t, content, <-received)
		flags := 1
		if content == "calm" {
			flags = 0
		}
		require.Equal(t, flags, w.Count(`SELECT count(*) FROM message_flags WHERE message_id = $1 AND source = 'external' AND category = 'sexual_pressure' AND open`, message.ID), content)
		require.Equal(t, flags, w.Count(`SELECT count(*) FROM messages WHERE id = $1 AND flag = 'sexual_pressure'`, message.ID), content)
	}
	e.Pictures = false
	file, message := w.sendPicture(bob, ann, "a caption")
	w.putVariant(file, "thumb.webp", "explicit")
	require.NoError(t, w.external(e).Review(ctx, message.ID))
	require.Empty(t, received)
	require.Equal(t, "active", w.status(bob))
}

// If the endpoint does not respond, the recipient still gets the message with its picture, and the job runs again.
func TestReview_EndpointWithoutAnswerKeepsThePicture(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	file, message := w.sendPicture(bob, ann, "")
	w.putVariant(file, "thumb.webp", "calm")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	url := endpoint(t, func(_ http.ResponseWriter, in *http.Request) {
		_, _ = io.Copy(io.Discard, in.Body) // the server detects a closed connection only after the body was read
		cancel()
		<-in.Context().Done()
	})
	require.ErrorIs(t, w.external(moderation.Endpoint{URL: url, Model: "m", Pictures: true}).Review(ctx, message.ID), context.Canceled)
	require.Zero(t, w.Count(`SELECT count(*) FROM message_flags`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM messages m JOIN message_files f ON f.conversation_id = m.conversation_id AND f.seq = m.seq
		WHERE m.id = $1 AND m.flag IS NULL AND m.deleted_at IS NULL`, message.ID))
}

// Messages with pictures are reviewed only if pictures are sent to the endpoint.
func TestEnableReview_EnqueuesPictures(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ann, bob := w.Member("Ann Moss"), w.Member("Bob Moss")
	w.match(ann, bob)
	w.chat.Messages.EnableReview(false)
	w.sendPicture(bob, ann, "")
	require.Zero(t, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'review_message'`))
	w.chat.Messages.EnableReview(true)
	w.sendPicture(bob, ann, "")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'review_message' AND queue = $1`, media.ReviewQueue))
}

// A finding that hides the profile closes the member's sockets, as a report does. Somebody whose account is restricted signs in
// with the restriction.
func TestReviewPicture_BlockClosesSockets(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	bob := w.Member("Bob Moss")
	session := w.session(bob)
	e, _ := pictureEndpoint(t, map[string]string{"odd": flaggedResponse, "explicit": explicitResponse})
	external, ctx := w.external(e), context.Background()
	require.NoError(t, external.ReviewPicture(ctx, w.addPicture(bob, "header_banner", "odd")))
	require.NotContains(t, w.events.Subjects(), auth.SessionSubject(session), "the profile stays visible")
	require.NoError(t, external.ReviewPicture(ctx, w.addPicture(bob, "gallery_image", "explicit")))
	require.Contains(t, w.events.Subjects(), auth.SessionSubject(session))
	require.Equal(t, 1, w.endJobs(session))
}
