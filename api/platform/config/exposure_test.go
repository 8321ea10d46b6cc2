package config_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/config"
)

// load reads a configuration of the given NAME=value pairs.
func load(t *testing.T, variables string) (config.Config, error) {
	t.Helper()
	t.Setenv("DATA_DIR", t.TempDir())
	for _, name := range []string{"HOST", "PUBLIC_URL", "SMTP_URL", "DEV_MAILBOX", "MAIL_FROM", "CONTACT", "IMPRINT", "NATS_URL", "BLOB_URL", "PLAINTEXT_HOSTS"} {
		t.Setenv(name, "")
	}
	for pair := range strings.FieldsSeq(variables) {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	return config.Load()
}

func TestCheckMail_PublicSiteRequiresMailServer(t *testing.T) {
	for variables, want := range map[string]struct {
		public   bool
		localURL string
	}{
		"":               {false, "http://127.0.0.1:8080"},
		"HOST=localhost": {false, "http://localhost:8080"},
		"HOST=::1":       {false, "http://[::1]:8080"},
		"HOST=127.0.0.1 PUBLIC_URL=http://localhost:8080": {false, "http://127.0.0.1:8080"},
		"HOST=0.0.0.0":                                       {true, "http://localhost:8080"},
		"HOST=::":                                            {true, "http://localhost:8080"},
		"HOST=192.0.2.7":                                     {true, ""},
		"HOST=heartward.test":                                {true, ""},
		"PUBLIC_URL=http://localhost:8080":                   {true, "http://localhost:8080"}, // listens on every address
		"PUBLIC_URL=https://heartward.test":                  {true, "http://localhost:8080"},
		"PUBLIC_URL=http://heartward.test":                   {true, "http://localhost:8080"},
		"PUBLIC_URL=http://heartward.test HOST=127.0.0.1":    {true, "http://127.0.0.1:8080"}, // TLS at a proxy
		"PUBLIC_URL=https://localhost HOST=127.0.0.1":        {true, "http://127.0.0.1:8080"},
		"PUBLIC_URL=http://127.0.0.1.example HOST=127.0.0.1": {true, "http://127.0.0.1:8080"},
	} {
		c, err := load(t, variables)
		require.NoError(t, err, variables)
		require.Equal(t, want.public, c.IsPublic(), variables)
		require.Equal(t, want.localURL, c.LocalURL(), variables)
		if err := c.CheckMail(); want.public {
			require.ErrorContains(t, err, "SMTP_URL: ", variables)
			require.ErrorContains(t, err, "DEV_MAILBOX=on", variables)
		} else {
			require.NoError(t, err, variables)
		}
		for _, extra := range []string{publicSite, " DEV_MAILBOX=on"} {
			c, err := load(t, variables+extra)
			require.NoError(t, err)
			require.NoError(t, c.CheckMail(), variables+extra)
		}
	}
}

// publicSite has the variables that a public site requires.
const publicSite = " SMTP_URL=smtps://mail.example.test MAIL_FROM=hello@example.test CONTACT=help@example.test IMPRINT=Heartward"

// The members of a public site can tell who runs it, and write to somebody who reads it.
func TestCheckMail_PublicSiteRequiresContact(t *testing.T) {
	for _, missing := range []string{"SMTP_URL", "MAIL_FROM", "CONTACT", "IMPRINT"} {
		var rest []string
		for pair := range strings.FieldsSeq(publicSite) {
			if !strings.HasPrefix(pair, missing+"=") {
				rest = append(rest, pair)
			}
		}
		c, err := load(t, "PUBLIC_URL=https://heartward.test "+strings.Join(rest, " "))
		require.NoError(t, err)
		require.ErrorContains(t, c.CheckMail(), missing+": ")
	}
	c, err := load(t, publicSite)
	require.NoError(t, err)
	require.Equal(t, "help@example.test", c.Contact())
	c, err = load(t, "MAIL_FROM=hello@example.test")
	require.NoError(t, err)
	require.Equal(t, "hello@example.test", c.Contact())
	_, err = load(t, "CONTACT=Help<help@example.test>")
	require.ErrorContains(t, err, "CONTACT: ")
	_, err = load(t, "OUTSIDE_CONTACT=nobody")
	require.ErrorContains(t, err, "OUTSIDE_CONTACT: ")
}
