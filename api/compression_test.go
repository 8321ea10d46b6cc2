package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v3"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/testkit"
)

func withBrotli(text string) []byte {
	var out bytes.Buffer
	compress(brotli.NewWriter(&out), text)
	return out.Bytes()
}

func withGzip(text string) []byte {
	var out bytes.Buffer
	compress(gzip.NewWriter(&out), text)
	return out.Bytes()
}

func compress(to io.WriteCloser, text string) {
	_, _ = io.WriteString(to, text) // the buffer never fails
	_ = to.Close()
}

// bodyOf returns the decompressed body of a response.
func bodyOf(t *testing.T, r httpResponse) string {
	t.Helper()
	plain := io.Reader(strings.NewReader(r.body))
	var err error
	switch coding := r.header.Get("Content-Encoding"); coding {
	case "":
	case "br":
		plain = brotli.NewReader(plain)
	case "gzip":
		plain, err = gzip.NewReader(plain)
	case "zstd":
		plain, err = zstd.NewReader(plain, zstd.WithDecoderConcurrency(1))
	default:
		require.Fail(t, "unknown coding", coding)
	}
	require.NoError(t, err)
	text, err := io.ReadAll(plain)
	require.NoError(t, err)
	return string(text)
}

func TestResponses_AreCompressedOnRequest(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, path := range []string{"/api/users/me", "/openapi.json", "/docs", s.mailbox} {
		plain := s.sendWith(s.viewer, http.MethodGet, path, "", "Accept-Encoding", "identity")
		require.Empty(t, plain.header.Get("Content-Encoding"), path)
		require.Equal(t, strconv.Itoa(len(plain.body)), plain.header.Get("Content-Length"), path)
		for header, want := range map[string]string{
			"gzip, deflate, br, zstd": "zstd", "gzip, deflate, br": "br", "gzip, deflate": "gzip", "deflate": "", "zstd;q=0, gzip": "gzip",
		} {
			got := s.sendWith(s.viewer, http.MethodGet, path, "", "Accept-Encoding", header)
			require.Equal(t, plain.status, got.status, path)
			require.Equal(t, want, got.header.Get("Content-Encoding"), "%s of %d bytes, %s", path, len(plain.body), header)
			require.Equal(t, plain.body, bodyOf(t, got), "%s, %s", path, header)
			require.Equal(t, plain.contentType, got.contentType, path)
			require.Equal(t, plain.header.Get("Cache-Control"), got.header.Get("Cache-Control"), path)
			require.Equal(t, strconv.Itoa(len(got.body)), got.header.Get("Content-Length"), path)
			if want != "" {
				require.Less(t, len(got.body), len(plain.body), path)
				require.Equal(t, []string{"Accept-Encoding"}, plain.header.Values("Vary"), path)
				require.Equal(t, []string{"Accept-Encoding"}, got.header.Values("Vary"), path)
			}
		}
	}
}

func TestResponses_ProblemsAreCompressed(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	unknown := map[string]any{}
	for i := range 20 {
		unknown["unknown"+strconv.Itoa(i)] = true
	}
	body, err := json.Marshal(unknown)
	require.NoError(t, err)
	got := s.sendWith(s.viewer, http.MethodPatch, "/api/users/me", string(body), "Accept-Encoding", "zstd")
	require.Equal(t, http.StatusUnprocessableEntity, got.status)
	require.Equal(t, "application/problem+json", got.contentType)
	require.Equal(t, "zstd", got.header.Get("Content-Encoding"))
	var problem struct{ Status int }
	require.NoError(t, json.Unmarshal([]byte(bodyOf(t, got)), &problem))
	require.Equal(t, http.StatusUnprocessableEntity, problem.Status)
}

func TestResponses_PicturesAndSmallBodiesAreNotCompressed(t *testing.T) {
	t.Parallel()
	s := newEnv(t)
	for _, path := range []string{s.addPhoto(s.viewer).URL, "/healthz", "/api/none"} {
		got := s.sendWith(s.viewer, http.MethodGet, path, "", "Accept-Encoding", "zstd, br, gzip")
		require.Empty(t, got.header.Get("Content-Encoding"), path)
		require.Empty(t, got.header.Get("Vary"), path)
	}
	app := newPages(t, nil, fstest.MapFS{"icons/big.png": {Data: bytes.Repeat([]byte{0}, 5000)}})
	got := get(t, app, "/icons/big.png", "Accept-Encoding", "zstd, br, gzip")
	require.Empty(t, got.header.Get("Content-Encoding"))
	require.Len(t, got.body, 5000)
}

func TestAssets_AreCompressedOnRequest(t *testing.T) {
	t.Parallel()
	app := newPages(t, nil, builtApp())
	for header, want := range map[string]string{
		"gzip, deflate, br":             "br",
		"gzip, deflate, br, zstd":       "br",
		"gzip":                          "gzip",
		"GZIP":                          "gzip",
		"":                              "",
		"identity":                      "",
		"deflate, zstd":                 "zstd", // not compressed by the build
		"*":                             "br",
		"br;q=0, *":                     "gzip",
		"br;q=0.5, gzip;q=0.8":          "gzip",
		"br; q=0.5 , gzip ; q=0.5":      "br",
		"gzip;q=0, br;q=0":              "",
		"identity, gzip":                "gzip",
		"identity;q=1, br;q=0.9":        "",
		"br;q=many, gzip;q=0.1":         "gzip",
		"br;level=5, gzip;q=0.1, , ;q=": "gzip",
	} {
		got := get(t, app, "/assets/chunk-abc.js", "Accept-Encoding", header)
		require.Equal(t, want, got.header.Get("Content-Encoding"), header)
		require.Equal(t, chunk, bodyOf(t, got), header)
		require.Equal(t, "Accept-Encoding", got.header.Get("Vary"))
		again := get(t, app, "/assets/chunk-abc.js", "If-None-Match", got.header.Get("ETag"))
		require.Equal(t, http.StatusNotModified, again.status)
		require.Empty(t, again.body)
	}
}

func TestAssets_HeadHasTheHeadersOfGet(t *testing.T) {
	t.Parallel()
	app := newPages(t, nil, builtApp())
	for _, header := range []string{"br", "zstd", "identity"} {
		got := get(t, app, "/assets/chunk-abc.js", "Accept-Encoding", header)
		request := httptest.NewRequest(http.MethodHead, "/assets/chunk-abc.js", nil)
		request.Header.Set("Accept-Encoding", header)
		head, err := app.Test(request, fiber.TestConfig{Timeout: testkit.Timeout, FailOnTimeout: true})
		require.NoError(t, err)
		require.NoError(t, head.Body.Close())
		require.Equal(t, int64(len(got.body)), head.ContentLength, header)
		for _, name := range []string{"Content-Type", "Content-Encoding", "ETag", "Vary", "Cache-Control"} {
			require.Equal(t, got.header.Get(name), head.Header.Get(name), name)
		}
	}
}

func TestAssets_NotModifiedForAnyMatchingETag(t *testing.T) {
	t.Parallel()
	app := newPages(t, nil, builtApp())
	tag := get(t, app, "/").header.Get("ETag")
	for header, want := range map[string]int{
		tag: 304, strings.TrimPrefix(tag, "W/"): 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, "": 200,
	} {
		got := get(t, app, "/", "If-None-Match", header)
		require.Equal(t, want, got.status, header)
		require.Equal(t, tag, got.header.Get("ETag"))
		require.Equal(t, "Accept-Encoding", got.header.Get("Vary"))
	}
}

// The compressed files are sent in place of the file, never by their own names.
func TestAssets_CompressedFilesHaveNoPath(t *testing.T) {
	t.Parallel()
	store, _ := newStore(t)
	app := newPages(t, store, builtApp())
	for _, path := range []string{"/assets/chunk-abc.js.br", "/assets/chunk-abc.js.gz"} {
		require.Equal(t, http.StatusNotFound, get(t, app, path).status, path)
	}
}
