package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/messaging/messages"
	"heartward/api/platform/testkit"
)

// sendPicture sends a message with a picture and returns its conversation, its seq and the
// URL of the picture.
func (s *env) sendPicture(from, to *person) (conversation uuid.UUID, seq int64, url string) {
	s.Helper()
	picture := s.sendFile(from.cookie, string(tinyPicture(s)), "image", 1<<20)
	response := s.json(from.cookie, http.MethodPost, "/api/messages", map[string]any{
		"recipientId": to.id, "content": "", "messageType": "image", "clientId": uuid.Must(uuid.NewV7()), "fileIds": []uuid.UUID{picture.ID},
	})
	require.Equal(s, http.StatusCreated, response.status, response.body)
	var message messages.Message
	require.NoError(s, json.Unmarshal([]byte(response.body), &message))
	return message.ConversationID, message.Seq, picture.URL
}

// A browser that stored a file cannot use it after the access has ended: the server checks
// the access before it answers that the file is unchanged.
func TestFiles_StoredCopyIsRefusedAfterAccessEnded(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben, cem := s.person("Annabella"), s.person("Benquist"), s.person("Cemalettin")
	s.like(ann, ben)
	s.like(ben, ann)
	photo := "/files/" + ann.ids[1] + "/thumb.webp"
	require.Equal(t, "private, no-cache", s.send(cem.cookie, http.MethodGet, photo, "", "").header.Get("Cache-Control"))
	etag := s.send(cem.cookie, http.MethodGet, photo, "", "").header.Get("ETag")
	require.NotEmpty(t, etag)
	again := func(cookie, url string) httpResponse {
		return s.sendWith(cookie, http.MethodGet, url, "", "If-None-Match", etag)
	}
	for _, cookie := range []string{ann.cookie, ben.cookie, cem.cookie} {
		got := again(cookie, photo)
		require.Equal(t, []any{304, "", "private, no-cache", etag},
			[]any{got.status, got.body, got.header.Get("Cache-Control"), got.header.Get("ETag")})
	}
	require.Equal(t, http.StatusUnauthorized, again("", photo).status)
	refused := func(why, cookie, url string) {
		t.Helper()
		got := again(cookie, url)
		require.Equal(t, []any{404, "no-store"}, []any{got.status, got.header.Get("Cache-Control")}, why)
	}

	conversation, seq, takenBack := s.sendPicture(ann, ben)
	_, _, kept := s.sendPicture(ann, ben)
	for _, url := range []string{takenBack, kept} {
		got := again(ben.cookie, url)
		require.Equal(t, []any{304, "no-store", etag}, []any{got.status, got.header.Get("Cache-Control"), got.header.Get("ETag")})
	}
	path := fmt.Sprintf("/api/conversations/%s/messages/%d", conversation, seq)
	require.Less(t, s.send(ann.cookie, http.MethodDelete, path, "application/json", "").status, 300)
	refused("taken back", ben.cookie, takenBack)

	require.Equal(t, http.StatusNoContent, s.json(ann.cookie, http.MethodPost, "/api/blocks", map[string]any{"userId": cem.id}).status)
	refused("blocked", cem.cookie, photo)
	match := testkit.Select[string](t, s.Pool, `SELECT match_id FROM conversations WHERE id = $1`, conversation)
	require.Equal(t, http.StatusNoContent, s.send(ann.cookie, http.MethodDelete, "/api/matches/"+match, "application/json", "").status)
	refused("unmatched", ben.cookie, kept)
	require.Equal(t, http.StatusNoContent, s.send(ann.cookie, http.MethodDelete, "/api/users/me/photos/"+ann.ids[1], "application/json", "").status)
	refused("deleted", ben.cookie, photo)
	refused("deleted", ann.cookie, photo)
}

// A range of another version of a file is the whole file (RFC 9110, 13.1.5).
func TestFiles_IfRange(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	url := s.addPhoto(s.viewer).URL
	etag := s.send(s.viewer, http.MethodGet, url, "", "").header.Get("ETag")
	for ifRange, status := range map[string]int{etag: 206, `"0"`: 200, "Mon, 23 Nov 2026 10:00:00 GMT": 200} {
		request := s.newRequest(s.viewer, http.MethodGet, url, "", "")
		request.Header.Set("Range", "bytes=0-9")
		request.Header.Set("If-Range", ifRange)
		require.Equal(t, status, s.do(request).status, ifRange)
	}
}

// HEAD returns the headers of GET without a body (RFC 9110, 9.3.2), for files and for operations.
func TestHead_ReturnsTheHeadersOfGet(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	photo := s.addPhoto(s.viewer).URL
	for path, status := range map[string]int{photo: 200, "/api/users/me": 200, "/api/matches": 200, "/files/" + uuid.NewString(): 404, "/api/nothing": 404} {
		get, head := s.send(s.viewer, http.MethodGet, path, "", ""), s.send(s.viewer, http.MethodHead, path, "", "")
		require.Equal(t, []int{status, status}, []int{get.status, head.status}, path)
		require.Empty(t, head.body, path)
		for _, name := range []string{"Content-Type", "Cache-Control", "ETag", "Content-Security-Policy"} {
			require.Equal(t, get.header.Get(name), head.header.Get(name), "%s of %s", name, path)
		}
	}
	require.Equal(t, s.send(s.viewer, http.MethodGet, photo, "", "").header.Get("Content-Length"),
		s.send(s.viewer, http.MethodHead, photo, "", "").header.Get("Content-Length"))
	require.Equal(t, http.StatusUnauthorized, s.send("", http.MethodHead, photo, "", "").status)
}
