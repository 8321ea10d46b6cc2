package images

import (
	"bytes"
	"context"
	"encoding/base64"
	"image/color"
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
