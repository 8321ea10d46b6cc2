package cli

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
	assert.Contains(t, off.Found, "videos that members choose from their devices are refused")

	absent := examineFFmpeg(t.Context(), "/nowhere/ffmpeg")
	assert.Equal(t, maildoctor.Problem, absent.Verdict)
	assert.Contains(t, absent.Found, "/nowhere/ffmpeg")
	assert.Contains(t, absent.Do, "libx264")

	// Builds without the encoder, as some systems have them.
	for version, problem := range map[string]string{
		"7":                    "no encoder libx264",
		"n7.1":                 "no encoder libx264",
		"5.1.9-0+deb12u1":      "no encoder libx264",
		"N-113007-g8d24a28d06": "no encoder libx264", // a build of a commit
		"5.0.3":                "is version 5.0.3, older than 5.1",
		"n4.4.2-0ubuntu0.22":   "is version n4.4.2-0ubuntu0.22, older than 5.1",
	} {
		poor := filepath.Join(t.TempDir(), "ffmpeg")
		script := "#!/bin/sh\ncase \"$*\" in *-version*) echo ffmpeg version " + version + " ;; *) echo \"Codec is not recognized by FFmpeg.\" ;; esac\n"
		require.NoError(t, os.WriteFile(poor, []byte(script), 0o755))
		found := examineFFmpeg(t.Context(), poor)
		assert.Equal(t, maildoctor.Problem, found.Verdict, version)
		assert.Contains(t, found.Found, problem, version)
		assert.NotEmpty(t, found.Do, version)
	}

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
