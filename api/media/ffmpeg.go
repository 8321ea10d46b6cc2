package media

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"heartward/api/members"
)

// FFmpeg is a program on this machine that makes one recording of another. It
// reads what strangers send, so it runs by itself: in an empty folder, with
// nothing of our environment, without a way to the network, for a limited time
// and with limited memory.
type FFmpeg struct {
	path  string
	alone bool // in a network of its own, where the machine allows that
}

// FindFFmpeg looks for the program: under named, or by PATH when that is empty.
// Nil without an error when there is none, or named is "off".
func FindFFmpeg(ctx context.Context, named string) (*FFmpeg, error) {
	if named == "off" {
		return nil, nil
	}
	wanted := named
	if wanted == "" {
		wanted = "ffmpeg"
	}
	path, err := exec.LookPath(wanted)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		if named == "" {
			return nil, nil
		}
		return nil, err
	}
	for _, alone := range []bool{true, false} {
		f := &FFmpeg{path: path, alone: alone}
		var out string
		if out, err = f.run(ctx, os.TempDir(), "-version"); err == nil && strings.HasPrefix(out, "ffmpeg version") {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s does not run: %w", path, err)
}

// Path is where the program is.
func (f *FFmpeg) Path() string { return f.path }

// Limits of one run. The size of the address space is far above what is used.
const (
	runTime     = 2 * time.Minute // on the clock
	runCPU      = 110             // seconds
	runMemory   = 3 << 20         // kB
	runFile     = members.MaxRecording / 512
	runThreads  = 2
	diagnostics = 2 << 10
)

// limited sets the limits in the shell that then becomes the program, so that it
// never runs without. What a system does not know of is left out.
var limited = fmt.Sprintf(`for l in "-t %d" "-v %d" "-f %d" "-c 0"; do ulimit $l 2>/dev/null; done; exec nice -n 10 "$0" "$@"`,
	runCPU, runMemory, runFile)

// run runs the program in the folder until it ends or ctx does, and answers with
// what it printed.
func (f *FFmpeg) run(ctx context.Context, folder string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	// The program dies with the thread that started it, so this one stays.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", limited, f.path}, args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = folder, []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}, 5*time.Second
	cmd.SysProcAttr = isolation(f.alone)
	printed, complaints := &head{}, &head{}
	cmd.Stdout, cmd.Stderr = printed, complaints
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("ffmpeg was stopped: %w", context.Cause(ctx))
	case err != nil:
		return "", &refusedError{err, complaints.String()}
	}
	return printed.String(), nil
}

// refusedError says that the program would not, rather than could not, work.
type refusedError struct {
	cause error
	said  string
}

func (e *refusedError) Error() string { return fmt.Sprintf("ffmpeg: %v: %s", e.cause, e.said) }

func refused(err error) bool {
	var r *refusedError
	return errors.As(err, &r)
}

// head stores the first diagnostics bytes of what is written to it.
type head struct{ strings.Builder }

func (h *head) Write(p []byte) (int, error) {
	if room := diagnostics - h.Len(); room > 0 {
		h.Builder.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// demuxers are how the program is to read what we found a recording to be. It
// must not guess: some of what it could guess names other files.
var demuxers = map[string]string{"webm": "matroska", "mp4": "mov", "ogg": "ogg"}

// Normalise makes out an MP4 of what in is, both names in the folder: AAC, and
// H.264 of at most 720 lines where there is a picture, ready to be played while
// it is fetched. contentType is what in was found to be.
func (f *FFmpeg) Normalise(ctx context.Context, folder, in, out, contentType string) error {
	kind, container, _ := strings.Cut(contentType, "/")
	longest := members.MaxVoice
	args := []string{
		"-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file", "-max_alloc", "268435456",
		"-threads", strconv.Itoa(runThreads), "-f", demuxers[container], "-i", "file:" + in, "-map_metadata", "-1", "-map_chapters", "-1",
	}
	if kind == "video" {
		longest = members.MaxVideo
		args = append(args, "-map", "0:v:0", "-map", "0:a:0?",
			"-vf", `fps=30,scale=w='trunc(iw*min(1,720/min(iw,ih))/2)*2':h='trunc(ih*min(1,720/min(iw,ih))/2)*2',format=yuv420p`,
			"-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-maxrate", "4M", "-bufsize", "8M", "-profile:v", "main",
			"-x264-params", "threads="+strconv.Itoa(runThreads))
	} else {
		args = append(args, "-map", "0:a:0")
	}
	args = append(args, "-c:a", "aac", "-b:a", "96k", "-ac", "2", "-ar", "48000", "-t", strconv.Itoa(int(longest.Seconds())),
		"-movflags", "+faststart", "-fflags", "+bitexact", "-f", "mp4", "file:"+out)
	_, err := f.run(ctx, folder, args...)
	return err
}
