package images

import (
	"bytes"
	"encoding/binary"
)

// A JPEG may come in passes over the whole picture. The decoder then holds 16
// bytes a pixel until the last one, and a pass over everything can be written
// in a few bytes: ten megabytes of them would keep a core busy for hours.
const (
	maxPassedPixels = 16_000_000
	maxPasses       = 100 // real ones have about ten
)

// weigh is how much of the room a picture takes, in pixels of an ordinary one.
func weigh(raw []byte, pixels int64) (int64, error) {
	if !inPasses(raw) {
		return pixels, nil
	}
	if pixels > maxPassedPixels {
		return 0, invalid("This picture is a progressive JPEG of more than 16 megapixels. Please choose a smaller one.")
	}
	// What follows 0xff within a pass is never 0xda, so none is missed.
	if bytes.Count(raw, []byte{0xff, 0xda}) > maxPasses {
		return 0, unreadable(nil)
	}
	return pixels * MaxPixels / maxPassedPixels, nil
}

// inPasses reports whether raw is a progressive JPEG. It goes from marker to
// marker as the decoder does, which skips what stands between.
func inPasses(raw []byte) bool {
	rest, ok := bytes.CutPrefix(raw, []byte("\xff\xd8"))
	for ok {
		at := bytes.IndexByte(rest, 0xff)
		if at < 0 {
			return false
		}
		rest = rest[at:]
		for len(rest) > 0 && rest[0] == 0xff { // any number of them may precede a marker
			rest = rest[1:]
		}
		if len(rest) < 3 {
			return false
		}
		marker := rest[0]
		rest = rest[1:]
		switch {
		case marker == 0xc2:
			return true
		case marker == 0xc0 || marker == 0xc1 || marker == 0xd9 || marker == 0xda:
			return false
		case marker == 0 || marker >= 0xd0 && marker <= 0xd7: // without a length
			continue
		}
		length := int(binary.BigEndian.Uint16(rest))
		if length < 2 || length > len(rest) {
			return false
		}
		rest = rest[length:]
	}
	return false
}
