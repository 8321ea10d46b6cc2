package images

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"strings"
)

// adobeMarker is an APP14 segment that says that the four components are CMYK, stored inverted as Photoshop does.
const adobeMarker = "\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"

// endMarker ends a JPEG.
const endMarker = "\xff\xd9"

// decodeJPEG decodes a JPEG. The standard library refuses two kinds that browsers show: four components without Adobe's
// marker, which are CMYK, and a whole picture without the end marker.
func decodeJPEG(file io.Reader) (image.Image, error) {
	var read bytes.Buffer
	decoded, err := jpeg.Decode(io.TeeReader(io.MultiReader(file, strings.NewReader(endMarker)), &read))
	var unsupported jpeg.UnsupportedError
	if !errors.As(err, &unsupported) || !strings.Contains(string(unsupported), "Adobe") {
		return decoded, err
	}
	start := read.Next(2) // the marker follows the start of the image
	return jpeg.Decode(io.MultiReader(bytes.NewReader(start), strings.NewReader(adobeMarker), &read, file))
}
