package obs_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/obs"
	"heartward/api/platform/pgtest"
)

func TestServe_ServesMetricsOnLoopbackPort(t *testing.T) {
	t.Parallel()
	metrics := obs.NewMetrics(pgtest.New(t))
	var notReady error
	metrics.Gauge("heartward_test", "A test.", func() float64 { return 7 })
	metrics.Request("GET", "/api/users/:id", 200, 3*time.Millisecond)
	address, err := metrics.Serve(t.Context(), "", func(context.Context) error { return notReady })
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(address, "127.0.0.1:"))
	get := func(path string) (int, string) {
		response, err := http.Get("http://" + address + path)
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(text)
	}
	_, text := get("/metrics")
	for _, want := range []string{
		"heartward_test 7", `heartward_request_seconds_count{method="GET",route="/api/users/:id",status="200"} 1`,
		"heartward_pool_connections", "go_goroutines",
	} {
		require.Contains(t, text, want)
	}
	status, _ := get("/readyz")
	require.Equal(t, http.StatusOK, status)
	notReady = errors.New("the database is unavailable")
	status, text = get("/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "the database is unavailable\n", text)
	status, _ = get("/healthz")
	require.Equal(t, http.StatusOK, status)
}

func TestServe_HasAddressForBrowsers(t *testing.T) {
	t.Parallel()
	for listen, host := range map[string]string{"": "127.0.0.1", "0.0.0.0:0": "localhost"} {
		metrics := obs.NewMetrics(pgtest.New(t))
		require.Empty(t, metrics.Address())
		_, err := metrics.Serve(t.Context(), listen, func(context.Context) error { return nil })
		require.NoError(t, err)
		require.Regexp(t, "^"+host+`:[1-9][0-9]*$`, metrics.Address())
		response, err := http.Get("http://" + metrics.Address() + "/healthz")
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode)
	}
	off := obs.NewMetrics(pgtest.New(t))
	_, err := off.Serve(t.Context(), "off", func(context.Context) error { return nil })
	require.NoError(t, err)
	require.Empty(t, off.Address())
}

// Another site can reach the pages through the browser of an operator.
func TestMount_RefusesOtherSites(t *testing.T) {
	t.Parallel()
	metrics := obs.NewMetrics(pgtest.New(t))
	metrics.Mount("/jobs", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "jobs") }))
	handler := metrics.Handler(func(context.Context) error { return nil })
	for name, c := range map[string]struct {
		method, host, header, value string
		status                      int
	}{
		"reading":              {http.MethodGet, "127.0.0.1:9090", "", "", 200},
		"by name":              {http.MethodGet, "localhost:9090", "", "", 200},
		"over IPv6":            {http.MethodGet, "[::1]:9090", "", "", 200},
		"writing":              {http.MethodPost, "127.0.0.1:9090", "Origin", "http://127.0.0.1:9090", 200},
		"a write of a site":    {http.MethodPost, "127.0.0.1:9090", "Origin", "https://evil.example", 403},
		"cross-site":           {http.MethodPost, "127.0.0.1:9090", "Sec-Fetch-Site", "cross-site", 403},
		"a rebound name":       {http.MethodGet, "evil.example:9090", "", "", 403},
		"writing by that name": {http.MethodPost, "evil.example:9090", "Origin", "http://evil.example:9090", 403},
	} {
		request := httptest.NewRequest(c.method, "/jobs/list", nil)
		request.Host = c.host
		if c.header != "" {
			request.Header.Set(c.header, c.value)
		}
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, request)
		require.Equal(t, c.status, response.Code, name)
	}
}

func TestNewLogger_AddsTheRequestID(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := obs.NewLogger(&out, "info", func(context.Context) string { return "r-1" })
	log.With("feature", "x").Info("hello")
	log.Debug("not shown")
	require.Contains(t, out.String(), "request=r-1")
	require.Contains(t, out.String(), "feature=x")
	require.NotContains(t, out.String(), "not shown")
}
