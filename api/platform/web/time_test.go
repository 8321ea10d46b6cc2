package web_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

func TestZone_AcceptsZonesOfPlacesOnly(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"America/New_York", "Asia/Kolkata", "UTC", "Etc/GMT+5"} {
		_, err := web.Zone(name)
		require.NoError(t, err, name)
	}
	for _, name := range []string{"", "Local", "localtime", "posixrules", "Factory", "posix/Europe/Paris", "right/Europe/Paris", "Etc/Unknown", "Foo/Bar", "../etc/passwd"} {
		_, err := web.Zone(name)
		require.Error(t, err, name)
	}
}
