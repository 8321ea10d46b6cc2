package web_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

type sortKey struct {
	At time.Time
	ID uuid.UUID
}

func TestDecodeCursor_ReturnsTheEncodedKey(t *testing.T) {
	t.Parallel()
	want := sortKey{At: time.Date(2026, 11, 2, 3, 4, 5, 678900000, time.UTC), ID: uuid.New()}
	var got sortKey
	require.NoError(t, web.DecodeCursor(web.EncodeCursor(want), &got))
	require.Equal(t, want, got)
	require.NoError(t, web.DecodeCursor("", &got))
	require.Equal(t, want, got, "an empty cursor changes nothing")
}

func TestDecodeCursor_RefusesOtherTexts(t *testing.T) {
	t.Parallel()
	for _, cursor := range []string{"?", "abc", "bm90IGpzb24", web.EncodeCursor("text"), web.EncodeCursor(map[string]any{"ID": 3})} {
		err := web.DecodeCursor(cursor, &sortKey{})
		require.True(t, fault.Is(err, fault.Invalid), "%q: %v", cursor, err)
		problem := web.NewProblem(t.Context(), fault.From(err))
		require.Equal(t, "query.cursor", problem.Errors[0].Location)
	}
}

func TestNextLink(t *testing.T) {
	t.Parallel()
	require.Empty(t, web.NextLink("/api/matches", nil, ""))
	require.Equal(t, `</api/matches?cursor=abc>; rel="next"`, web.NextLink("/api/matches", nil, "abc"))
	require.Equal(t, `</api/discover?cursor=a%2Bb&limit=5>; rel="next"`,
		web.NextLink("/api/discover", url.Values{"limit": {"5"}}, "a+b"))
}
