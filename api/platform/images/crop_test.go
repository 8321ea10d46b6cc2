package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"
)

// The upright picture has a red quarter, above on the right. Its part is cut out whatever the orientation of the file is.
func TestConvertPart_CutsTheUprightPicture(t *testing.T) {
	t.Parallel()
	const w, h = 160, 96
	for orientation := 1; orientation <= 8; orientation++ {
		size := image.Pt(w, h)
		if orientation >= 5 {
			size = image.Pt(h, w)
		}
		raw := image.NewNRGBA(image.Rectangle{Max: size})
		for y := range size.Y {
			for x := range size.X {
				upright := image.Pt(x, y)
				if orientation > 1 {
					upright = orientedPosition(x, y, size.X, size.Y, orientation)
				}
				shown := blue
				if upright.X >= w/2 && upright.Y < h/2 {
					shown = red
				}
				raw.SetNRGBA(x, y, shown)
			}
		}
		file := jpegWith(t, raw, exifTIFF(binary.LittleEndian, uint16(orientation)))
		p, err := ConvertPart(context.Background(), bytes.NewReader(file), int64(len(file)), &Crop{X: 0.5, Y: 0, Width: 0.5, Height: 0.5})
		require.NoError(t, err)
		require.Equal(t, image.Pt(w/2, h/2), image.Pt(p.Width, p.Height), "orientation %d", orientation)
		full, err := webp.Decode(bytes.NewReader(p.Full))
		require.NoError(t, err)
		for _, at := range []image.Point{{10, 10}, {w/2 - 10, 10}, {10, h/2 - 10}, {w/2 - 10, h/2 - 10}} {
			requireNear(t, red, full.At(at.X, at.Y), "the part")
		}
	}
}

func TestConvertPart_PartWithoutPixelIsWholePicture(t *testing.T) {
	t.Parallel()
	file := encodedPNG(t, flag(60, 40))
	for _, crop := range []Crop{{}, {X: 1, Y: 1, Width: 1, Height: 1}} {
		p, err := ConvertPart(context.Background(), bytes.NewReader(file), int64(len(file)), &crop)
		require.NoError(t, err)
		require.Equal(t, image.Pt(60, 40), image.Pt(p.Width, p.Height))
	}
}
