package media

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FFmpeg transcodes recordings with the ffmpeg program of this machine. Its input
// is untrusted, so it runs in an empty folder, without the server's environment,
// with limits of time and memory, and where the kernel allows namespaces, without a
// network and without access to other processes.
type FFmpeg struct {
	path     string
	version  string // as the program states it, such as "5.1.9-0+deb12u1"
	isolated bool   // runs in separate namespaces
}

// FindFFmpeg returns the program at the configured path, or the one in PATH if configured
// is empty. It returns nil if configured is "off", or if it is empty and PATH has none.
func FindFFmpeg(ctx context.Context, configured string) (*FFmpeg, error) {
	if configured == "off" {
		return nil, nil
	}
	name := configured
	if name == "" {
		name = "ffmpeg"
	}
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		if configured == "" {
			return nil, nil
		}
		return nil, err
	}
	for _, isolated := range []bool{true, false} {
		f := &FFmpeg{path: path, isolated: isolated}
		var out string
		out, err = f.run(ctx, os.TempDir(), "-version")
		if version, ok := strings.CutPrefix(out, "ffmpeg version "); err == nil && ok {
			f.version, _, _ = strings.Cut(strings.TrimSpace(version), " ")
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s does not run: %w", path, err)
}

// Path returns the path of the program.
func (f *FFmpeg) Path() string { return f.path }

// Limits of one run. The address space is far larger than the memory in use.
const (
	runTime    = 2 * time.Minute
	runCPU     = 110             // seconds
	runMemory  = 3 << 20         // address space in kB
	runFile    = MaxUpload / 512 // blocks of 512 bytes
	runThreads = 2
	maxOutput  = 2 << 10 // bytes of output that are returned
)

// limitScript is a shell script that sets the limits and then executes the program in
// the same process. Limits that a system does not support are skipped.
var limitScript = fmt.Sprintf(`for l in "-t %d" "-v %d" "-f %d" "-c 0"; do ulimit $l 2>/dev/null; done; exec nice -n 10 "$0" "$@"`,
	runCPU, runMemory, runFile)

// run runs the program in the folder and returns the beginning of its output. It
// kills the program when ctx ends or after runTime.
func (f *FFmpeg) run(ctx context.Context, folder string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	// Pdeathsig refers to the thread that started the program, so it must not exit.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", limitScript, f.path}, args...)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = folder, []string{"PATH=/usr/bin:/bin", "LC_ALL=C"}, 5*time.Second
	cmd.SysProcAttr = isolation(f.isolated)
	output, errorOutput := &head{}, &head{}
	cmd.Stdout, cmd.Stderr = output, errorOutput
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("ffmpeg was stopped: %w", context.Cause(ctx))
	case err != nil:
		return "", &refusedError{err, errorOutput.String()}
	}
	return output.String(), nil
}

// refusedError is the error when the program ran and failed, so that a retry is
// useless.
type refusedError struct {
	cause  error
	output string
}

func (e *refusedError) Error() string { return fmt.Sprintf("ffmpeg: %v: %s", e.cause, e.output) }

func isRefused(err error) bool {
	var r *refusedError
	return errors.As(err, &r)
}

// head is a writer that stores the first maxOutput bytes.
type head struct{ strings.Builder }

func (h *head) Write(p []byte) (int, error) {
	if free := maxOutput - h.Len(); free > 0 {
		h.Builder.Write(p[:min(free, len(p))])
	}
	return len(p), nil
}

// demuxers are the demuxers of the containers that package recordings detects. The
// program must not detect the format itself: some formats, such as playlists, refer
// to other files.
var demuxers = map[string]string{"webm": "matroska", "mp4": "mov"}

// Convert writes the MP4 file out with the first video track and the first audio track of the file in, both in the folder,
// without metadata. container is a result of recordings.Container. With encode the video track is encoded, otherwise it is
// copied, which takes about a second. The result is cut at maxDuration. The demuxer of MP4 follows no references to other
// files unless an option allows it.
func (f *FFmpeg) Convert(ctx context.Context, folder, in, out, container string, encode bool, maxDuration time.Duration) error {
	video := []string{"-c:v", "copy"}
	if encode {
		video = encodeArgs(true)
	}
	args, err := inputArgs(in, container)
	if err != nil {
		return err
	}
	tracks := []string{"-map", "0:v:0", "-map", "0:a:0?", "-dn", "-sn"}
	_, err = f.run(ctx, folder, slices.Concat(args, tracks, video, outputArgs(out, "128k", maxDuration))...)
	return err
}

// Normalise transcodes the recording in to an MP4 file out, both in the folder: AAC, and
// for a video H.264 of at most 720 lines, with the index first for streaming.
// contentType is the detected type of in. With capRate a video has at most 30 frames a second, otherwise all of its frames.
func (f *FFmpeg) Normalise(ctx context.Context, folder, in, out, contentType string, capRate bool) error {
	kind, container, _ := strings.Cut(contentType, "/")
	args, err := inputArgs(in, container)
	if err != nil {
		return err
	}
	tracks, maxDuration := []string{"-map", "0:a:0"}, MaxVoice
	if kind == "video" {
		tracks, maxDuration = slices.Concat([]string{"-map", "0:v:0", "-map", "0:a:0?"}, encodeArgs(capRate)), MaxVideo
	}
	_, err = f.run(ctx, folder, slices.Concat(args, tracks, outputArgs(out, "96k", maxDuration))...)
	return err
}

// inputArgs are the arguments before the selection of tracks. The metadata of the input are dropped.
func inputArgs(in, container string) ([]string, error) {
	demuxer, ok := demuxers[container]
	if !ok {
		return nil, &refusedError{errors.New("unknown container"), ""}
	}
	return []string{
		"-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file", "-max_alloc", "268435456",
		"-threads", strconv.Itoa(runThreads), "-f", demuxer, "-i", "file:" + in, "-map_metadata", "-1", "-map_chapters", "-1",
	}, nil
}

// encodeArgs are the arguments that encode the video track, with at most 30 frames a second if capRate is set.
func encodeArgs(capRate bool) []string {
	rate := ""
	if capRate {
		rate = "fps=30,"
	}
	return []string{
		"-vf", rate + `scale=w='trunc(iw*min(1,720/min(iw,ih))/2)*2':h='trunc(ih*min(1,720/min(iw,ih))/2)*2',format=yuv420p`,
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-maxrate", "4M", "-bufsize", "8M", "-profile:v", "main",
		"-x264-params", "threads=" + strconv.Itoa(runThreads),
	}
}

// outputArgs are the arguments that encode the audio track and write the file, which is cut at maxDuration.
func outputArgs(out, audioRate string, maxDuration time.Duration) []string {
	return []string{
		"-c:a", "aac", "-b:a", audioRate, "-ac", "2", "-ar", "48000", "-t", strconv.Itoa(int(maxDuration.Seconds())),
		"-movflags", "+faststart", "-fflags", "+bitexact", "-f", "mp4", "file:" + out,
	}
}
