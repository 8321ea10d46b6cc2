package main

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only migrate changes the schema of a configured database; other commands refuse an
// older schema.
func TestCommands_RefuseAnOlderSchema(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	p := i.machine()
	i.exec(`CREATE SCHEMA fresh`)
	address, err := url.Parse(i.pool.Config().ConnString())
	require.NoError(t, err)
	query := address.Query()
	query.Set("search_path", "fresh")
	address.RawQuery = query.Encode()
	empty := []string{"DATABASE_URL=" + address.String()}
	for _, command := range [][]string{{"serve"}, {"work"}, {"seed"}, {"admin", "grant", "a@example.test"}, {"restored"}} {
		p.refused(empty, "the database's schema is older than this program", command...)
	}
	require.Equal(t, "The schema is up to date\n", p.run(empty, "migrate").out)
	require.Contains(t, p.run(empty, "admin", "grant", "a@example.test").err, "nobody has signed up")
}
