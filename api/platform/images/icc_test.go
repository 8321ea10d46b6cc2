package images

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"testing"

	encoder "github.com/gen2brain/webp"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/webp"
)

// The matrices of two profiles, adapted to D50.
var (
	displayP3 = matrix3{{0.515102, 0.291965, 0.157153}, {0.241182, 0.692236, 0.066582}, {-0.001047, 0.041881, 0.784378}}
	adobeRGB  = matrix3{{0.609741, 0.205276, 0.149185}, {0.311111, 0.625671, 0.063217}, {0.019470, 0.060867, 0.744568}}
)

// The curve of sRGB as a function with parameters, and a gamma of 2.2.
var (
	srgbCurve = append([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), fixedNumbers(2.4, 1/1.055, 0.055/1.055, 1/12.92, 0.04045)...)
	gamma22   = []byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33")
)

func fixedNumbers(values ...float64) (raw []byte) {
	for _, value := range values {
		raw = binary.BigEndian.AppendUint32(raw, uint32(int32(math.Round(value*65536))))
	}
	return raw
}

// iccFile returns the file of a profile with a matrix and one curve for all channels.
func iccFile(m matrix3, curve []byte) []byte {
	raw := bytes.Repeat([]byte{0}, 128)
	copy(raw[12:], "mntrRGB XYZ ")
	raw = binary.BigEndian.AppendUint32(raw, 6)
	at := uint32(132 + 6*12)
	var data []byte
	add := func(name string, content []byte) {
		raw = append(raw, name...)
		raw = binary.BigEndian.AppendUint32(raw, at+uint32(len(data)))
		raw = binary.BigEndian.AppendUint32(raw, uint32(len(content)))
		data = append(data, content...)
	}
	for c, name := range []string{"r", "g", "b"} {
		add(name+"XYZ", append([]byte("XYZ \x00\x00\x00\x00"), fixedNumbers(m[0][c], m[1][c], m[2][c])...))
		add(name+"TRC", curve)
	}
	return append(raw, data...)
}

// withProfile returns the picture in three formats with the profile. That of the JPEG has two parts.
func withProfile(t *testing.T, m image.Image, icc []byte) map[string][]byte {
	jpegRaw, pngRaw := encodedJPEG(t, m), encodedPNG(t, m)
	var segments []byte
	for i, part := range [][]byte{icc[:100], icc[100:]} {
		body := append([]byte("ICC_PROFILE\x00"), byte(i+1), 2)
		body = append(body, part...)
		segments = append(binary.BigEndian.AppendUint16(append(segments, 0xff, 0xe2), uint16(len(body)+2)), body...)
	}
	var packed, asWebP bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, err := z.Write(icc)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	const afterHeader = 8 + 25
	require.NoError(t, encoder.Encode(&asWebP, m, encoder.Options{Quality: 95}))
	extended := binary.LittleEndian.AppendUint32([]byte("VP8X"), 10)
	extended = append(extended, 0x20, 0, 0, 0, byte(m.Bounds().Dx()-1), 0, 0, byte(m.Bounds().Dy()-1), 0, 0)
	extended = append(binary.LittleEndian.AppendUint32(append(extended, "ICCP"...), uint32(len(icc))), icc...)
	if len(icc)%2 == 1 {
		extended = append(extended, 0)
	}
	extended = append(extended, asWebP.Bytes()[12:]...)
	riff := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(extended)+4))
	return map[string][]byte{
		"jpeg": bytes.Join([][]byte{jpegRaw[:2], segments, jpegRaw[2:]}, nil),
		"png":  bytes.Join([][]byte{pngRaw[:afterHeader], encodedChunk("iCCP", append([]byte("P3\x00\x00"), packed.Bytes()...)), pngRaw[afterHeader:]}, nil),
		"webp": append(append(riff, "WEBP"...), extended...),
	}
}

// The expected colours are those of the matrix of CSS Color 4 between Display P3 and sRGB.
func TestConvert_ConvertsTheColoursOfAProfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to color.NRGBA }{
		{color.NRGBA{120, 100, 90, 255}, color.NRGBA{124, 99, 88, 255}},
		{color.NRGBA{180, 90, 60, 255}, color.NRGBA{193, 83, 51, 255}},
		{color.NRGBA{60, 160, 80, 255}, color.NRGBA{0, 163, 69, 255}},
	} {
		m := image.NewNRGBA(image.Rect(0, 0, 64, 64))
		for i := 0; i < len(m.Pix); i += 4 {
			copy(m.Pix[i:], []byte{c.from.R, c.from.G, c.from.B, 255})
		}
		for name, raw := range withProfile(t, m, iccFile(displayP3, srgbCurve)) {
			decoded, err := formats["image/"+name].decode(bytes.NewReader(raw))
			require.NoError(t, err, name)
			converted := shrink(decoded, fullSide)
			toSRGB(converted, raw)
			tolerance := map[string]float64{"png": 1, "jpeg": 3, "webp": 12}[name] // the decoder of WebP changes colours itself
			for i, want := range []uint8{c.to.R, c.to.G, c.to.B} {
				require.InDelta(t, want, converted.Pix[i], tolerance, "%s of %v, channel %d", name, c.from, i)
			}
			p, err := convertRaw(context.Background(), raw)
			require.NoError(t, err, name)
			expected, err := encode(converted, fullQuality)
			require.NoError(t, err)
			require.Equal(t, expected, p.Full, "%s: Convert stores the converted colours", name)
			require.NotContains(t, string(p.Full), "ICCP", "the profile is not kept")
		}
	}
}

func TestToSRGB_EachKindOfProfile(t *testing.T) {
	t.Parallel()
	// pixel converts a pixel by a profile in a JPEG.
	pixel := func(from [3]byte, icc []byte) []byte {
		m := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		copy(m.Pix, append(from[:], 255))
		body := append([]byte("ICC_PROFILE\x00\x01\x01"), icc...)
		segment := append(binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe2}, uint16(len(body)+2)), body...)
		toSRGB(m, segment)
		return m.Pix[:3]
	}
	require.Equal(t, []byte{10, 128, 250}, pixel([3]byte{10, 128, 250}, iccFile(srgbToXYZ, srgbCurve)), "sRGB changes nothing")
	require.Equal(t, []byte{128, 128, 128}, pixel([3]byte{128, 128, 128}, iccFile(displayP3, srgbCurve)), "grey stays grey")
	adobe := pixel([3]byte{150, 150, 60}, iccFile(adobeRGB, gamma22))
	require.InDelta(t, 150, int(adobe[0]), 3)
	require.InDelta(t, 151, int(adobe[1]), 3)
	require.Less(t, adobe[2], byte(55), "the blue of Adobe RGB is wider")
	table := append([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x03"), 0, 0, 0x80, 0, 0xff, 0xff)
	require.Equal(t, []byte{188, 188, 188}, pixel([3]byte{128, 128, 128}, iccFile(srgbToXYZ, table)), "a straight line is linear light")

	valid := iccFile(displayP3, srgbCurve)
	cmyk := append([]byte{}, valid...)
	copy(cmyk[16:], "CMYK")
	for name, icc := range map[string][]byte{
		"of a printer": cmyk, "cut": valid[:200], "empty": {}, "without tags": valid[:140], "of a damaged curve": iccFile(displayP3, []byte("para\x00\x00\x00\x00\x00\x09\x00\x00")),
		"of an infinite curve": iccFile(displayP3, append([]byte("para\x00\x00\x00\x00\x00\x00\x00\x00"), fixedNumbers(-1)...)),
	} {
		require.Equal(t, []byte{10, 128, 250}, pixel([3]byte{10, 128, 250}, icc), "a profile %s is ignored", name)
	}
}

func FuzzParseICC(f *testing.F) {
	f.Add(iccFile(displayP3, srgbCurve))
	f.Add(iccFile(adobeRGB, gamma22))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		if p, ok := parseICC(raw); ok {
			_ = p.hasCurveOfSRGB()
		}
	})
}

// The first frame of an animation is stored.
func TestConvert_TakesTheFirstFrameOfAnimations(t *testing.T) {
	t.Parallel()
	m := flag(64, 64)
	pngRaw := encodedPNG(t, m)
	const afterHeader = 8 + 25
	control := encodedChunk("acTL", []byte{0, 0, 0, 1, 0, 0, 0, 0})
	frame := binary.BigEndian.AppendUint32(nil, 0)
	for _, value := range []uint32{64, 64, 0, 0} {
		frame = binary.BigEndian.AppendUint32(frame, value)
	}
	frame = append(frame, 0, 1, 0, 10, 0, 0)
	apng := bytes.Join([][]byte{pngRaw[:afterHeader], control, encodedChunk("fcTL", frame), pngRaw[afterHeader:]}, nil)

	var still bytes.Buffer
	require.NoError(t, encoder.Encode(&still, m, encoder.Options{Quality: 95}))
	animated := func(frames ...[]byte) []byte {
		content := append(binary.LittleEndian.AppendUint32([]byte("VP8X"), 10), 0x02, 0, 0, 0, 63, 0, 0, 63, 0, 0)
		content = append(binary.LittleEndian.AppendUint32(append(content, "ANIM"...), 6), 0, 0, 0, 0, 0, 0)
		for _, f := range frames {
			content = append(binary.LittleEndian.AppendUint32(append(content, "ANMF"...), uint32(len(f)+16)), 0, 0, 0, 0, 0, 0, 63, 0, 0, 63, 0, 0, 100, 0, 0, 0)
			content = append(content, f...)
		}
		riff := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(content)+4))
		return append(append(riff, "WEBP"...), content...)
	}
	for name, raw := range map[string][]byte{"apng": apng, "webp": animated(still.Bytes()[12:], still.Bytes()[12:])} {
		p, err := convertRaw(context.Background(), raw)
		require.NoError(t, err, name)
		full, err := webp.Decode(bytes.NewReader(p.Full))
		require.NoError(t, err)
		requireNear(t, red, full.At(32, 8), name)
		requireNear(t, blue, full.At(32, 56), name)
	}
}
