package blobs

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Names of saved files are those that the header suggests, so their endings must be those of the content.
func TestDisposition_NamesFileByItsType(t *testing.T) {
	for contentType, want := range map[string]string{
		"image/webp":              `inline; filename="image.webp"`,
		"audio/webm":              `inline; filename="audio.webm"`,
		"audio/webm; codecs=opus": `inline; filename="audio.webm"`,
		"audio/mp4":               `inline; filename="audio.m4a"`,
		"video/mp4":               `inline; filename="video.mp4"`,
		"video/webm":              `inline; filename="video.webm"`,
		"application/pdf":         "attachment",
	} {
		require.Equal(t, want, disposition(contentType), contentType)
	}
}
