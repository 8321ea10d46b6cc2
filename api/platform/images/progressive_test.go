package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

// progressive returns a progressive JPEG from the tests of Go's decoder.
func progressive(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/progressive.jpeg")
	require.NoError(t, err)
	return raw
}

// resized changes the size in the header.
func resized(t *testing.T, raw []byte, w, h uint16) []byte {
	t.Helper()
	at := bytes.Index(raw, []byte{0xff, 0xc2})
	require.Positive(t, at)
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, h), w)
	return bytes.Join([][]byte{raw[:at+5], size, raw[at+9:]}, nil)
}

func TestIsProgressive(t *testing.T) {
	t.Parallel()
	raw := progressive(t)
	require.True(t, isProgressive(raw))
	for name, hidden := range map[string]string{"rubbish": "\x01\x02\xff\x00", "fill": "\xff\xff\xff", "a restart": "\xff\xd0"} {
		require.True(t, isProgressive(append([]byte("\xff\xd8"+hidden), raw[2:]...)), name)
	}
	for _, other := range [][]byte{encodedJPEG(t, flag(8, 8)), encodedPNG(t, flag(8, 8)), nil, raw[:3], raw[:20], []byte("\xff\xd8\xff\xe1\x00\x00")} {
		require.False(t, isProgressive(other))
	}
}

func TestConvert_LimitsScans(t *testing.T) {
	t.Parallel()
	raw, ctx := progressive(t), context.Background()
	p, err := convertRaw(ctx, raw)
	require.NoError(t, err)
	require.Equal(t, [2]int{150, 103}, [2]int{p.Width, p.Height})

	_, err = convertRaw(ctx, resized(t, raw, 4001, 4000))
	require.ErrorContains(t, err, "16 megapixels")
	_, err = convertRaw(ctx, resized(t, raw, 4000, 4000)) // the largest allowed, which is then found to be incomplete
	require.ErrorContains(t, err, "could not read")

	end := len(raw) - 2
	manyScans := bytes.Join([][]byte{raw[:end], bytes.Repeat([]byte("\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00"), 1_000), raw[end:]}, nil)
	_, err = memoryOf(manyScans, 150*103)
	testkit.RequireKind(t, err, fault.Invalid)
}

func FuzzIsProgressive(f *testing.F) {
	seeds := []string{"\xff\xd8\xff\xff\xff", "\xff\xd8\xff\xe0\x00\x02\xff\xc2"}
	for _, raw := range append(testkit.Mutations(2000, seeds...), seeds...) {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(_ *testing.T, raw []byte) { isProgressive(raw) })
}
