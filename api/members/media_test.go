package members_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/png"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/web"
)

func recorded(t testing.TB, name string) []byte {
	raw, err := os.ReadFile("../platform/recordings/testdata/" + name)
	require.NoError(t, err)
	return raw
}

func (w *env) me(id uuid.UUID) members.Me {
	w.Helper()
	me, err := w.Me(context.Background(), id)
	require.NoError(w, err)
	return me
}

const (
	audioGreeting = "/api/users/me/audio-greeting"
	videoGreeting = "/api/users/me/video-greeting"
	galleryVideos = "/api/users/me/gallery-videos"
	gallery       = "/api/users/me/gallery"
	headerBanner  = "/api/users/me/header-banner"
)

func TestSetAudioGreeting_StoresAndReplaces(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	voice := recorded(t, "voice.webm")
	resp := w.add(ada, "PUT", audioGreeting, map[string]any{"uploadId": voice, "durationMs": 1200, "waveform": []int{0, 50, 100}})
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	first := decode[members.Recording](t, resp)
	require.Equal(t, members.Recording{
		ID: first.ID, URL: "/files/" + first.ID.String() + "/media", MimeType: "audio/webm", DurationMs: 1200, Waveform: []int{0, 50, 100},
	}, first)
	require.Equal(t, first, *w.me(ada).AudioGreeting)
	require.Equal(t, first, *decode[members.PublicMember](t, w.call(bob, "GET", "/api/users/"+ada.String(), "")).AudioGreeting)
	file := w.call(bob, "GET", first.URL, "")
	require.Equal(t, "audio/webm", file.Header().Get("Content-Type"))
	require.Len(t, file.Body.Bytes(), len(voice))

	replacement := w.add(ada, "PUT", audioGreeting, map[string]any{"uploadId": recorded(t, "voice.mp4")})
	require.Equal(t, 200, replacement.Code, "%s", replacement.Body)
	second := decode[members.Recording](t, replacement)
	require.Equal(t, "audio/mp4", second.MimeType)
	require.InDelta(t, 1160, second.DurationMs, 10, "measured")
	require.Equal(t, 404, w.call(ada, "GET", first.URL, "").Code)
	require.Equal(t, 1, w.countFiles(), "the replaced file is deleted")
	require.Equal(t, 1, w.countRows("files"))
	require.Equal(t, 404, w.call(bob, "DELETE", "/api/users/me/media/"+second.ID.String(), "").Code, "another's")
	require.Equal(t, 204, w.call(ada, "DELETE", "/api/users/me/media/"+second.ID.String(), "").Code)
	require.Equal(t, 0, w.countFiles())
	require.Nil(t, w.me(ada).AudioGreeting)
	w.removeDue() // the parts of the uploads
	require.Equal(t, 0, w.countRows("blob_removals"))
}

func TestSetVideoGreeting_HasPoster(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	resp := w.add(ada, "PUT", videoGreeting, map[string]any{"uploadId": recorded(t, "video.mp4"), "posterUploadId": picture(t), "durationMs": 3_000_000})
	require.Equal(t, 200, resp.Code, "%s", resp.Body)
	video := decode[members.Recording](t, resp)
	require.Equal(t, "video/mp4", video.MimeType)
	require.InDelta(t, 1160, video.DurationMs, 10, "the declared duration may exceed the measured one by a second")
	require.Equal(t, "/files/"+video.ID.String()+"/poster.webp", *video.PosterURL)
	require.True(t, strings.HasPrefix(video.Placeholder, "data:image/webp;base64,"))
	require.Equal(t, video, *w.me(ada).VideoGreeting)
	require.Equal(t, "image/webp", w.call(ada, "GET", *video.PosterURL, "").Header().Get("Content-Type"))
	require.Equal(t, 404, w.call(ada, "GET", "/files/"+video.ID.String()+"/full.webp", "").Code)
	require.Equal(t, 2, w.countFiles())
}

func TestGallery_LimitsAndBanner(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	wide := func(width, height int) []byte {
		var out bytes.Buffer
		require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))))
		return out.Bytes()
	}
	for range 12 {
		require.Equal(t, 201, w.add(ada, "POST", gallery, map[string]any{"uploadId": picture(t)}).Code)
	}
	require.Equal(t, 409, w.add(ada, "POST", gallery, map[string]any{"uploadId": picture(t)}).Code)
	for range 4 {
		require.Equal(t, 201, w.add(ada, "POST", galleryVideos, map[string]any{"uploadId": recorded(t, "silent.webm")}).Code)
	}
	require.Equal(t, 409, w.add(ada, "POST", galleryVideos, map[string]any{"uploadId": recorded(t, "silent.webm")}).Code)
	for _, size := range [][2]int{{3200, 400}, {900, 300}} {
		resp := w.add(ada, "PUT", headerBanner, map[string]any{"uploadId": wide(size[0], size[1])})
		require.Equal(t, 200, resp.Code, "%s", resp.Body)
		banner := decode[members.Photo](t, resp)
		require.Equal(t, min(1600, size[0]), banner.Width)
		require.Equal(t, banner, *w.me(ada).HeaderBannerImage)
	}
	me := w.me(ada)
	require.Len(t, me.GalleryImages, 12)
	require.Len(t, me.GalleryVideos, 4)
	require.Empty(t, me.Photos)
	require.Equal(t, 12*2+4+2, w.countFiles(), "refused and replaced files are deleted")

	require.Equal(t, 204, w.call(ada, "DELETE", "/api/users/me/media/"+me.GalleryImages[0].ID.String(), "").Code)
	require.Equal(t, me.GalleryImages[1:], w.me(ada).GalleryImages)
	require.Equal(t, 201, w.add(ada, "POST", gallery, map[string]any{"uploadId": picture(t)}).Code, "a place is free again")
	require.Equal(t, 404, w.call(ada, "DELETE", "/api/users/me/photos/"+me.GalleryImages[1].ID.String(), "").Code, "no photo")
}

func TestRecordings_RefuseInvalidUploads(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	voice, video := recorded(t, "voice.webm"), recorded(t, "video.webm")
	for name, c := range map[string]struct {
		path  string
		parts map[string]any
		field string
	}{
		"empty":              {audioGreeting, map[string]any{"uploadId": []byte{}}, "header.Upload-Length"},
		"a page":             {audioGreeting, map[string]any{"uploadId": []byte("<html><script>alert(1)</script>")}, "uploadId"},
		"svg":                {videoGreeting, map[string]any{"uploadId": []byte("<svg xmlns='http://www.w3.org/2000/svg' onload='x'/>")}, "uploadId"},
		"a picture":          {videoGreeting, map[string]any{"uploadId": picture(t)}, "uploadId"},
		"cut":                {audioGreeting, map[string]any{"uploadId": voice[:len(voice)/2]}, "uploadId"},
		"a page appended":    {videoGreeting, map[string]any{"uploadId": append(bytes.Clone(video), "<html>"...)}, "uploadId"},
		"a video for voice":  {audioGreeting, map[string]any{"uploadId": video}, "uploadId"},
		"a voice for video":  {galleryVideos, map[string]any{"uploadId": voice}, "uploadId"},
		"no picture":         {videoGreeting, map[string]any{"uploadId": video, "posterUploadId": []byte("<svg/>")}, "posterUploadId"},
		"a loud waveform":    {audioGreeting, map[string]any{"uploadId": voice, "waveform": []int{1, 101}}, "waveform"},
		"a long waveform":    {audioGreeting, map[string]any{"uploadId": voice, "waveform": make([]int, 65)}, "waveform"},
		"a waveform of text": {videoGreeting, map[string]any{"uploadId": video, "waveform": "a,b"}, "waveform"},
		"a GIF as banner":    {headerBanner, map[string]any{"uploadId": []byte("GIF89a")}, "uploadId"},
	} {
		method := "PUT"
		if c.path == galleryVideos {
			method = "POST"
		}
		resp := w.add(ada, method, c.path, c.parts)
		require.Equal(t, 422, resp.Code, "%s: %s", name, resp.Body)
		location := "body." + c.field
		if strings.Contains(c.field, ".") {
			location = c.field
		}
		require.Equal(t, location, decode[web.Problem](t, resp).Errors[0].Location, name)
	}
	for name, parts := range map[string]map[string]any{
		"no recording": {"photo": voice}, "a text": {"uploadId": "hello"}, "a duration of text": {"uploadId": voice, "durationMs": "long"},
		"a negative one": {"uploadId": voice, "durationMs": -1},
	} {
		resp := w.add(ada, "PUT", audioGreeting, parts)
		require.Equal(t, 422, resp.Code, "%s: %s", name, resp.Body)
		require.NotEmpty(t, decode[web.Problem](t, resp).Errors, name)
	}
	large := append(bytes.Clone(voice), make([]byte, 25<<20)...)
	require.Equal(t, 413, w.add(ada, "PUT", audioGreeting, map[string]any{"uploadId": large}).Code)
	require.Equal(t, 0, w.countFiles())
	require.Equal(t, 0, w.countRows("files"))
}

// long returns a WebM whose last frame is at the given time.
func long(t *testing.T, name string, seconds int) []byte {
	cluster := binary.BigEndian.AppendUint32([]byte("\x1f\x43\xb6\x75\x8d\xe7\x84"), uint32(seconds*1000))
	return append(append(recorded(t, name), cluster...), "\xa3\x85\x81\x00\x00\x80x"...)
}

func TestRecordings_RefuseLongOnes(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada := w.join("Ada")
	first := decode[members.Recording](t, w.add(ada, "PUT", videoGreeting, map[string]any{"uploadId": long(t, "video.webm", 30)}))
	require.Equal(t, 30_000, first.DurationMs)
	resp := w.add(ada, "PUT", videoGreeting, map[string]any{"uploadId": long(t, "video.webm", 32), "durationMs": 1000})
	require.Equal(t, 422, resp.Code, "%s", resp.Body)
	require.Contains(t, resp.Body.String(), "longer than 30 seconds")
	require.Equal(t, first, *w.me(ada).VideoGreeting, "the previous recording is not replaced")
}

func TestUploads_LimitBytesPerMember(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	w.Exec(`INSERT INTO files (id, owner_id, content_type, bytes) VALUES ($1, $2, 'video/mp4', 500 << 20)`, uuid.New(), ada)
	resp := w.add(ada, "PUT", audioGreeting, map[string]any{"uploadId": recorded(t, "voice.webm")})
	require.Equal(t, 409, resp.Code, "%s", resp.Body)
	require.Contains(t, resp.Body.String(), "500 MB")
	require.Equal(t, 0, w.countFiles())
	require.Equal(t, 200, w.add(bob, "PUT", audioGreeting, map[string]any{"uploadId": recorded(t, "voice.webm")}).Code)
}

func TestSetCaption_ChangesOwnMedia(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	photo := decode[members.Photo](t, w.upload(ada, "uploadId", picture(t)))
	voice := decode[members.Recording](t, w.add(ada, "PUT", audioGreeting, map[string]any{"uploadId": recorded(t, "voice.webm")}))
	caption := func(actor, id uuid.UUID, text string) *httptest.ResponseRecorder {
		return w.call(actor, "PATCH", "/api/users/me/media/"+id.String(), `{"caption":"`+text+`"}`)
	}
	require.Equal(t, 200, caption(ada, photo.ID, " At the lake ").Code)
	me := decode[members.Me](t, caption(ada, voice.ID, "Good morning"))
	require.Equal(t, "At the lake", me.Photos[0].Caption)
	require.Equal(t, "Good morning", me.AudioGreeting.Caption)
	require.Equal(t, 200, caption(ada, photo.ID, "").Code)
	require.Equal(t, 404, caption(bob, photo.ID, "mine").Code)
	require.Equal(t, 404, caption(ada, uuid.New(), "nothing").Code)
	require.Equal(t, 422, caption(ada, photo.ID, strings.Repeat("x", 201)).Code)
	require.Empty(t, w.me(ada).Photos[0].Caption)
}

func TestOpenFile_ReadsToEndDuringDeletion(t *testing.T) {
	t.Parallel()
	w, ctx := newEnv(t), context.Background()
	ada := w.join("Ada")
	raw := recorded(t, "voice.webm")
	voice := decode[members.Recording](t, w.add(ada, "PUT", audioGreeting, map[string]any{"uploadId": raw}))
	file, err := w.OpenFile(ctx, web.Actor{ID: ada}, voice.ID, "media", blobs.Conditions{})
	require.NoError(t, err)
	content, err := file.Range(ctx, 0, -1)
	require.NoError(t, err)
	defer content.Close()
	first := make([]byte, 10)
	_, err = io.ReadFull(content, first)
	require.NoError(t, err)
	require.NoError(t, w.DeleteMedia(ctx, ada, voice.ID))
	rest, err := io.ReadAll(content)
	require.NoError(t, err)
	require.Len(t, rest, len(raw)-10)
	require.Equal(t, 404, w.call(ada, "GET", voice.URL, "").Code)
	require.Equal(t, 0, w.countFiles())
}

// The recordings of a profile can be read by members who may see the profile.
func TestOpenFile_RecordingsRequireVisibleOwner(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	url := decode[members.Recording](t, w.add(ada, "PUT", audioGreeting, map[string]any{"uploadId": recorded(t, "voice.webm")})).URL
	requireStatus := func(want int, why string) {
		t.Helper()
		require.Equal(t, want, w.call(bob, "GET", url, "").Code, why)
		require.Equal(t, 200, w.call(ada, "GET", url, "").Code, "the owner")
	}
	requireStatus(200, "shown to everyone")
	w.Exec(`UPDATE users SET paused_at = now() WHERE id = $1`, ada)
	requireStatus(404, "paused")
	w.Exec(`UPDATE users SET paused_at = NULL, incognito = true WHERE id = $1`, ada)
	requireStatus(404, "incognito")
	w.Exec(`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES ($1, $2, $3, 'like')`, uuid.New(), ada, bob)
	requireStatus(200, "liked by the incognito member")
	w.Exec(`DELETE FROM user_likes`)
	setConversation := func(set string) {
		t.Helper()
		w.Exec(`INSERT INTO conversations AS c (id, user_a, user_b) VALUES ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid))
			ON CONFLICT (user_a, user_b) DO UPDATE SET requested_by = NULL, declined_at = NULL, closed_at = NULL`, uuid.New(), ada, bob)
		w.Exec(`UPDATE conversations SET `+set+` WHERE $1::uuid <> $2::uuid`, ada, bob)
	}
	setConversation(`requested_by = $1`)
	requireStatus(200, "a request to the viewer")
	setConversation(`requested_by = $1, declined_at = now()`)
	requireStatus(404, "a declined request")
	setConversation(`requested_by = $2`)
	requireStatus(404, "a request by the viewer")
	setConversation(`closed_at = now()`)
	requireStatus(404, "a closed conversation")
	setConversation(`closed_at = NULL`)
	w.Exec(`UPDATE users SET paused_at = now(), is_graduated = true WHERE id = $1`, ada)
	requireStatus(200, "an open conversation")
	w.Exec(`INSERT INTO blocks (blocker_id, blocked_id) VALUES ($1, $2)`, bob, ada)
	requireStatus(404, "blocked")
}
