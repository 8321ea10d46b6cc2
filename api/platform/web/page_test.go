package web_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

func TestNextLink(t *testing.T) {
	t.Parallel()
	require.Empty(t, web.NextLink("/api/matches", nil, ""))
	require.Equal(t, `</api/matches?cursor=abc>; rel="next"`, web.NextLink("/api/matches", nil, "abc"))
	require.Equal(t, `</api/discover?cursor=a%2Bb&limit=5>; rel="next"`,
		web.NextLink("/api/discover", url.Values{"limit": {"5"}}, "a+b"))
}
