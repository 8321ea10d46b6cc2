package media_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/recordings"
	"heartward/api/platform/testkit"
)

// madeByFFmpeg returns a file of two seconds that ffmpeg makes of a test picture, two sounds and the arguments.
func madeByFFmpeg(t *testing.T, f *media.FFmpeg, name, arguments string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	args := strings.Fields("-nostdin -loglevel error -f lavfi -i testsrc=size=320x240:rate=25:duration=2 " +
		"-f lavfi -i sine=frequency=440:duration=2 -f lavfi -i sine=frequency=880:duration=2 " + arguments)
	out, err := exec.CommandContext(t.Context(), f.Path(), append(args, path)...).CombinedOutput()
	require.NoError(t, err, string(out))
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}

// chosen describes a video file of the device whose duration the browser could not measure.
var chosen = media.FileSpec{Kind: "video", Chosen: true}

// Files of phones and cameras have tracks, codecs and containers that no browser's recorder writes. They are stored as MP4 with
// one picture and one sound, and without metadata such as the place.
func TestAddRecording_ConvertsVideosOfTheDevice(t *testing.T) {
	t.Parallel()
	program := realFFmpeg(t)
	w := newEnvWith(t, program)
	owner := w.Member("Ada Moss").ID
	for name, arguments := range map[string]string{
		"iphone.mov": "-map 0 -map 1 -timecode 00:00:00:00 -metadata creation_time=2020-01-02T03:04:05Z " +
			"-metadata com.apple.quicktime.location.ISO6709=+48.1371+011.5754/ " +
			"-movflags use_metadata_tags -c:v libx264 -pix_fmt yuv420p -c:a aac",
		"two-sounds.mp4":     "-map 0 -map 1 -map 2 -c:v libx264 -pix_fmt yuv420p -c:a aac",
		"camera.mov":         "-map 0 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a pcm_s16le",
		"matroska.mkv":       "-map 0 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a libmp3lame",
		"without-sound.mov":  "-map 0 -timecode 00:00:00:00 -c:v libx264 -pix_fmt yuv420p",
		"chapters-first.mp4": "-map 1 -map 0 -map 2 -metadata title=Diary -c:v libx264 -pix_fmt yuv420p -c:a aac",
		"plain.mp4":          "-map 0 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a aac",
		// A picture that cannot be copied into MP4, and one that no browser plays.
		"screen.webm":    "-map 0 -map 1 -c:v libvpx -c:a libopus",
		"old-camera.mov": "-map 0 -map 1 -c:v mjpeg -pix_fmt yuvj420p -c:a pcm_s16le",
	} {
		upload := w.uploadFor(owner, media.ForProfile, madeByFFmpeg(t, program, name, arguments))
		video, err := w.s.AddRecording(context.Background(), owner, upload, chosen, members.GalleryVideoSlot)
		require.NoError(t, err, name)
		require.InDelta(t, 2000, video.DurationMs, 200, name)
		stored := w.read(owner, video.ID, "media")
		found, err := recordings.Inspect(strings.NewReader(string(stored)), int64(len(stored)), recordings.Video, media.MaxVideo)
		require.NoError(t, err, name)
		require.True(t, found.PlaysEverywhere(), "%s: %v", name, found.Codecs)
		require.NotContains(t, string(stored), "48.1371", name)
		require.NotContains(t, string(stored), "Diary", name)
		w.Exec(`DELETE FROM member_media WHERE file_id = $1`, video.ID)
	}
}

func TestAddRecording_RefusesWhatCannotBeConverted(t *testing.T) {
	t.Parallel()
	program := realFFmpeg(t)
	w := newEnvWith(t, program)
	owner := w.Member("Ada Moss").ID
	add := func(content []byte, spec media.FileSpec) error {
		_, err := w.s.AddRecording(context.Background(), owner, w.uploadFor(owner, media.ForProfile, content), spec, members.GalleryVideoSlot)
		return err
	}
	phone := madeByFFmpeg(t, program, "phone.mov", "-map 0 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a aac")
	for name, c := range map[string]struct {
		content []byte
		spec    media.FileSpec
		message string
	}{
		"a text":                   {[]byte("this is no video at all"), chosen, "We could not read a video"},
		"the beginning of a video": {phone[:len(phone)/3], chosen, "We could not read a video"},
		"a sound":                  {madeByFFmpeg(t, program, "a.mov", "-map 1 -c:a pcm_s16le"), chosen, "We could not read a video"},
		"a long video": {
			madeByFFmpeg(t, program, "long.mov", "-map 0 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a aac -vf setpts=20*PTS -r 5"),
			chosen, "longer than 30 seconds",
		},
		// Encoding must not cut a long one to the longest duration.
		"a long video to encode": {
			madeByFFmpeg(t, program, "long.webm", "-map 0 -map 1 -c:v libvpx -deadline realtime -c:a libopus -vf setpts=20*PTS -r 5"),
			chosen, "longer than 30 seconds",
		},
		"a file of a phone as a recording": {phone, media.FileSpec{Kind: "video"}, "record it again"},
	} {
		err := add(c.content, c.spec)
		testkit.RequireKind(t, err, fault.Invalid, name)
		require.Equal(t, "uploadId", fault.From(err).Field, name)
		require.Contains(t, fault.From(err).Message, c.message, name)
	}
}

// Without ffmpeg nothing of the device is accepted, not even a file that could be a recording.
func TestAddRecording_SaysThatFFmpegIsMissing(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	owner := w.Member("Ada Moss").ID
	upload := w.uploadFor(owner, media.ForProfile, recording(t, "video.mp4"))
	_, err := w.s.AddRecording(t.Context(), owner, upload, chosen, members.GalleryVideoSlot)
	requireFault(t, err, fault.Invalid, "uploadId")
	require.Contains(t, fault.From(err).Message, "ffmpeg, a program that converts them, is missing on its server")
	_, err = w.s.AddRecording(t.Context(), owner, upload, media.FileSpec{Kind: "video"}, members.GalleryVideoSlot)
	require.NoError(t, err, "a recording of the app needs no program")
}

// A recording of a camera that stopped after its first picture has sound for three seconds and one frame.
func TestNormalise_KeepsTheOnlyPictureOfARecording(t *testing.T) {
	t.Parallel()
	program := realFFmpeg(t)
	w := newEnvWith(t, program)
	owner := w.Member("Ada Moss").ID
	content := madeByFFmpeg(t, program, "one-frame.webm", "-map 0 -map 1 -frames:v 1 -c:v libvpx -c:a libopus -live 1")
	// A browser's recorder states no frame rate: the element DefaultDuration becomes one without a meaning (Void).
	at := bytes.Index(content, []byte{0x23, 0xe3, 0x83})
	require.Positive(t, at)
	size := 4 + int(content[at+3]&0x7f)
	copy(content[at:], append([]byte{0xec, 0x80 | byte(size-2)}, make([]byte, size-2)...))
	upload := w.uploadFor(owner, media.ForProfile, content)
	video, err := w.s.AddRecording(t.Context(), owner, upload, media.FileSpec{Kind: "video"}, members.VideoGreetingSlot)
	require.NoError(t, err)
	require.NoError(t, w.s.Normalise(t.Context(), video.ID))
	require.NotEmpty(t, w.read(owner, video.ID, "media.mp4"))
}
