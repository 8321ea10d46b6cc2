// Package images converts uploaded pictures. Uploads are never stored: they are
// decoded, rotated, scaled down and encoded again, which removes their metadata, such
// as position and camera. The EXIF orientation is read by our own code: bep/imagemeta
// v1.0.1 misses it in WebP files after a chunk of odd length, and reads a JPEG of 2.6
// million empty segments 50 times slower.
package images

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"

	"github.com/gabriel-vasile/mimetype"
	encoder "github.com/gen2brain/webp"
	"golang.org/x/image/webp"
	"golang.org/x/sync/semaphore"

	"heartward/api/platform/fault"
)

// Limits of uploads, and parameters of the results.
const (
	MaxBytes  = 10 << 20
	MaxPixels = 40_000_000

	fullSide        = 1600
	thumbSide       = 480
	placeholderSide = 20

	// Qualities of WebP, 0 to 100.
	fullQuality        = 82
	thumbQuality       = 78
	placeholderQuality = 40
)

// ContentType is the type of the pictures that Convert returns.
const ContentType = "image/webp"

// Picture is a converted upload: two sizes and a blurred placeholder as a data: URL.
// Width and Height are those of Full.
type Picture struct {
	Full, Thumb   []byte
	Placeholder   string
	Width, Height int
}

// memory limits the pixels of concurrent conversions to those of one picture of the maximum
// size.
var memory = semaphore.NewWeighted(MaxPixels)

// Convert converts an uploaded file of size bytes. It returns TooLarge above 10 MiB,
// and Invalid unless it is a complete JPEG, PNG, WebP or GIF picture of at most 40
// megapixels, or 16 for a progressive JPEG. Before it decodes, it waits for memory
// until ctx ends.
func Convert(ctx context.Context, file io.ReadSeeker, size int64) (Picture, error) {
	return ConvertPart(ctx, file, size, nil)
}

// ConvertPart is Convert for a part of the picture, or all of it if crop is nil.
func ConvertPart(ctx context.Context, file io.ReadSeeker, size int64, crop *Crop) (Picture, error) {
	if size > MaxBytes {
		return Picture{}, fault.New(fault.TooLarge, "This picture is larger than 10 MB. Please choose a smaller one.")
	}
	format, pixels, err := readHeader(file)
	if err != nil {
		return Picture{}, err
	}
	// At least the share of a core, so that no more pictures than cores are converted at once.
	weight := max(pixels, MaxPixels/int64(runtime.GOMAXPROCS(0)))
	if err := acquire(ctx, weight); err != nil {
		return Picture{}, err
	}
	defer func() { memory.Release(weight) }()
	raw := make([]byte, size)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return Picture{}, err
	}
	if _, err := io.ReadFull(file, raw); err != nil {
		return Picture{}, unreadable(err)
	}
	actual, err := memoryOf(raw, pixels)
	if err != nil {
		return Picture{}, err
	}
	if actual > weight {
		// Released first, because two conversions that hold a part and wait for more would wait for each other.
		memory.Release(weight)
		weight = 0
		if err := acquire(ctx, actual); err != nil {
			return Picture{}, err
		}
		weight = actual
	}
	return convert(format, raw, crop)
}

// acquire waits for memory of a number of pixels until ctx ends, and then returns Unavailable.
func acquire(ctx context.Context, weight int64) error {
	if err := memory.Acquire(ctx, weight); err != nil {
		return fault.Wrap(fault.Unavailable, "We are busy with other pictures. Please try again in a moment.", err)
	}
	return nil
}

// readHeader returns the format and the number of pixels, without decoding the picture.
func readHeader(file io.ReadSeeker) (format, int64, error) {
	head := make([]byte, 4096)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return format{}, 0, err
	}
	format, err := formatOf(head[:n])
	if err != nil {
		return format, 0, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return format, 0, err
	}
	header, err := format.config(bufio.NewReader(file))
	if err != nil || header.Width < 1 || header.Height < 1 {
		return format, 0, unreadable(err)
	}
	pixels := int64(header.Width) * int64(header.Height)
	if pixels > MaxPixels {
		return format, 0, invalid("This picture has more than 40 megapixels. Please choose a smaller one.")
	}
	return format, pixels, nil
}

// convert decodes and encodes a picture. It returns Invalid for a damaged one.
func convert(format format, raw []byte, crop *Crop) (picture Picture, err error) {
	// A panic of a decoder, whose input is untrusted, must fail this upload only.
	defer func() {
		if cause := recover(); cause != nil {
			err = unreadable(fmt.Errorf("decoder panicked: %v", cause))
		}
	}()
	decoded, err := format.decode(bytes.NewReader(raw))
	if err != nil {
		return Picture{}, unreadable(err)
	}
	exifOrientation := orientation(raw)
	if crop != nil {
		decoded = crop.cut(decoded, exifOrientation)
	}
	large := orient(shrink(decoded, fullSide), exifOrientation)
	toSRGB(large, raw)
	small := shrink(large, thumbSide)
	size := large.Bounds().Size()
	picture = Picture{Width: size.X, Height: size.Y}
	if picture.Full, err = encode(large, fullQuality); err != nil {
		return Picture{}, err
	}
	if picture.Thumb, err = encode(small, thumbQuality); err != nil {
		return Picture{}, err
	}
	tiny, err := encode(shrink(small, placeholderSide), placeholderQuality)
	if err != nil {
		return Picture{}, err
	}
	picture.Placeholder = "data:" + ContentType + ";base64," + base64.StdEncoding.EncodeToString(tiny)
	return picture, nil
}

// encodeMethod is libwebp's effort. Above 2 a photo takes three times as long, at about
// the same size and quality.
const encodeMethod = 2

func encode(picture *image.NRGBA, quality int) ([]byte, error) {
	var out bytes.Buffer
	if err := encoder.Encode(&out, picture, encoder.Options{Quality: quality, Method: encodeMethod}); err != nil {
		return nil, fmt.Errorf("encoding a picture: %w", err)
	}
	return out.Bytes(), nil
}

// format is a supported file format, with a decoder written in Go.
type format struct {
	config func(r io.Reader) (image.Config, error)
	decode func(r io.Reader) (image.Image, error)
}

var formats = map[string]format{
	"image/jpeg": {
		jpeg.DecodeConfig, decodeJPEG,
	},
	"image/png": {
		png.DecodeConfig, png.Decode,
	},
	"image/vnd.mozilla.apng": { // the picture for programs that show no animations
		png.DecodeConfig, png.Decode,
	},
	"image/gif": { // the first frame
		gif.DecodeConfig, gif.Decode,
	},
	"image/webp": {
		webp.DecodeConfig, decodeWebP,
	},
}

// decodeWebP decodes a picture, or the first frame of an animation, which golang.org/x/image refuses.
func decodeWebP(r io.Reader) (image.Image, error) {
	head := make([]byte, 21)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	r = io.MultiReader(bytes.NewReader(head[:n]), r)
	const animation = 0x02 // a flag of the extended header
	if n == len(head) && string(head[12:16]) == "VP8X" && head[20]&animation != 0 {
		return encoder.Decode(r)
	}
	return webp.Decode(r)
}

// formatOf detects the format from the content, not from the name or declared type.
func formatOf(raw []byte) (format, error) {
	kind := mimetype.Detect(raw)
	for name, format := range formats {
		if kind.Is(name) {
			return format, nil
		}
	}
	for _, name := range []string{"image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", "image/avif"} {
		if kind.Is(name) {
			return format{}, invalid("We can't read HEIC and AVIF pictures yet. Please choose a JPEG, PNG or WebP, for example a screenshot of it.")
		}
	}
	return format{}, invalid("This is not a picture that we can read. Please choose a JPEG, PNG, WebP or GIF.")
}

func invalid(message string) error { return fault.InvalidField("photo", message) }

func unreadable(cause error) error {
	return fault.Wrap(fault.Invalid, "We could not read this picture. It may be damaged; please choose another.", cause).WithField("photo")
}
