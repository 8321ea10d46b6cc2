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
		const orientationTag, short = 0x0112, 3
		if order.Uint16(entries) == orientationTag && order.Uint16(entries[2:]) == short {
			if value := int(order.Uint16(entries[8:])); value >= 1 && value <= 8 {
				return value
			}
			return 1
		}
		entries = entries[12:]
	}
	return 1
}

// exifBlock returns the EXIF block of a file, which is a TIFF file; nil if there is none.
func exifBlock(raw []byte) []byte {
	switch {
	case isJPEG(raw):
		return exifOfJPEG(raw[2:])
	case isPNG(raw):
		return pngChunk(raw, "eXIf")
	case isRIFF(raw):
		return bytes.TrimPrefix(riffChunk(raw, "EXIF"), []byte("Exif\x00\x00"))
	}
	return nil
}

// The signatures of the formats.
const (
	jpegSignature = "\xff\xd8"
	pngSignature  = "\x89PNG\r\n\x1a\n"
)

// riffHeader is the length of the header of a WebP, which is a RIFF file: RIFF, the length of the file, WEBP.
const riffHeader = 12

func isJPEG(raw []byte) bool { return bytes.HasPrefix(raw, []byte(jpegSignature)) }
func isPNG(raw []byte) bool  { return bytes.HasPrefix(raw, []byte(pngSignature)) }
func isRIFF(raw []byte) bool { return len(raw) > riffHeader && string(raw[:4]) == "RIFF" }

// exifOfJPEG returns the EXIF block in the segments before the image data; nil if there is none.
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

// pngChunk returns the data of the first chunk of a PNG with a name; nil if there is none. A chunk is its length, name,
// data and a checksum of 4 bytes.
func pngChunk(raw []byte, name string) []byte {
	return findChunk(raw[len(pngSignature):], name, func(head []byte) (found string, length, trailer uint64) {
		return string(head[4:]), uint64(binary.BigEndian.Uint32(head)), 4
	})
}

// riffChunk returns the data of the first chunk of a WebP with a name; nil if there is none. A chunk is its name, length
// and data, padded to an even length.
func riffChunk(raw []byte, name string) []byte {
	return findChunk(raw[riffHeader:], name, func(head []byte) (found string, length, trailer uint64) {
		length = uint64(binary.LittleEndian.Uint32(head[4:]))
		return string(head[:4]), length, length % 2
	})
}

// findChunk returns the data of the first chunk with a name. parse returns the name of a chunk, the length of its data
// and the number of bytes after them, from its first 8 bytes.
func findChunk(rest []byte, name string, parse func(head []byte) (found string, length, trailer uint64)) []byte {
	const head = 8
	for len(rest) >= head {
		found, length, trailer := parse(rest[:head])
		if head+length > uint64(len(rest)) {
			return nil
		}
		if found == name {
			return rest[head : head+length]
		}
		if head+length+trailer > uint64(len(rest)) {
			return nil
		}
		rest = rest[head+length+trailer:]
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
