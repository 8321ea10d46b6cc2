package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/testkit"
)

// Tests the assembled server, with all its middleware.
func TestFiles_RangesAreStreamed(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	raw, err := os.ReadFile("platform/recordings/testdata/video.webm")
	require.NoError(t, err)
	response := s.json(s.viewer, http.MethodPut, "/api/users/me/video-greeting", map[string]any{
		"uploadId": s.addUpload(s.viewer, string(raw)), "posterUploadId": s.addUpload(s.viewer, string(tinyPicture(t))),
	})
	require.Equal(t, http.StatusOK, response.status, response.body)
	var video members.Recording
	require.NoError(t, json.Unmarshal([]byte(response.body), &video))
	for rangeHeader, want := range map[string]struct {
		status int
		body   string
		header string
	}{
		"":               {200, string(raw), ""},
		"bytes=0-":       {206, string(raw), fmt.Sprintf("bytes 0-%d/%d", len(raw)-1, len(raw))},
		"bytes=5-9":      {206, string(raw[5:10]), fmt.Sprintf("bytes 5-9/%d", len(raw))},
		"bytes=-7":       {206, string(raw[len(raw)-7:]), fmt.Sprintf("bytes %d-%d/%d", len(raw)-7, len(raw)-1, len(raw))},
		"bytes=9999999-": {416, "", fmt.Sprintf("bytes */%d", len(raw))},
	} {
		for range 2 { // on one connection
			got := s.sendWith(s.viewer, http.MethodGet, video.URL, "", "Range", rangeHeader)
			require.Equal(t, want.status, got.status, rangeHeader)
			require.True(t, want.body == got.body, "%s: %d bytes", rangeHeader, len(got.body)) //nolint:testifylint // Equal would print both bodies
			require.Equal(t, want.header, got.header.Get("Content-Range"), rangeHeader)
			require.Equal(t, "video/webm", got.contentType)
			require.Equal(t, fmt.Sprint(len(want.body)), got.header.Get("Content-Length"))
			require.Equal(t, []string{"sandbox; default-src 'none'; frame-ancestors 'none'"}, got.header.Values("Content-Security-Policy"))
			require.Equal(t, []string{`inline; filename="video.webm"`}, got.header.Values("Content-Disposition"))
			require.Equal(t, []string{"private, no-cache"}, got.header.Values("Cache-Control"))
			require.Equal(t, []string{"nosniff"}, got.header.Values("X-Content-Type-Options"))
			require.Equal(t, []string{"same-origin"}, got.header.Values("Cross-Origin-Resource-Policy"))
		}
	}
	require.Equal(t, http.StatusUnauthorized, s.send("", http.MethodGet, video.URL, "", "").status)
}

// An unread body must never be parsed as the next request.
func TestBodies_AreNotParsedAsRequests(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	inner := "GET /readyz HTTP/1.1\r\nHost: heartward.test\r\n\r\n"
	for name, head := range map[string]string{
		"signed out":        "POST /api/likes HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\n",
		"form":              "POST /api/users/me/photos HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: multipart/form-data; boundary=x\r\n",
		"other type":        "POST /api/likes HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: text/plain\r\n",
		"other site":        "POST /api/likes HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\nOrigin: https://evil.example\r\n",
		"not found":         "POST /api/none HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\n",
		"a GET with a body": "GET /api/auth/user HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\n",
		"large":             "POST /api/likes HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\nX-Long: 1\r\n",
		"endless":           "POST /api/likes HTTP/1.1\r\nHost: heartward.test\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := strings.Repeat(inner, 200)
			if name == "large" {
				body = strings.Repeat(inner, 2000)
			}
			request := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
			if name == "endless" {
				request = fmt.Sprintf("%s\r\n%x\r\n%s\r\n0\r\n\r\n", head, len(body), body)
			}
			conn, err := net.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
			require.NoError(t, err)
			defer conn.Close()
			require.NoError(t, conn.SetDeadline(time.Now().Add(testkit.Timeout)))
			go func() {
				_, _ = io.WriteString(conn, request+"GET /healthz HTTP/1.1\r\nHost: heartward.test\r\nConnection: close\r\n\r\n")
			}()
			reader := bufio.NewReader(conn)
			first, err := http.ReadResponse(reader, nil)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, first.Body)
			require.NoError(t, err)
			require.GreaterOrEqual(t, first.StatusCode, 400)
			second, err := http.ReadResponse(reader, nil)
			if err != nil {
				return // a closed connection is correct as well
			}
			text, err := io.ReadAll(second.Body)
			require.NoError(t, err)
			require.Equal(t, "ok\n", string(text), "the second response belongs to the request after the body")
			_, err = http.ReadResponse(reader, nil)
			require.Error(t, err, "there is no third response")
		})
	}
}
