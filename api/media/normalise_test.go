package media_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/recordings"
	"heartward/api/platform/testkit"
)

// realFFmpeg returns the ffmpeg of this machine. Without one, the test is skipped,
// except by scripts/test, where it fails.
func realFFmpeg(t *testing.T) *media.FFmpeg {
	t.Helper()
	f, err := media.FindFFmpeg(t.Context(), os.Getenv("FFMPEG"))
	require.NoError(t, err)
	if f == nil {
		if os.Getenv("NEED_FFMPEG") != "" {
			t.Fatal("ffmpeg is not installed")
		}
		t.Skip("ffmpeg is not installed")
	}
	return f
}

// A recording of Chrome gets one MP4 copy, whose bytes are counted.
func TestNormalise_CopiesRecordingsOfChrome(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, realFFmpeg(t))
	owner, peer := w.Member("Ada Moss").ID, w.Member("Ada Moss").ID
	for kind, c := range map[string]struct {
		name   string
		kind   recordings.Kind
		tracks []string
	}{
		"audio": {"voice.webm", recordings.Audio, []string{"mp4a"}},
		"video": {"video.webm", recordings.Video, []string{"avc1", "mp4a"}},
	} {
		file := w.file(owner, kind, c.name)
		require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'normalise' AND queue = 'media' AND args->>'fileId' = $1`, file.ID.String()),
			"the job is enqueued with the file")
		require.Nil(t, w.read(owner, file.ID, "media.mp4"))
		var group sync.WaitGroup
		for range 3 { // a job may run concurrently with itself
			group.Go(func() {
				if err := w.s.Normalise(context.Background(), file.ID); err != nil {
					t.Errorf("%v", err)
				}
			})
		}
		group.Wait()
		mp4 := w.read(owner, file.ID, "media.mp4")
		found, err := recordings.Inspect(bytes.NewReader(mp4), int64(len(mp4)), c.kind, time.Minute)
		require.NoError(t, err)
		require.Equal(t, kind+"/mp4", found.ContentType)
		require.ElementsMatch(t, c.tracks, found.Codecs)
		require.True(t, found.PlaysEverywhere())
		require.InDelta(t, *file.DurationMs, found.Duration.Milliseconds(), 300)
		require.Less(t, bytes.Index(mp4, []byte("moov")), bytes.Index(mp4, []byte("mdat")), "the index is at the beginning")
		requireSame(t, stored(t, c.name), w.read(owner, file.ID, "media"), "the original is unchanged")
		require.Equal(t, len(mp4), w.Count(`SELECT copy_bytes FROM files WHERE id = $1`, file.ID))
		require.Equal(t, len(mp4)+int(file.Bytes), w.Count(`SELECT bytes FROM files WHERE id = $1`, file.ID))
		require.Nil(t, w.read(peer, file.ID, "media.mp4"))
		repeated, err := w.s.MakeFile(t.Context(), owner, file.ID, media.FileSpec{Kind: kind})
		require.NoError(t, err)
		require.Equal(t, file, repeated, "the size is that of the original")
		require.NoError(t, w.s.Remove(t.Context(), owner, file.ID))
	}
	w.removeBlobs()
	blobs, _ := w.disk.size()
	require.Zero(t, blobs, "copies are removed with their files")
}

// Safari records fragmented MP4 with H.264 and AAC, which plays in every browser,
// like a normalised copy. Neither is normalised.
func TestNormalise_SkipsRecordingsOfSafari(t *testing.T) {
	t.Parallel()
	f := realFFmpeg(t)
	w := newEnvWith(t, f)
	owner := w.Member("Ada Moss").ID
	for kind, name := range map[string]string{"audio": "voice.webm", "video": "video.webm"} {
		folder := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(folder, "in"), recording(t, name), 0o600))
		require.NoError(t, f.Normalise(t.Context(), folder, "in", "out", kind+"/webm", true))
		fragments := exec.Command(f.Path(), "-loglevel", "error", "-i", "out", "-c", "copy", "-movflags", "frag_keyframe+empty_moov", "-f", "mp4", "fragments")
		fragments.Dir = folder
		output, err := fragments.CombinedOutput()
		require.NoError(t, err, string(output))
		for _, variant := range []string{"out", "fragments"} {
			content, err := os.ReadFile(filepath.Join(folder, variant))
			require.NoError(t, err)
			file, err := w.s.MakeFile(t.Context(), owner, w.upload(owner, content), media.FileSpec{Kind: kind})
			require.NoError(t, err, variant)
			require.Equal(t, kind+"/mp4", file.MimeType)
			require.NoError(t, w.s.Normalise(t.Context(), file.ID))
			require.Nil(t, w.read(owner, file.ID, "media.mp4"), variant)
		}
	}
}

func TestNormalise_SucceedsAfterAFailure(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, realFFmpeg(t))
	owner := w.Member("Ada Moss").ID
	file := w.file(owner, "video", "video.webm")
	blobs, _ := w.disk.size()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, w.s.Normalise(ctx, file.ID), context.Canceled)
	w.disk.full.Store(true) // the disk is full when the copy is stored
	require.Error(t, w.s.Normalise(t.Context(), file.ID))
	w.disk.full.Store(false)
	after, _ := w.disk.size()
	require.Equal(t, blobs, after)
	require.Zero(t, w.Count(`SELECT count(*) FROM files WHERE copy_bytes IS NOT NULL`))
	require.NoError(t, w.s.Normalise(t.Context(), file.ID))
	require.NotNil(t, w.read(owner, file.ID, "media.mp4"))

	deleted := w.file(owner, "audio", "voice.webm")
	require.NoError(t, w.s.Remove(t.Context(), owner, deleted.ID))
	w.removeBlobs()
	require.NoError(t, w.s.Normalise(t.Context(), deleted.ID), "deleted file")
	require.NoError(t, w.s.Normalise(t.Context(), uuid.New()))
}

// A file is read with the demuxer of its detected type or refused. The program
// opens no other file and no URL.
func TestFFmpeg_OpensNoOtherFile(t *testing.T) {
	t.Parallel()
	f := realFFmpeg(t)
	secret := filepath.Join(t.TempDir(), "secret.webm")
	require.NoError(t, os.WriteFile(secret, recording(t, "voice.webm"), 0o600))
	for name, content := range map[string]string{
		"a list of files": "ffconcat version 1.0\nfile '" + secret + "'\n",
		"a playlist":      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://" + secret + "\n#EXT-X-ENDLIST\n",
		"an address":      "#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:1/x.webm\n",
		"nothing":         "",
	} {
		for _, contentType := range []string{"audio/webm", "audio/mp4", "video/webm"} {
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "in"), []byte(content), 0o600))
			require.Error(t, f.Normalise(t.Context(), folder, "in", "out", contentType, true), "%s as %s", name, contentType)
		}
	}
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "in"), recording(t, "voice.webm"), 0o600))
	require.NoError(t, f.Normalise(t.Context(), folder, "in", "out", "audio/webm", true), "a recording is accepted")
}

// A program that does not end is killed when its context ends.
func TestFFmpeg_IsKilledWithItsContext(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "ffmpeg")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n[ \"$1\" = -version ] && echo ffmpeg version 0 && exit\n: >started\nexec sleep 1000\n"), 0o700))
	f, err := media.FindFFmpeg(t.Context(), program)
	require.NoError(t, err)
	folder := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- f.Normalise(ctx, folder, "in", "out", "audio/webm", true) }()
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(folder, "started"))
		return err == nil
	}, testkit.Timeout, 5*time.Millisecond)
	cancel()
	select {
	case err := <-result:
		require.ErrorIs(t, err, context.Canceled)
	case <-time.After(testkit.Timeout):
		t.Fatal("the program was not killed")
	}
}

func TestFindFFmpeg_RefusesOtherPrograms(t *testing.T) {
	t.Parallel()
	f, err := media.FindFFmpeg(t.Context(), "off")
	require.NoError(t, err)
	require.Nil(t, f)
	for _, wrong := range []string{"/nowhere/ffmpeg", "/bin/true", "/dev/null"} {
		_, err := media.FindFFmpeg(t.Context(), wrong)
		require.Error(t, err, wrong)
	}
}
