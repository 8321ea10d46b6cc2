package config_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/config"
)

func TestLoad_Defaults(t *testing.T) {
	t.Setenv("DATA_DIR", t.TempDir())
	c, err := config.Load()
	require.NoError(t, err)
	require.Equal(t, 8080, c.Port)
	require.Equal(t, "http://localhost:8080", c.PublicURL.String())
	require.False(t, c.Secure())
	require.Nil(t, c.SMTPURL)
	require.True(t, filepath.IsAbs(c.DataDir))
}

func TestLoad_InvalidValueGivesOneLine(t *testing.T) {
	for variable, values := range map[string][]string{
		"PORT":                {"abc", "0", "70000"},
		"PUBLIC_URL":          {"example.org", "ftp://example.org", "https://example.org/app"},
		"DATABASE_URL":        {"mysql://x", "://", "postgres://"},
		"DATABASE_CONNS":      {"x", "1"},
		"NATS_URL":            {"http://x"},
		"BLOB_URL":            {"gopher://x"},
		"SMTP_URL":            {"mail.example.org"},
		"DEV_MAILBOX":         {"yes", "off"},
		"MODERATION_PICTURES": {"yes", "on"}, // the second without MODERATION_URL
		"RATE_LIMIT_SCALE":    {"x", "0", "-1", "NaN"},
		"INVITATIONS_PER_DAY": {"x", "0", "-1", "1000001"},
		"METRICS_ADDR":        {"9090"},
		"TRUSTED_PROXIES":     {"10.0.0.1,nonsense"},
		"CLIENT_IP_HEADER":    {"Fly-Client-IP", "two words"}, // the first without TRUSTED_PROXIES
		"CLIENT_PLACE_HEADER": {"Fly-Region", "two words"},
		"SECRET":              {"short"},
		"VAPID_PUBLIC_KEY":    {"alone"},
		"VAPID_PRIVATE_KEY":   {"alone"},
		"VAPID_SUBJECT":       {"nobody"},
		"LOG_LEVEL":           {"loud"},
		"LOG_SQL":             {"yes", "on"}, // the second without LOG_LEVEL=debug
		"MAIL_FROM":           {"nobody"},
	} {
		for _, value := range values {
			t.Run(variable+"="+value, func(t *testing.T) {
				t.Setenv(variable, value)
				_, err := config.Load()
				require.Error(t, err)
				require.NotContains(t, err.Error(), "\n")
				// The error about one VAPID key may name the other.
				require.Contains(t, err.Error(), strings.NewReplacer("_PUBLIC_KEY", "", "_PRIVATE_KEY", "").Replace(variable))
			})
		}
	}
}

func TestLoad_VariablesAreDocumented(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../../docs/operating.md")
	require.NoError(t, err)
	variables := 0
	for _, field := range reflect.VisibleFields(reflect.TypeFor[config.Config]()) {
		variable := field.Tag.Get("env")
		if variable == "-" {
			continue
		}
		variables++
		found := false
		for line := range strings.Lines(string(guide)) {
			found = found || strings.HasPrefix(line, "| `") && strings.Contains(line, "`"+variable+"`") &&
				strings.Contains(line, field.Tag.Get("envDefault"))
		}
		require.True(t, found, "%s, default %q", variable, field.Tag.Get("envDefault"))
	}
	require.Greater(t, variables, 15)
}

func TestLoad_ErrorOmitsPasswords(t *testing.T) {
	t.Setenv("DATABASE_URL", "mysql://root:hunter2@db")
	_, err := config.Load()
	require.ErrorContains(t, err, "DATABASE_URL")
	require.NotContains(t, err.Error(), "hunter2")
}

func TestLoadKeys_AreStored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	t.Setenv("DATA_DIR", dir)
	pairs := 0
	load := func() config.Config {
		c, err := config.Load()
		require.NoError(t, err)
		require.NoError(t, c.LoadKeys(func() (string, string, error) { pairs++; return "public", "private", nil }))
		return c
	}
	first, second := load(), load()
	require.Equal(t, 1, pairs)
	require.GreaterOrEqual(t, len(first.Secret), 32)
	require.Equal(t, first.Secret, second.Secret)
	require.Equal(t, "private", second.VAPIDPrivate)
	info, err := os.Stat(filepath.Join(dir, "secret"))
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
}

func TestLoadKeys_ConcurrentStartsUseSameKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	t.Setenv("DATA_DIR", dir)
	var created atomic.Int32
	configs := make([]config.Config, 16)
	var group sync.WaitGroup
	for i := range configs {
		group.Go(func() {
			c, err := config.Load()
			if err == nil {
				err = c.LoadKeys(func() (string, string, error) {
					n := strconv.Itoa(int(created.Add(1)))
					return "public" + n, "private" + n, nil
				})
			}
			if err != nil {
				t.Error(err)
			}
			configs[i] = c
		})
	}
	group.Wait()
	for _, c := range configs {
		require.Equal(t, configs[0].Secret, c.Secret)
		require.Equal(t, configs[0].VAPIDPublic, c.VAPIDPublic)
		require.Equal(t, strings.TrimPrefix(c.VAPIDPublic, "public"), strings.TrimPrefix(c.VAPIDPrivate, "private"))
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "no temporary file remains")
}

func TestLoad_ModerationRequiresHTTPS(t *testing.T) {
	for address, valid := range map[string]bool{
		"https://moderation.example/v1/moderations": true, "http://127.0.0.1:9/v1": true, "http://localhost:9/v1": true, "http://[::1]:9/": true,
		"http://moderation.example/v1": false, "ftp://x": false, "https://": false, "nonsense": false, "https://user:pass@x.example/": false,
		"http://127.0.0.1.example/": false,
	} {
		t.Setenv("MODERATION_URL", address)
		_, err := config.Load()
		if valid != (err == nil) {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "MODERATION_URL: ") {
			t.Errorf("%s: %v", address, err)
		}
	}
	t.Setenv("MODERATION_URL", "")
	t.Setenv("MODERATION_KEY", "key")
	if _, err := config.Load(); err == nil || !strings.HasPrefix(err.Error(), "MODERATION_KEY: ") {
		t.Errorf("a key without an address: %v", err)
	}
}
