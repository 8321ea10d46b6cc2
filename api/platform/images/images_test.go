package images

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"runtime"
	"strings"
	"testing"

	encoder "github.com/gen2brain/webp"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

var (
	red  = color.NRGBA{220, 20, 20, 255}
	blue = color.NRGBA{20, 20, 220, 255}
)

// flag returns a picture that is red above and blue below.
func flag(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(m, image.Rect(0, 0, w, h/2), image.NewUniform(red), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, h/2, w, h), image.NewUniform(blue), image.Point{}, draw.Src)
	return m
}

func encodedJPEG(t *testing.T, m image.Image) []byte {
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, m, &jpeg.Options{Quality: 95}))
	return out.Bytes()
}

func encodedPNG(t *testing.T, m image.Image) []byte {
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, m))
	return out.Bytes()
}

// exifTIFF returns an EXIF block with an orientation, a maker and a position.
func exifTIFF(order binary.AppendByteOrder, orientation uint16) []byte {
	head := []byte("II*\x00")
	if order.AppendUint16(nil, 1)[0] == 0 {
		head = []byte("MM\x00*")
	}
	tiff := order.AppendUint32(head, 8)
	tiff = order.AppendUint16(tiff, 3)
	tiff = entry(order, tiff, 0x010f, 2, 40, 50) // maker, stored at offset 50
	tiff = order.AppendUint16(order.AppendUint16(tiff, 0x0112), 3)
	tiff = order.AppendUint16(order.AppendUint32(tiff, 1), orientation)
	tiff = append(tiff, 0, 0)
	tiff = entry(order, tiff, 0x8825, 4, 1, 50) // GPS
	tiff = order.AppendUint32(tiff, 0)
	return append(tiff, "SecretCam GPS 52.5163N 13.3777E here!!!!"...)
}

func entry(order binary.AppendByteOrder, b []byte, tag, kind uint16, count, value uint32) []byte {
	b = order.AppendUint16(order.AppendUint16(b, tag), kind)
	return order.AppendUint32(order.AppendUint32(b, count), value)
}

func jpegWith(t *testing.T, m image.Image, tiff []byte) []byte {
	raw := encodedJPEG(t, m)
	body := append([]byte("Exif\x00\x00"), tiff...)
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(body)+2))
	return bytes.Join([][]byte{raw[:2], segment, body, raw[2:]}, nil)
}

// encodedChunk returns a chunk of a PNG.
func encodedChunk(name string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, name...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

func requireNear(t *testing.T, want color.NRGBA, got color.Color, where string) {
	t.Helper()
	r, g, b, _ := got.RGBA()
	for i, pair := range [][2]int{{int(want.R), int(r >> 8)}, {int(want.G), int(g >> 8)}, {int(want.B), int(b >> 8)}} {
		require.InDelta(t, pair[0], pair[1], 30, "%s, channel %d: %v", where, i, got)
	}
}

func convertRaw(ctx context.Context, raw []byte) (Picture, error) {
	return Convert(ctx, bytes.NewReader(raw), int64(len(raw)))
}

func TestConvert_EachFormat(t *testing.T) {
	t.Parallel()
	m := flag(600, 60) // small, because the encoder is slow with the race detector
	var asGIF, asWebP bytes.Buffer
	paletted := image.NewPaletted(m.Rect, palette.WebSafe)
	draw.Draw(paletted, m.Rect, m, image.Point{}, draw.Src)
	second := image.NewPaletted(m.Rect, palette.WebSafe)
	require.NoError(t, gif.EncodeAll(&asGIF, &gif.GIF{Image: []*image.Paletted{paletted, second}, Delay: []int{1, 1}}))
	require.NoError(t, encoder.Encode(&asWebP, m))
	for name, raw := range map[string][]byte{
		"jpeg": encodedJPEG(t, flag(2000, 200)), "png": encodedPNG(t, m), "gif": asGIF.Bytes(), "webp": asWebP.Bytes(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := convertRaw(context.Background(), raw)
			require.NoError(t, err)
			size := image.Pt(600, 60)
			if name == "jpeg" {
				size = image.Pt(1600, 160)
			}
			require.Equal(t, size, image.Pt(p.Width, p.Height))
			full, err := webp.Decode(bytes.NewReader(p.Full))
			require.NoError(t, err)
			require.Equal(t, size, full.Bounds().Size())
			requireNear(t, red, full.At(size.X/2, size.Y/8), "above")
			requireNear(t, blue, full.At(size.X/2, size.Y*7/8), "below")
			small, err := webp.Decode(bytes.NewReader(p.Thumb))
			require.NoError(t, err)
			require.Equal(t, image.Pt(480, 48), small.Bounds().Size())
			data, ok := strings.CutPrefix(p.Placeholder, "data:image/webp;base64,")
			require.True(t, ok)
			require.Less(t, len(p.Placeholder), 1000)
			raw, err := base64.StdEncoding.DecodeString(data)
			require.NoError(t, err)
			tiny, err := webp.Decode(bytes.NewReader(raw))
			require.NoError(t, err)
			require.Equal(t, image.Pt(20, 2), tiny.Bounds().Size())
		})
	}
}

func TestConvert_SmallAndTransparentPictures(t *testing.T) {
	t.Parallel()
	p, err := convertRaw(context.Background(), encodedPNG(t, image.NewNRGBA(image.Rect(0, 0, 7, 3))))
	require.NoError(t, err)
	require.Equal(t, [2]int{7, 3}, [2]int{p.Width, p.Height})
	full, err := webp.Decode(bytes.NewReader(p.Full))
	require.NoError(t, err)
	requireNear(t, color.NRGBA{255, 255, 255, 255}, full.At(3, 1), "middle")
}

// In each orientation, the red edge is the row 0 of EXIF.
func TestConvert_AppliesTheOrientation(t *testing.T) {
	t.Parallel()
	type edge struct{ x, y int } // where red is expected, in eighths
	want := map[uint16]edge{1: {4, 1}, 2: {4, 1}, 3: {4, 7}, 4: {4, 7}, 5: {1, 4}, 6: {7, 4}, 7: {7, 4}, 8: {1, 4}}
	for orientation, red8 := range want {
		order := []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian}[orientation%2]
		p, err := convertRaw(context.Background(), jpegWith(t, flag(80, 40), exifTIFF(order, orientation)))
		require.NoError(t, err)
		if orientation >= 5 {
			require.Equal(t, [2]int{40, 80}, [2]int{p.Width, p.Height}, "orientation %d", orientation)
		}
		m, err := webp.Decode(bytes.NewReader(p.Full))
		require.NoError(t, err)
		requireNear(t, red, m.At(p.Width*red8.x/8, p.Height*red8.y/8), order.String())
		requireNear(t, blue, m.At(p.Width*(8-red8.x)/8, p.Height*(8-red8.y)/8), order.String())
	}
}

// A flag of two stripes cannot show mirroring.
func TestOrient_FollowsEXIF(t *testing.T) {
	t.Parallel()
	corner := map[int]image.Point{ // where the first pixel of a 3 × 2 picture goes
		1: {}, 2: {X: 2}, 3: {X: 2, Y: 1}, 4: {Y: 1}, 5: {}, 6: {X: 1}, 7: {X: 1, Y: 2}, 8: {Y: 2},
	}
	m := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	m.SetNRGBA(0, 0, red)
	for orientation, at := range corner {
		require.Equal(t, red, orient(m, orientation).NRGBAAt(at.X, at.Y), "orientation %d", orientation)
	}
}

func TestOrientation_OfPNGAndWebP(t *testing.T) {
	t.Parallel()
	raw := encodedPNG(t, flag(8, 4))
	tiff := exifTIFF(binary.BigEndian, 6)
	require.Equal(t, 6, orientation(bytes.Join([][]byte{raw[:33], encodedChunk("eXIf", tiff), raw[33:]}, nil)))
	block := binary.LittleEndian.AppendUint32([]byte("RIFF\x00\x00\x00\x00WEBPVP8 \x01\x00\x00\x00a\x00EXIF"), uint32(len(tiff)))
	require.Equal(t, 6, orientation(append(block, tiff...)))
	tiff = append([]byte("Exif\x00\x00"), tiff...) // as some cameras write it
	block = binary.LittleEndian.AppendUint32([]byte("RIFF\x00\x00\x00\x00WEBPEXIF"), uint32(len(tiff)))
	require.Equal(t, 6, orientation(append(block, tiff...)))
	require.Equal(t, 1, orientation(raw))
}

func TestConvert_RemovesMetadata(t *testing.T) {
	t.Parallel()
	raw := jpegWith(t, flag(80, 40), exifTIFF(binary.BigEndian, 1))
	raw = append(raw, "PK\x03\x04 <script>alert(1)</script>"...) // a file that is also another format
	require.Contains(t, string(raw), "GPS 52.5163N")
	p, err := convertRaw(context.Background(), raw)
	require.NoError(t, err)
	for _, out := range [][]byte{p.Full, p.Thumb, []byte(p.Placeholder)} {
		for _, trace := range []string{"GPS", "52.5163N", "SecretCam", "Exif", "EXIF", "script", "PK\x03\x04"} {
			require.NotContains(t, string(out), trace)
		}
	}
}

// bomb returns a PNG of black pixels that is small for any size. It contains only the
// given number of rows.
func bomb(t *testing.T, w, h, rows int) []byte {
	var pixels bytes.Buffer
	z, err := zlib.NewWriterLevel(&pixels, zlib.BestCompression)
	require.NoError(t, err)
	row := make([]byte, 1+(w+7)/8)
	for range rows {
		_, err := z.Write(row)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	header = append(header, 1, 0, 0, 0, 0) // one bit, grey
	return bytes.Join([][]byte{[]byte("\x89PNG\r\n\x1a\n"), encodedChunk("IHDR", header), encodedChunk("IDAT", pixels.Bytes()), encodedChunk("IEND", nil)}, nil)
}

// Not parallel, because it measures the allocations of the process.
func TestConvert_RefusesBombByHeader(t *testing.T) {
	raw := bomb(t, 20_000, 20_000, 1_000)
	require.Less(t, len(raw), 64<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := convertRaw(context.Background(), raw)
	runtime.ReadMemStats(&after)
	testkit.RequireKind(t, err, fault.Invalid)
	require.Contains(t, err.Error(), "megapixels")
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(4<<20))
}

func TestConvert_LimitsPixels(t *testing.T) {
	t.Parallel()
	p, err := convertRaw(context.Background(), bomb(t, 40_000, 50, 50))
	require.NoError(t, err)
	require.Equal(t, [2]int{1600, 2}, [2]int{p.Width, p.Height})
	_, err = convertRaw(context.Background(), bomb(t, 40_000, 1_000, 10)) // the largest allowed, which is then found to be incomplete
	require.ErrorContains(t, err, "could not read")
	_, err = convertRaw(context.Background(), bomb(t, 40_000, 1_001, 10))
	require.ErrorContains(t, err, "megapixels")
}

func TestConvert_RefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	asJPEG, asPNG := encodedJPEG(t, flag(200, 100)), encodedPNG(t, flag(200, 100))
	var asWebP bytes.Buffer
	require.NoError(t, encoder.Encode(&asWebP, flag(200, 100)))
	for name, raw := range map[string][]byte{
		"nothing":        {},
		"text":           []byte("hello"),
		"svg":            []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"html":           []byte("<!doctype html><script>alert(1)</script>"),
		"gif and script": []byte("GIF89a/*\x00\x00*/=1;alert(1)//"),
		"truncated jpeg": asJPEG[:len(asJPEG)/2],
		"jpeg header":    asJPEG[:4],
		"truncated png":  asPNG[:len(asPNG)/2],
		"truncated webp": asWebP.Bytes()[:asWebP.Len()/2],
		"pdf":            []byte("%PDF-1.7\n"),
		"bmp":            append([]byte("BM"), make([]byte, 60)...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := convertRaw(context.Background(), raw)
			testkit.RequireInvalid(t, err, "photo")
		})
	}
	_, err := convertRaw(context.Background(), append([]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00heicmif1"), make([]byte, 100)...))
	require.ErrorContains(t, err, "HEIC")
	_, err = convertRaw(context.Background(), make([]byte, MaxBytes+1))
	testkit.RequireKind(t, err, fault.TooLarge)
}

func TestShrink_Averages(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA(image.Rect(0, 0, 300, 200))
	for y := range 200 {
		for x := range 300 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(255 * (x % 2)), uint8(255 * (y % 2)), 100, 255})
		}
	}
	small := shrink(m, 75)
	require.Equal(t, image.Pt(75, 50), small.Rect.Size())
	for i := 0; i < len(small.Pix); i += 4 {
		require.Equal(t, []uint8{128, 128, 100, 255}, small.Pix[i:i+4])
	}
	odd := shrink(flag(333, 777), 100)
	requireNear(t, red, odd.At(0, 0), "first")
	requireNear(t, blue, odd.At(odd.Rect.Dx()-1, 99), "last")
}

func TestConvert_StopsWaitingWhenContextEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := convertRaw(ctx, encodedPNG(t, flag(8, 8)))
	testkit.RequireKind(t, err, fault.Unavailable)
}

func FuzzOrientation(f *testing.F) {
	seeds := []string{
		"\xff\xd8\xff\xe1\x00\x10Exif\x00\x00II*\x00\x08\x00\x00\x00",
		"RIFF\x00\x00\x00\x00WEBPEXIF\xff\xff\xff\xff",
		"\x89PNG\r\n\x1a\n\xff\xff\xff\xffeXIf",
	}
	for _, raw := range append(testkit.Mutations(2000, seeds...), seeds...) {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if o := orientation(raw); o < 1 || o > 8 {
			t.Errorf("orientation %d", o)
		}
	})
}

func BenchmarkConvert12Megapixels(b *testing.B) {
	var raw bytes.Buffer
	m := image.NewNRGBA(image.Rect(0, 0, 4000, 3000))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * 7 / 13 >> 3)
	}
	if err := jpeg.Encode(&raw, m, nil); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := convertRaw(context.Background(), raw.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}
