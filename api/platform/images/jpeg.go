package images

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"strings"
)

// adobeMarker is an APP14 segment. It declares four components as CMYK, stored inverted as Photoshop does.
const adobeMarker = "\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"

// endMarker ends a JPEG.
const endMarker = "\xff\xd9"

// decodeJPEG decodes a JPEG. The standard library refuses three kinds that browsers show: four components (CMYK) without
// Adobe's marker; a whole picture without the end marker; and either of these with a video or another picture behind it.
func decodeJPEG(file io.Reader) (image.Image, error) {
	raw, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	decoded, err := decodeWithoutEnd(raw)
	for _, end := range trailers(raw) {
		if err == nil {
			break
		}
		decoded, err = decodeWithoutEnd(raw[:end])
	}
	return decoded, err
}

// decodeWithoutEnd decodes a JPEG that may lack the end marker, or Adobe's marker of CMYK.
func decodeWithoutEnd(raw []byte) (image.Image, error) {
	decoded, err := jpeg.Decode(io.MultiReader(bytes.NewReader(raw), strings.NewReader(endMarker)))
	var unsupported jpeg.UnsupportedError
	if !errors.As(err, &unsupported) || !strings.Contains(string(unsupported), "Adobe") {
		return decoded, err
	}
	// The marker follows the start of the image.
	return jpeg.Decode(io.MultiReader(bytes.NewReader(raw[:2]), strings.NewReader(adobeMarker), bytes.NewReader(raw[2:]), strings.NewReader(endMarker)))
}

// trailers returns the offsets at which a video (motion photos) or another picture (multi-picture format) may follow the
// picture. The decoder takes their bytes for markers if the picture has no end marker.
func trailers(raw []byte) (offsets []int) {
	if at := bytes.Index(raw, []byte("ftyp")); at > 4 {
		offsets = append(offsets, at-4) // after the size of the box
	}
	if at := bytes.LastIndex(raw, []byte("\xff\xd8\xff")); at > 0 {
		offsets = append(offsets, at)
	}
	return offsets
}
