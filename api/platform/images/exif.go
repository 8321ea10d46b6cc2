package images

import (
	"bytes"
	"encoding/binary"
	"image"
	"iter"
)

// orientation returns the EXIF orientation of a JPEG, PNG or WebP file, 1 to 8. It
// returns 1 if there is none.
func orientation(raw []byte) int {
	tiff := exifBlock(raw)
	var order binary.ByteOrder
	switch {
	case len(tiff) < 8:
		return 1
	case bytes.HasPrefix(tiff, []byte("II*\x00")):
		order = binary.LittleEndian
	case bytes.HasPrefix(tiff, []byte("MM\x00*")):
		order = binary.BigEndian
	default:
		return 1
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 1
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			return 1
		}
		const tag, short = 0x0112, 3
		if order.Uint16(entries) == tag && order.Uint16(entries[2:]) == short {
			if value := int(order.Uint16(entries[8:])); value >= 1 && value <= 8 {
				return value
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}

func exifBlock(raw []byte) []byte {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xd8")):
		return exifOfJPEG(raw[2:])
	case bytes.HasPrefix(raw, []byte("\x89PNG\r\n\x1a\n")):
		return chunk(raw[8:], "eXIf", binary.BigEndian, false)
	case len(raw) > 12 && string(raw[:4]) == "RIFF":
		return bytes.TrimPrefix(chunk(raw[12:], "EXIF", binary.LittleEndian, true), []byte("Exif\x00\x00"))
	}
	return nil
}

// exifOfJPEG searches the segments before the image data.
func exifOfJPEG(rest []byte) []byte {
	const app1 = 0xe1
	for marker, body := range segments(rest) {
		if marker == app1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return body[6:]
		}
	}
	return nil
}

// segments yields the markers and contents of the segments of a JPEG before the image data.
func segments(rest []byte) iter.Seq2[byte, []byte] {
	const start, scan = 0xff, 0xda
	return func(yield func(byte, []byte) bool) {
		for len(rest) >= 4 && rest[0] == start && rest[1] != scan {
			length := int(binary.BigEndian.Uint16(rest[2:]))
			if length < 2 || length+2 > len(rest) || !yield(rest[1], rest[4:length+2]) {
				return
			}
			rest = rest[length+2:]
		}
	}
}

// chunk returns a chunk by name of a PNG (length, name, data, checksum) or, with
// riff, of a WebP (name, length, data, padded to an even length).
func chunk(rest []byte, name string, order binary.ByteOrder, riff bool) []byte {
	for len(rest) >= 8 {
		found, length := string(rest[4:8]), uint64(order.Uint32(rest))
		skip := 8 + length + 4
		if riff {
			found, length = string(rest[:4]), uint64(order.Uint32(rest[4:]))
			skip = 8 + length + length%2
		}
		if 8+length > uint64(len(rest)) {
			return nil
		}
		if found == name {
			return rest[8 : 8+length]
		}
		if skip > uint64(len(rest)) {
			return nil
		}
		rest = rest[skip:]
	}
	return nil
}

// orient rotates and mirrors src by its EXIF orientation.
func orient(src *image.NRGBA, orientation int) *image.NRGBA {
	if orientation <= 1 {
		return src
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	dst := image.NewNRGBA(size)
	for y := range h {
		for x := range w {
			to := orientedPosition(x, y, w, h, orientation)
			i, o := src.PixOffset(x, y), dst.PixOffset(to.X, to.Y)
			copy(dst.Pix[o:o+4], src.Pix[i:i+4])
		}
	}
	return dst
}

// orientedPosition returns the position in the upright picture of the pixel (x, y) of a
// w × h picture.
func orientedPosition(x, y, w, h, orientation int) image.Point {
	switch orientation {
	case 2:
		return image.Pt(w-1-x, y)
	case 3:
		return image.Pt(w-1-x, h-1-y)
	case 4:
		return image.Pt(x, h-1-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(h-1-y, x)
	case 7:
		return image.Pt(h-1-y, w-1-x)
	default: // 8
		return image.Pt(y, w-1-x)
	}
}
