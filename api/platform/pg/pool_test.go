package pg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/pg"
)

func TestPlaintextHosts_DependOnTheMode(t *testing.T) {
	t.Parallel()
	for url, want := range map[string][]string{
		"postgres://u@db.example/x":                                      {"db.example"},
		"postgres://u@db.example/x?sslmode=prefer":                       {"db.example"},
		"postgres://u@db.example/x?sslmode=allow":                        {"db.example"},
		"postgres://u@db.example/x?sslmode=disable":                      {"db.example"},
		"postgres://u@db.example/x?sslmode=require":                      nil,
		"postgres://u@db.example/x?sslmode=verify-full":                  nil,
		"postgres://u@a.example,b.example/x?sslmode=disable":             {"a.example", "b.example"},
		"postgres:///x?host=/run/postgresql&user=u":                      {"/run/postgresql"},
		"host=db.example user=u dbname=x sslmode=disable":                {"db.example"},
		"postgres://u@db.example/x?sslmode=verify-ca&sslrootcert=system": nil,
	} {
		hosts, err := pg.PlaintextHosts(url)
		if want == nil && err != nil {
			require.ErrorContains(t, err, "sslrootcert", url) // system requires verify-full
			continue
		}
		require.NoError(t, err, url)
		require.Equal(t, want, hosts, url)
	}
	_, err := pg.PlaintextHosts("postgres://user:hunter2@db.example:x/")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "hunter2")
}
