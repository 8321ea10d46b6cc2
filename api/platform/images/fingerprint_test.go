package images_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"heartward/api/platform/images"
)

// mosaic returns a picture of random tiles, different for each seed.
func mosaic(seed uint64) *image.NRGBA {
	random := rand.New(rand.NewPCG(seed, 0))
	tiles := image.NewNRGBA(image.Rect(0, 0, 9, 8))
	for i := range tiles.Pix {
		tiles.Pix[i] = uint8(random.IntN(256))
		if i%4 == 3 {
			tiles.Pix[i] = 255
		}
	}
	picture := image.NewNRGBA(image.Rect(0, 0, 180, 160))
	draw.NearestNeighbor.Scale(picture, picture.Bounds(), tiles, tiles.Bounds(), draw.Src, nil)
	return picture
}

// fingerprint uploads the picture as a JPEG and returns the fingerprint of its thumbnail.
func fingerprint(t *testing.T, picture image.Image, quality int) (hash uint64, ok bool) {
	t.Helper()
	var encoded bytes.Buffer
	require.NoError(t, jpeg.Encode(&encoded, picture, &jpeg.Options{Quality: quality}))
	converted, err := images.Convert(t.Context(), bytes.NewReader(encoded.Bytes()), int64(encoded.Len()))
	require.NoError(t, err)
	hash, ok, err = images.Fingerprint(converted.Thumb)
	require.NoError(t, err)
	return hash, ok
}

func TestFingerprint_SurvivesCopies(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		picture := mosaic(seed)
		half := image.NewNRGBA(image.Rect(0, 0, 90, 80))
		draw.BiLinear.Scale(half, half.Bounds(), picture, picture.Bounds(), draw.Src, nil)
		brighter := image.NewNRGBA(picture.Bounds())
		for i, value := range picture.Pix {
			brighter.Pix[i] = uint8(min(255, int(value)*9/10+30))
		}
		original, ok := fingerprint(t, picture, 90)
		require.True(t, ok)
		for name, copied := range map[string]image.Image{"half the size": half, "brighter": brighter, "compressed": picture} {
			hash, _ := fingerprint(t, copied, 20)
			require.LessOrEqual(t, bits.OnesCount64(original^hash), 6, "%s, picture %d", name, seed)
		}
		other, _ := fingerprint(t, mosaic(seed+100), 90)
		require.Greater(t, bits.OnesCount64(original^other), 6, "another picture than %d", seed)
	}
}

func TestFingerprint_RefusesPlainPictures(t *testing.T) {
	t.Parallel()
	plain := image.NewNRGBA(image.Rect(0, 0, 90, 80))
	draw.Draw(plain, plain.Bounds(), image.NewUniform(color.NRGBA{40, 80, 120, 255}), image.Point{}, draw.Src)
	_, ok := fingerprint(t, plain, 90)
	require.False(t, ok, "all plain pictures would have the same fingerprint")
}
