package api_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/messaging/messages"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

// tus sends a request with the headers of the tus protocol.
func (s *env) tus(cookie, method, path, body string, headers ...string) httpResponse {
	s.Helper()
	request := s.newRequest(cookie, method, path, media.PartType, body)
	request.Header.Del("Upload-Length")
	request.Header.Del("Upload-Offset")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	return s.do(request)
}

// createUpload creates an upload and returns its path.
func (s *env) createUpload(cookie string, length int) string {
	s.Helper()
	response := s.tus(cookie, http.MethodPost, "/api/uploads", "", "Upload-Length", fmt.Sprint(length))
	require.Equal(s, http.StatusCreated, response.status, response.body)
	require.Empty(s, response.body)
	return response.header.Get("Location")
}

// A video of the device is refused before its bytes are sent, because this server has no ffmpeg.
func TestUploads_SayAtOnceThatFFmpegIsMissing(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	response := s.tus(s.viewer, http.MethodPost, "/api/uploads?purpose=profile&chosen=true", "", "Upload-Length", "10")
	require.Equal(t, http.StatusUnprocessableEntity, response.status, response.body)
	require.Contains(t, response.body, `"query.chosen"`)
	require.Contains(t, response.body, "ffmpeg, a program that converts them, is missing on its server. Nothing was stored.")
}

// sendFile uploads content in parts of partSize bytes and makes a file from it.
func (s *env) sendFile(cookie, content, kind string, partSize int) media.Attachment {
	s.Helper()
	path := s.createUpload(cookie, len(content))
	for at := 0; at < len(content); at += partSize {
		end := min(at+partSize, len(content))
		got := s.tus(cookie, http.MethodPatch, path, content[at:end], "Upload-Offset", fmt.Sprint(at))
		require.Equal(s, []any{http.StatusNoContent, fmt.Sprint(end)}, []any{got.status, got.header.Get("Upload-Offset")}, got.body)
	}
	response := s.json(cookie, http.MethodPost, path+"/file", map[string]any{"kind": kind})
	require.Equal(s, http.StatusOK, response.status, response.body)
	var a media.Attachment
	require.NoError(s, json.Unmarshal([]byte(response.body), &a))
	return a
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile("platform/recordings/testdata/" + name)
	require.NoError(t, err)
	return string(raw)
}

// A video is uploaded in parts, sent with a message, and read by ranges by both
// members.
func TestUploads_VideoSentWithAMessage(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann, ben := s.person("Annabella"), s.person("Benquist")
	s.like(ann, ben)
	s.like(ben, ann)
	raw := fixture(t, "video.webm")
	video := s.sendFile(ann.cookie, raw, "video", 1000)
	require.Equal(t, http.StatusNotFound, s.send(ben.cookie, http.MethodGet, video.URL, "", "").status, "unsent")
	response := s.json(ann.cookie, http.MethodPost, "/api/messages", map[string]any{
		"recipientId": ben.id, "content": "", "messageType": "video", "clientId": uuid.Must(uuid.NewV7()), "fileIds": []uuid.UUID{video.ID},
	})
	require.Equal(t, http.StatusCreated, response.status, response.body)
	var message messages.Message
	require.NoError(t, json.Unmarshal([]byte(response.body), &message))
	require.Equal(t, []media.Attachment{video}, message.Attachments)
	for _, cookie := range []string{ann.cookie, ben.cookie} {
		got := s.sendWith(cookie, http.MethodGet, video.URL, "", "Range", "bytes=5-9")
		require.Equal(t, []any{206, raw[5:10], "video/webm"}, []any{got.status, got.body, got.contentType})
		require.Equal(t, http.StatusNotFound, s.send(cookie, http.MethodGet, video.URL+".mp4", "", "").status, "there is no MP4 copy yet")
	}
	require.Equal(t, http.StatusNotFound, s.send(s.viewer, http.MethodGet, video.URL, "", "").status)
	require.Equal(t, http.StatusUnauthorized, s.send("", http.MethodGet, video.URL, "", "").status)
	require.Equal(t, http.StatusNoContent, s.json(ann.cookie, http.MethodPost, "/api/blocks", map[string]any{"userId": ben.id}).status)
	for _, cookie := range []string{ann.cookie, ben.cookie} {
		require.Equal(t, http.StatusNotFound, s.send(cookie, http.MethodGet, video.URL, "", "").status, "the match has ended")
	}
}

// Headers and statuses as tus-js-client and other clients expect them.
func TestUploads_FollowTheTusProtocol(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	path := s.createUpload(s.viewer, 10)
	require.Regexp(t, "^/api/uploads/[0-9a-f-]{36}$", path)
	head := s.tus(s.viewer, http.MethodHead, path, "")
	require.Equal(t, []any{200, "0", "10", "1.0.0", "no-store"}, []any{head.status, head.header.Get("Upload-Offset"),
		head.header.Get("Upload-Length"), head.header.Get("Tus-Resumable"), head.header.Get("Cache-Control")})
	expires, err := http.ParseTime(head.header.Get("Upload-Expires"))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(media.Lifetime), expires, time.Minute)

	stranger := s.signUp("stranger")
	for name, c := range map[string]struct {
		cookie, method, path, body string
		headers                    []string
		status                     int
	}{
		"another version":            {s.viewer, "PATCH", path, "01", []string{"Upload-Offset", "0", "Tus-Resumable", "0.2.2"}, 412},
		"no version":                 {s.viewer, "POST", "/api/uploads", "", []string{"Upload-Length", "10", "Tus-Resumable", ""}, 412},
		"signed out":                 {"", "PATCH", path, "01", []string{"Upload-Offset", "0"}, 401},
		"X-Member of another member": {s.viewer, "PATCH", path, "01", []string{"Upload-Offset", "0", "X-Member", uuid.NewString()}, 401},
		"PATCH of a stranger":        {stranger, "PATCH", path, "01", []string{"Upload-Offset", "0"}, 404},
		"HEAD of a stranger":         {stranger, "HEAD", path, "", nil, 404},
		"DELETE of a stranger":       {stranger, "DELETE", path, "", nil, 404},
		"wrong content type":         {s.viewer, "PATCH", path, "01", []string{"Upload-Offset", "0", "Content-Type", "application/octet-stream"}, 415},
		"wrong offset":               {s.viewer, "PATCH", path, "01", []string{"Upload-Offset", "2"}, 409},
		"no offset":                  {s.viewer, "PATCH", path, "01", nil, 422},
		"offset is not a number":     {s.viewer, "PATCH", path, "01", []string{"Upload-Offset", "x"}, 422},
		"negative offset":            {s.viewer, "PATCH", path, "01", []string{"Upload-Offset", "-1"}, 422},
		"longer than the upload":     {s.viewer, "PATCH", path, strings.Repeat("x", 11), []string{"Upload-Offset", "0"}, 413},
		"longer than any upload":     {s.viewer, "PATCH", path, strings.Repeat("x", 26<<20), []string{"Upload-Offset", "0"}, 413},
		"length zero":                {s.viewer, "POST", "/api/uploads", "", []string{"Upload-Length", "0"}, 422},
		"no length":                  {s.viewer, "POST", "/api/uploads", "", nil, 422},
		"an id with a time":          {s.viewer, "POST", "/api/uploads", "", []string{"Upload-Length", "10", "Upload-Id", uuid.Must(uuid.NewV7()).String()}, 422},
		"an id that is none":         {s.viewer, "POST", "/api/uploads", "", []string{"Upload-Length", "10", "Upload-Id", "x"}, 422},
		"the id of a stranger":       {stranger, "POST", "/api/uploads", "", []string{"Upload-Length", "10", "Upload-Id", strings.TrimPrefix(path, "/api/uploads/")}, 409},
		"26 MiB":                     {s.viewer, "POST", "/api/uploads", "", []string{"Upload-Length", fmt.Sprint(26 << 20)}, 413},
		"length of 40 digits":        {s.viewer, "POST", "/api/uploads", "", []string{"Upload-Length", strings.Repeat("9", 40)}, 422},
		"request of another site":    {s.viewer, "DELETE", path, "", []string{"Origin", "https://evil.example"}, 403},
	} {
		got := s.tus(c.cookie, c.method, c.path, c.body, c.headers...)
		require.Equal(t, c.status, got.status, "%s: %s", name, got.body)
		require.Equal(t, "application/problem+json", got.contentType, name)
		if c.status == 412 {
			require.Equal(t, "1.0.0", got.header.Get("Tus-Version"), name)
		}
	}
	require.Equal(t, "0", s.tus(s.viewer, http.MethodHead, path, "").header.Get("Upload-Offset"), "refused parts are not stored")
	again := s.tus(s.viewer, http.MethodPost, "/api/uploads", "", "Upload-Length", "10", "Upload-Id", strings.TrimPrefix(path, "/api/uploads/"))
	require.Equal(t, http.StatusCreated, again.status, again.body)
	require.Equal(t, path, again.header.Get("Location"), "a repetition returns the same upload")
	incomplete := s.json(s.viewer, http.MethodPost, path+"/file", map[string]any{"kind": "image"})
	require.Equal(t, http.StatusUnprocessableEntity, incomplete.status)
	require.Contains(t, incomplete.body, `"path.id"`)
	require.Equal(t, http.StatusNoContent, s.tus(s.viewer, http.MethodDelete, path, "").status)
	require.Equal(t, http.StatusNotFound, s.tus(s.viewer, http.MethodHead, path, "").status)
}

// The bytes received before a connection broke are stored.
func TestUploads_BrokenConnectionKeepsReceivedBytes(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	content := fixture(t, "voice.webm")
	path := s.createUpload(s.viewer, len(content))
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
	require.NoError(t, err)
	_, err = fmt.Fprintf(conn, "PATCH %s HTTP/1.1\r\nHost: heartward.test\r\nCookie: %s\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"+
		"Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s", path, s.viewer, media.PartType, len(content), content[:700])
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	_, _ = http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, conn.Close())
	require.Eventually(t, func() bool {
		return s.tus(s.viewer, http.MethodHead, path, "").header.Get("Upload-Offset") == "700"
	}, testkit.Timeout, 5*time.Millisecond)
	got := s.tus(s.viewer, http.MethodPatch, path, content[700:], "Upload-Offset", "700")
	require.Equal(t, http.StatusNoContent, got.status, got.body)
	require.Equal(t, http.StatusOK, s.json(s.viewer, http.MethodPost, path+"/file", map[string]any{"kind": "audio", "durationMs": 1000}).status)
}

// Cuts the connection to PostgreSQL at each step of an upload. No acknowledged part is
// lost, and no response is a 500.
func TestUploads_WithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	proxy, pool := newFlakyProxy(t)
	s := newEnvAt(t, "http://heartward.test", pool)
	content := fixture(t, "voice.webm")
	for step := range 40 {
		path := s.createUpload(s.viewer, len(content))
		proxy.cutAfter(1+step/2, step%2 == 1)
		part := s.tus(s.viewer, http.MethodPatch, path, content, "Upload-Offset", "0")
		file := s.json(s.viewer, http.MethodPost, path+"/file", map[string]any{"kind": "audio"})
		proxy.heal(t, pool)
		for _, got := range []httpResponse{part, file} {
			require.NotEqual(t, http.StatusInternalServerError, got.status, got.body)
		}
		offset := s.tus(s.viewer, http.MethodHead, path, "").header.Get("Upload-Offset")
		if part.status == http.StatusNoContent {
			require.Equal(t, fmt.Sprint(len(content)), offset, "step %d", step)
		}
		if offset == "0" {
			again := s.tus(s.viewer, http.MethodPatch, path, content, "Upload-Offset", "0")
			require.Equal(t, http.StatusNoContent, again.status, again.body)
		}
		// An interrupted request may have claimed the upload.
		testkit.Exec(t, pool, `UPDATE uploads SET finishing_until = now() - interval '1 second' WHERE finishing IS NOT NULL`)
		response := s.json(s.viewer, http.MethodPost, path+"/file", map[string]any{"kind": "audio"})
		require.Equal(t, http.StatusOK, response.status, response.body)
		var a media.Attachment
		require.NoError(t, json.Unmarshal([]byte(response.body), &a))
		require.Len(t, s.send(s.viewer, http.MethodGet, a.URL, "", "").body, len(content))
		require.Equal(t, http.StatusNoContent, s.tus(s.viewer, http.MethodDelete, path, "").status)
	}
}

func TestUploads_LargeFilesTakeLittleMemory(t *testing.T) {
	t.Parallel()
	if !runInOwnProcess(t) {
		return
	}
	s := newEnv(t)
	s.Exec(`DELETE FROM rate_limits`)
	senders := []string{s.viewer}
	for i := range 5 {
		senders = append(senders, s.signUp(fmt.Sprintf("sender%d", i)))
	}
	growth := measurePeak(t)
	var group sync.WaitGroup
	for _, cookie := range senders { // 25 MB each, concurrently
		group.Go(func() {
			path := s.createUpload(cookie, media.MaxUpload)
			request := s.newRequest(cookie, http.MethodPatch, path, media.PartType, "")
			request.Body, request.ContentLength = io.NopCloser(io.LimitReader(endlessBody{}, media.MaxUpload)), media.MaxUpload
			if got := s.do(request); got.status != http.StatusNoContent {
				t.Errorf("%d %s", got.status, got.body)
			}
			for _, kind := range []string{"image", "audio", "video"} {
				got := s.json(cookie, http.MethodPost, path+"/file", map[string]any{"kind": kind})
				if got.status != http.StatusUnprocessableEntity && got.status != http.StatusRequestEntityTooLarge {
					t.Errorf("%s: %d %s", kind, got.status, got.body)
				}
			}
		})
	}
	group.Wait()
	require.LessOrEqual(t, growth(), int64(maxGrowth))
	t.Logf("memory grew by %d MB", growth()>>20)
	require.Zero(t, s.Count(`SELECT count(*) FROM files`))

	// A file of 25 MB is streamed.
	var owner uuid.UUID
	id := uuid.Must(uuid.NewV7())
	require.NoError(t, s.Pool.QueryRow(t.Context(), `SELECT owner_id FROM uploads LIMIT 1`).Scan(&owner))
	require.NoError(t, s.store.Put(t.Context(), id.String()+"/media", "video/webm", io.LimitReader(endlessBody{}, media.MaxUpload)))
	s.Exec(`INSERT INTO files (id, owner_id, content_type, bytes, duration_ms) VALUES ($1, $2, 'video/webm', 26214400, 1)`, id, owner)
	s.Exec(`INSERT INTO uploads (id, owner_id, length, received, expires_at) VALUES ($1, $2, 1, 1, now() + interval '1 day')`, id, owner)
	growth = measurePeak(t)
	for _, cookie := range senders {
		if s.idOf(cookie) != owner.String() {
			continue
		}
		for range 6 {
			group.Go(func() {
				request := s.newRequest(cookie, http.MethodGet, "/files/"+id.String()+"/media", "", "")
				response, err := s.client.Do(request)
				if err != nil {
					t.Error(err)
					return
				}
				defer response.Body.Close()
				if n, err := io.Copy(io.Discard, response.Body); err != nil || n != media.MaxUpload {
					t.Errorf("%d bytes, %v", n, err)
				}
			})
		}
	}
	group.Wait()
	require.LessOrEqual(t, growth(), int64(30<<20))
	t.Logf("memory grew by %d MB", growth()>>20)
}

// An upload of another member is not found, as one that does not exist.
func TestUploads_OfOthersAreNotFound(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	ann := s.signUp("annabella")
	file := s.sendFile(ann, fixture(t, "voice.webm"), "audio", 1<<20)
	for _, path := range []string{"/api/uploads/" + file.ID.String() + "/file", "/api/uploads/" + uuid.NewString() + "/file"} {
		got := s.json(s.viewer, http.MethodPost, path, map[string]any{"kind": "audio"})
		require.Equal(t, http.StatusNotFound, got.status)
		var problem web.Problem
		require.NoError(t, json.NewDecoder(bytes.NewReader([]byte(got.body))).Decode(&problem))
		require.Equal(t, fault.NotFound, problem.Kind)
	}
}
