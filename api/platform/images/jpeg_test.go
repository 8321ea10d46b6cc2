package images

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/color"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"
)

// redInCMYK is a red JPEG of 80 × 40 pixels with four components and Adobe's marker, as sharp 0.35 writes it.
const redInCMYK = "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwACAQEBAQECAQEBAgICAgIEAwICAgIFBAQDBAYFBgYGBQYGBgcJCAYHCQcGBggLCAkKCgoKCgYICwwLCgwJCgoK/8AA" +
	"FAgAKABQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAJCv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZAEsAAD8Av4z/ALP+v4AA" +
	"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/9k="

// Panoramas of some phones have no end marker. Browsers show them (photoprism #3855). One that ends within the picture is
// damaged.
func TestConvert_JPEGWithoutEndMarker(t *testing.T) {
	t.Parallel()
	whole := encodedJPEG(t, flag(80, 40))
	p, err := convertRaw(context.Background(), bytes.TrimSuffix(whole, []byte("\xff\xd9")))
	require.NoError(t, err)
	full, err := webp.Decode(bytes.NewReader(p.Full))
	require.NoError(t, err)
	requireNear(t, blue, full.At(40, 35), "below")
	_, err = convertRaw(context.Background(), whole[:len(whole)*3/4])
	require.ErrorContains(t, err, "damaged")
}

// Motion photos and panoramas have a video or another picture after the picture, with or without its end marker
// (libjpeg-turbo #163).
func TestConvert_JPEGWithTrailer(t *testing.T) {
	t.Parallel()
	picture, other := encodedJPEG(t, flag(80, 40)), encodedJPEG(t, image.NewGray(image.Rect(0, 0, 16, 16)))
	video := append([]byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00isommp42\x00\x00\x02\x00mdat"), bytes.Repeat([]byte("\xff\xc4\x00\x03\xff\x99\xff\xda"), 60)...)
	for name, trailer := range map[string][]byte{
		"a video": video, "another picture": other, "another picture and a video": slices.Concat(other, video),
		"a maker's data and a video": append([]byte("\x00\x00\x30\x0a\x10\x00\x00\x00MotionPhoto_Data"), video...),
	} {
		for _, whole := range [][]byte{picture, bytes.TrimSuffix(picture, []byte(endMarker))} {
			p, err := convertRaw(context.Background(), slices.Concat(whole, trailer))
			require.NoError(t, err, "%s, %d bytes", name, len(whole))
			require.Equal(t, []int{80, 40}, []int{p.Width, p.Height}, name)
			full, err := webp.Decode(bytes.NewReader(p.Full))
			require.NoError(t, err)
			requireNear(t, red, full.At(40, 5), name)
			requireNear(t, blue, full.At(40, 35), name)
		}
	}
	p, err := convertRaw(context.Background(), slices.Concat(encodedPNG(t, flag(80, 40)), video))
	require.NoError(t, err)
	require.Equal(t, 80, p.Width, "a PNG")
}

// A picture of a print shop is neither inverted nor called damaged, also without Adobe's marker (sharp #1649).
func TestConvert_CMYK(t *testing.T) {
	t.Parallel()
	marked, err := base64.StdEncoding.DecodeString(redInCMYK)
	require.NoError(t, err)
	unmarked := bytes.Replace(marked, []byte(adobeMarker), nil, 1)
	require.Len(t, unmarked, len(marked)-len(adobeMarker))
	for _, raw := range [][]byte{marked, unmarked} {
		p, err := convertRaw(context.Background(), raw)
		require.NoError(t, err)
		full, err := webp.Decode(bytes.NewReader(p.Full))
		require.NoError(t, err)
		requireNear(t, color.NRGBA{255, 0, 0, 255}, full.At(40, 20), "middle")
	}
	_, err = convertRaw(context.Background(), unmarked[:len(unmarked)-40])
	require.ErrorContains(t, err, "damaged")
}
