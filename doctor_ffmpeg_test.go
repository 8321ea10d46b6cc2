package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/media"
	"heartward/api/platform/maildoctor"
)

func TestExamineFFmpeg_NamesWhatIsMissing(t *testing.T) {
	off := examineFFmpeg(t.Context(), "off")
	assert.Equal(t, maildoctor.Warning, off.Verdict)
	assert.Contains(t, off.Found, "videos from the library of a phone are refused")

	absent := examineFFmpeg(t.Context(), "/nowhere/ffmpeg")
	assert.Equal(t, maildoctor.Problem, absent.Verdict)
	assert.Contains(t, absent.Found, "/nowhere/ffmpeg")
	assert.Contains(t, absent.Do, "libx264")

	// A build without the encoder, as some systems have it.
	poor := filepath.Join(t.TempDir(), "ffmpeg")
	script := "#!/bin/sh\ncase \"$*\" in *-version*) echo ffmpeg version 7 ;; *) echo \"Codec is not recognized by FFmpeg.\" ;; esac\n"
	require.NoError(t, os.WriteFile(poor, []byte(script), 0o755))
	found := examineFFmpeg(t.Context(), poor)
	assert.Equal(t, maildoctor.Problem, found.Verdict)
	assert.Contains(t, found.Found, "no encoder libx264")

	t.Setenv("PATH", t.TempDir())
	none := examineFFmpeg(t.Context(), "")
	assert.Equal(t, maildoctor.Problem, none.Verdict)
	assert.Contains(t, none.Found, "not found")
}

func TestExamineFFmpeg_AcceptsTheProgramOfThisMachine(t *testing.T) {
	if program, err := media.FindFFmpeg(t.Context(), os.Getenv("FFMPEG")); err != nil || program == nil {
		t.Skip("this machine has no ffmpeg")
	}
	found := examineFFmpeg(t.Context(), os.Getenv("FFMPEG"))
	assert.Equal(t, maildoctor.OK, found.Verdict, "%+v", found)
}
