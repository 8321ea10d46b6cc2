package api

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFirstPicture_IsThatOfTheFirstEntry(t *testing.T) {
	t.Parallel()
	photos := `"photos": [{"url": "/full", "thumbUrl": "/thumb"}]`
	for list, expected := range map[string]string{
		`[{` + photos + `}, {"photos": [{"url": "/other"}]}]`: "/full",
		`[{"photos": [], "profileImageUrl": null}]`:           "",
		`[{"user": {"profileImageUrl": "/face"}}]`:            "/face",
		`[]`:         "",
		`{"a": "b"}`: "",
	} {
		require.Equal(t, expected, firstPicture([]byte(list), false), list)
	}
	require.Equal(t, "/thumb", firstPicture([]byte(`[{`+photos+`}]`), true))
	html := screenContent{picture: `/"><script>`}.responsesHTML()
	require.NotContains(t, html, `"><script>`)
}
