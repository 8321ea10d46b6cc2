package cli

import (
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/config"
)

func TestListen_SaysWhyItCannot(t *testing.T) {
	t.Parallel()
	first, err := listen(config.Config{Host: "127.0.0.1"})
	require.NoError(t, err)
	defer first.Close()
	_, err = listen(config.Config{Host: "127.0.0.1", Port: first.Addr().(*net.TCPAddr).Port})
	require.ErrorContains(t, err, "is taken by another program")

	_, err = listen(config.Config{Host: "192.0.2.1"}) // no machine has this address
	require.ErrorIs(t, err, syscall.EADDRNOTAVAIL)
	require.NotContains(t, err.Error(), "taken")
}
