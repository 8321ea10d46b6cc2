package images

import (
	"bytes"
	"encoding/binary"
)

// Limits of a progressive JPEG, which consists of scans of the whole picture. The decoder
// uses 16 bytes a pixel until the last scan. A scan takes few bytes, so that 10 MB of
// scans would occupy a core for hours.
const (
	maxProgressivePixels = 16_000_000
	maxScans             = 100 // usual files have about ten
)

// memoryOf returns the memory that decoding a picture takes, as the number of pixels of a
// baseline picture that takes as much. It returns Invalid for a progressive JPEG above the
// limits.
func memoryOf(raw []byte, pixels int64) (int64, error) {
	if !isProgressive(raw) {
		return pixels, nil
	}
	if pixels > maxProgressivePixels {
		return 0, invalid("This picture is a progressive JPEG of more than 16 megapixels. Please choose a smaller one.")
	}
	// Within a scan 0xff is never followed by 0xda, so that all markers are counted.
	if bytes.Count(raw, []byte{0xff, 0xda}) > maxScans {
		return 0, unreadable(nil)
	}
	return pixels * MaxPixels / maxProgressivePixels, nil
}

// isProgressive reports whether raw is a progressive JPEG. It reads the markers as the
// decoder does, which skips other bytes between them.
func isProgressive(raw []byte) bool {
	rest, ok := bytes.CutPrefix(raw, []byte("\xff\xd8"))
	for ok {
		at := bytes.IndexByte(rest, 0xff)
		if at < 0 {
			return false
		}
		rest = rest[at:]
		for len(rest) > 0 && rest[0] == 0xff { // a marker may be preceded by any number of them
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
