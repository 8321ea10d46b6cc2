package e2e_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommands_InvalidVariablePrintsOneLine(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	for _, command := range [][]string{
		{}, {"serve"}, {"work"}, {"migrate"}, {"seed"}, {"admin", "grant", "a@example.test"}, {"openapi"},
	} {
		p.requireRefused([]string{"PUBLIC_URL=example.org"}, "PUBLIC_URL: ", command...)
	}
	p.requireRefused([]string{"PORT=abc"}, "PORT: ", "serve")
	for _, public := range []string{"PUBLIC_URL=https://heartward.test", "PUBLIC_URL=http://heartward.test", "HOST=0.0.0.0"} {
		for _, command := range []string{"serve", "work"} {
			p.requireRefused([]string{public}, "SMTP_URL: a site that other machines can reach requires a mail server", command)
			p.requireRefused([]string{public, "SMTP_URL=smtps://mail.example.test", "MAIL_FROM=a@example.test"}, "CONTACT: ", command)
		}
	}
	p.requireRefused([]string{"DATABASE_URL=postgres://nobody:hunter2@127.0.0.1:1/none"}, "DATABASE_URL: ", "serve")
	require.NotContains(t, p.run([]string{"DATABASE_URL=postgres://nobody:hunter2@127.0.0.1:1/none"}, "serve").err, "hunter2")
	p.requireRefused([]string{"DATABASE_URL=postgres://x@127.0.0.1:1/x", "POSTGRES_BIN=/missing"}, "DATABASE_URL: ", "migrate")
	p.requireRefused([]string{"POSTGRES_BIN=/missing"}, "POSTGRES_BIN=/missing: ", "migrate")
}

func TestCommands_OpenAPIAndVAPIDNeedNoDatabase(t *testing.T) {
	t.Parallel()
	p := newInstance(t)
	noDatabase := []string{"DATABASE_URL=postgres://x@127.0.0.1:1/x"}
	document := p.run(noDatabase, "openapi")
	require.Zero(t, document.code, document.err)
	require.True(t, json.Valid([]byte(document.out)))
	written, err := os.ReadFile("../../pwa/src/api/openapi.json")
	require.NoError(t, err)
	require.Equal(t, string(written), document.out, "run scripts/generate")

	keys := p.run(noDatabase, "vapid")
	require.Zero(t, keys.code)
	require.NotEqual(t, keys.out, p.run(noDatabase, "vapid").out)
	for i, line := range strings.Split(strings.TrimSpace(keys.out), "\n") {
		name, value, _ := strings.Cut(line, "=")
		require.Equal(t, []string{"VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"}[i], name)
		raw, err := base64.RawURLEncoding.DecodeString(value)
		require.NoError(t, err)
		require.Len(t, raw, []int{65, 32}[i])
	}
	require.Regexp(t, `^heartward \S+ go1\.\S+\n$`, p.run(noDatabase, "version").out)
	require.NoDirExists(t, p.dir, "these commands create no data folder")
}
