package recordings_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"heartward/api/platform/fault"
	"heartward/api/platform/recordings"
	"heartward/api/platform/testkit"
)

// The files in testdata were recorded by Chromium from its fake camera and
// microphone, for 1.2 seconds each.
func read(t require.TestingT, name string) []byte {
	raw, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return raw
}

func inspect(raw []byte, kind recordings.Kind, longest time.Duration) (recordings.Info, error) {
	return recordings.Inspect(bytes.NewReader(raw), int64(len(raw)), kind, longest)
}

func clean(t *testing.T, raw []byte, kind recordings.Kind) []byte {
	t.Helper()
	found, err := inspect(raw, kind, time.Minute)
	require.NoError(t, err)
	out, err := io.ReadAll(found.Clean(bytes.NewReader(raw)))
	require.NoError(t, err)
	require.Len(t, out, len(raw))
	again, err := inspect(out, kind, time.Minute)
	require.NoError(t, err, "the cleaned file is a valid recording")
	require.Equal(t, found.Duration, again.Duration)
	return out
}

func requireRefused(t *testing.T, name string, raw []byte, kind recordings.Kind) {
	t.Helper()
	_, err := inspect(raw, kind, time.Minute)
	testkit.RequireKind(t, err, fault.Invalid, name)
	require.Equal(t, "recording", fault.From(err).Field, name)
}

func TestInspect_RecordingsOfBrowsers(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		kind        recordings.Kind
		contentType string
	}{
		"voice.webm": {recordings.Audio, "audio/webm"}, "voice.mp4": {recordings.Audio, "audio/mp4"},
		"video.webm": {recordings.Video, "video/webm"}, "video.mp4": {recordings.Video, "video/mp4"},
		"silent.webm": {recordings.Video, "video/webm"},
	} {
		raw := read(t, name)
		found, err := inspect(raw, want.kind, time.Minute)
		require.NoError(t, err, name)
		require.Equal(t, want.contentType, found.ContentType, name)
		require.InDelta(t, 1.2, found.Duration.Seconds(), 0.2, name)
		requireRefused(t, name+" as the other kind", raw, recordings.Audio+recordings.Video-want.kind)
		_, err = inspect(raw, want.kind, 100*time.Millisecond)
		require.ErrorContains(t, err, "longer than", name)
		clean(t, raw, want.kind)
	}
}

func TestInspect_RefusesOtherFiles(t *testing.T) {
	t.Parallel()
	voice, video := read(t, "voice.webm"), read(t, "video.mp4")
	page := []byte("<!doctype html><script>alert(1)</script>")
	for name, raw := range map[string][]byte{
		"empty": {}, "svg": []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), "html": page,
		"one byte": {0x1a}, "only the header of a WebM": voice[:4], "only the first box of an MP4": video[:12],
		"an Ogg": []byte("OggS\x00\x02" + strings.Repeat("\x00", 99)), "zeros": make([]byte, 4096), "png": []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("x", 99)),
		"HTML after a WebM":               append(bytes.Clone(read(t, "video.webm")), page...),
		"HTML after a WebM of known size": append(bytes.Clone(voice), page...),
		"HTML after an MP4":               append(bytes.Clone(video), page...),
		"HTML before a WebM":              append(bytes.Clone(page), voice...),
		"two WebM":                        append(bytes.Clone(voice), voice...),
		"a QuickTime movie":               bytes.Replace(video, []byte("isom"), []byte("qt  "), 1),
		"a Matroska":                      bytes.Replace(voice, []byte("webm"), []byte("mkvx"), 1),
		"an unknown codec":                bytes.Replace(video, []byte("Opus"), []byte("enca"), 1),
		"subtitles":                       bytes.Replace(video, []byte("soun"), []byte("subt"), 1),
		"only the header":                 bytes.ReplaceAll(video, []byte("moof"), []byte("free")),
		"frames in another file":          bytes.Replace(video, []byte("url \x00\x00\x00\x01"), []byte("url \x00\x00\x00\x00"), 1),
		"a track of timecodes":            appendToBox(video, []string{"moov", "trak"}, boxOf("tref", string(boxOf("tmcd", "\x00\x00\x00\x02")))),
		"a box without a length":          append(bytes.Clone(video), "\x00\x00\x00\x00mdat"...),
		"checksums":                       append(read(t, "video.webm"), "\xbf\x84page"...),
		"an attachment":                   append(read(t, "video.webm"), "\x19\x41\xa4\x69\x84page"...),
	} {
		requireRefused(t, name, raw, recordings.Audio)
		requireRefused(t, name, raw, recordings.Video)
	}
}

func TestInspect_RefusesTruncatedFiles(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]recordings.Kind{"voice.webm": recordings.Audio, "voice.mp4": recordings.Audio, "video.mp4": recordings.Video} {
		raw := read(t, name)
		accepted := 0
		for end := range raw {
			if _, err := inspect(raw[:end], kind, time.Minute); err == nil {
				accepted++ // a live MP4 may end after any fragment
			}
		}
		require.LessOrEqual(t, accepted, 8, name)
	}
	raw := read(t, "video.webm") // without a length, as recorded live
	requireRefused(t, "a live WebM", raw[:len(raw)-3], recordings.Video)
}

// appendToBox appends data to a box, and updates the sizes of the box and its parents.
func appendToBox(raw []byte, path []string, more []byte) []byte {
	out := bytes.Clone(raw)
	at := 0
	for _, name := range path {
		at += bytes.Index(out[at:], []byte(name)) - 4
		binary.BigEndian.PutUint32(out[at:], binary.BigEndian.Uint32(out[at:])+uint32(len(more)))
		at += 8
	}
	return append(out[:at:at], append(more, out[at:]...)...)
}

func boxOf(name, content string) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(8+len(content))), name+content...)
}

func TestClean_RemovesMetadata(t *testing.T) {
	t.Parallel()
	const place = "+45.5152-122.6784/"
	user := boxOf("udta", string(boxOf("\xa9xyz", "\x00\x12\x15\xc7"+place)))
	notes := boxOf("meta", "\x00\x00\x00\x00"+string(boxOf("ilst", place)))
	for name, raw := range map[string][]byte{
		"beside the time":   append(read(t, "video.mp4"), boxOf("prft", place)...),
		"in the movie":      appendToBox(read(t, "video.mp4"), []string{"moov"}, user),
		"in a track":        appendToBox(read(t, "video.mp4"), []string{"moov", "trak"}, notes),
		"after the movie":   append(read(t, "video.mp4"), boxOf("uuid", "0123456789abcdef"+place)...),
		"in free space":     append(read(t, "video.mp4"), boxOf("free", place)...),
		"in space to skip":  append(read(t, "video.mp4"), boxOf("skip", place)...),
		"tags of a WebM":    append(read(t, "video.webm"), "\x12\x54\xc3\x67\x92"+place...),
		"long tags":         append(read(t, "video.webm"), "\x12\x54\xc3\x67\x01\x00\x00\x00\x00\x00\x00\x12"+place...),
		"a void of a WebM":  append(read(t, "video.webm"), "\xec\x92"+place...),
		"a void of 2 bytes": append(read(t, "video.webm"), "\xec\x92"+place+"\xec\x80\xec\x81\x07"...),
	} {
		require.Contains(t, string(raw), place, name)
		require.NotContains(t, string(clean(t, raw, recordings.Video)), place, name)
	}
}

// ffmpeg reads the dates of these headers as creation_time. Those of the recorder's files are of the day of the recording.
func TestClean_RemovesDatesOfMP4(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]recordings.Kind{"voice.mp4": recordings.Audio, "video.mp4": recordings.Video} {
		raw := read(t, name)
		cleaned := clean(t, raw, kind)
		for _, header := range []string{"mvhd", "tkhd", "mdhd"} {
			at := bytes.Index(raw, []byte(header)) + 8 // after the name, the version and the flags
			require.Equal(t, byte(1), raw[at-4], "the dates have 64 bits")
			require.NotEqual(t, make([]byte, 16), raw[at:at+16], "%s: the dates of %s", name, header)
			require.Equal(t, make([]byte, 16), cleaned[at:at+16], "%s: the dates of %s", name, header)
			require.Equal(t, raw[at+16:at+28], cleaned[at+16:at+28], "%s: the fields after the dates of %s", name, header)
		}
	}
}

func TestClean_RemovesDateAndIDOfWebM(t *testing.T) {
	t.Parallel()
	const date, id = "\x0a\x1b\x2c\x3d\x4e\x5f\x60\x71", "one recording id"
	raw := read(t, "video.webm")
	at := bytes.Index(raw, []byte("\x15\x49\xa9\x66")) + 4
	more := "\x44\x61\x88" + date + "\x73\xa4\x90" + id
	raw[at] += byte(len(more)) // the size of the segment's information, in one byte
	cleaned := clean(t, slices.Insert(raw, at+1, []byte(more)...), recordings.Video)
	require.NotContains(t, string(cleaned), date)
	require.NotContains(t, string(cleaned), id)
}

// countingReader counts the bytes that are read.
type countingReader struct {
	*bytes.Reader
	read int
}

func (r *countingReader) ReadAt(p []byte, at int64) (n int, err error) {
	n, err = r.Reader.ReadAt(p, at)
	r.read += n
	return n, err
}

// Lists with huge lengths are read at most once and take no memory.
func TestInspect_HugeLengthsTakeNoMemory(t *testing.T) {
	voice, video := read(t, "voice.webm"), read(t, "video.mp4")
	run := bytes.Index(video, []byte("trun"))
	endless := bytes.Clone(video)
	copy(endless[run+4:], "\x00\x00\x00\x00\xff\xff\xff\xff") // four billion samples of size zero
	header := bytes.Clone(voice[:bytes.Index(voice, []byte("\x1f\x43\xb6\x75"))])
	copy(header[bytes.Index(header, []byte("\x18\x53\x80\x67"))+4:], "\x01\xff\xff\xff\xff\xff\xff\xff") // a segment of unknown size
	voids := append(header, bytes.Repeat([]byte("\xec\x80"), 10<<20)...)
	boxes := append(bytes.Clone(video), bytes.Repeat([]byte("\x00\x00\x00\x08free"), 2<<20)...)
	for name, raw := range map[string][]byte{"samples": endless, "elements": voids, "boxes": boxes} {
		allocated := testing.AllocsPerRun(1, func() { requireRefused(t, name, raw, recordings.Video) })
		require.Less(t, allocated, 1e6, name)
		source := &countingReader{Reader: bytes.NewReader(raw)}
		_, err := recordings.Inspect(source, int64(len(raw)), recordings.Video, time.Minute)
		require.Error(t, err, name)
		require.Less(t, source.read, 2*len(raw), name)
	}
}

func TestInspect_NeverPanics(t *testing.T) {
	t.Parallel()
	names := []string{"voice.webm", "video.webm", "silent.webm", "voice.mp4", "video.mp4"}
	rapid.Check(t, func(t *rapid.T) {
		raw := read(t, rapid.SampledFrom(names).Draw(t, "file"))
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			// Most of the structure is in the first kB.
			at := rapid.IntRange(0, min(len(raw)-1, rapid.SampledFrom([]int{300, 1500, 9999}).Draw(t, "within"))).Draw(t, "at")
			raw[at] = rapid.Byte().Draw(t, "byte")
		}
		kind := recordings.Kind(rapid.IntRange(0, 1).Draw(t, "kind"))
		if found, err := inspect(raw, kind, time.Minute); err == nil {
			if found.Duration < 0 || found.Duration > 61*time.Second {
				t.Fatalf("duration %v", found.Duration)
			}
			if _, err := io.Copy(io.Discard, found.Clean(bytes.NewReader(raw))); err != nil {
				t.Fatal(err)
			}
		}
	})
}

type brokenSource struct{}

func (brokenSource) ReadAt([]byte, int64) (int, error) { return 0, errors.New("read error") }

func TestInspect_ReturnsReadErrors(t *testing.T) {
	t.Parallel()
	_, err := recordings.Inspect(brokenSource{}, 100, recordings.Audio, time.Minute)
	testkit.RequireKind(t, err, fault.Internal)
}
