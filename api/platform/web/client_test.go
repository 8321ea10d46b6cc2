package web_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

func TestNetworkOf_IsIPv4AddressOrIPv6Prefix56(t *testing.T) {
	t.Parallel()
	for client, want := range map[string]string{
		"203.0.113.9": "203.0.113.9", "2001:db8:1:2ff::/64": "2001:db8:1:200::/56", "2001:db8:1:300::/64": "2001:db8:1:300::/56", "": "", "nonsense": "nonsense",
	} {
		require.Equal(t, want, web.NetworkOf(web.WithClient(t.Context(), client)), client)
	}
}

func TestCoarseClient_IsIPv4Prefix24OrIPv6Prefix48(t *testing.T) {
	t.Parallel()
	for client, want := range map[string]string{
		"203.0.113.9": "203.0.113.0/24", "2001:db8:1:2::/64": "2001:db8:1::/48", "": "", "nonsense": "",
	} {
		require.Equal(t, want, web.CoarseClient(web.WithClient(t.Context(), client)), client)
	}
}
