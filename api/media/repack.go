package media

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/recordings"
)

// inspectOrRepack is inspect, and accepts videos from the library of a phone too: their files have timecodes, second sounds
// and other tracks that no recorder of a browser writes. ffmpeg copies the picture and the first sound into a new MP4 file,
// which is inspected like an upload. Without ffmpeg such a video is refused, and the refusal says why.
func (s *Service) inspectOrRepack(ctx context.Context, t *assembly, size int64, spec FileSpec) (content, error) {
	found, refusal := inspect(ctx, t, size, spec)
	if refusal == nil || spec.Kind != "video" || !recordings.IsStructural(refusal) {
		return found, refusal
	}
	if s.ffmpeg == nil {
		return content{}, &fault.Error{Kind: fault.Invalid, Field: fault.From(refusal).Field, Message: noFFmpeg}
	}
	if !t.space.TryAcquire(size) { // it must not wait while it holds the space of the upload
		return content{}, errBusy
	}
	t.repacked = size
	packed, err := s.repack(ctx, t.files[0], size)
	if isRefused(err) {
		slog.InfoContext(ctx, "video not repacked", "error", err)
		return content{}, refusal
	}
	if err != nil {
		return content{}, err
	}
	t.files = append(t.files, packed) // closed with the others
	info, err := packed.Stat()
	if err != nil {
		return content{}, err
	}
	t.files[0], t.files[len(t.files)-1] = packed, t.files[0]
	rec := receivedRecording{content: packed, bytes: info.Size(), durationMs: spec.DurationMs, waveform: spec.Waveform}
	if len(t.files) > 2 {
		rec.poster, rec.posterSize = t.files[1], t.bytes-size
	}
	return inspectRecording(ctx, recordings.Video, MaxVideo, rec)
}

const noFFmpeg = "This site cannot convert videos from a phone's library yet, because a program is missing on its server. Please record the video here."

// repack returns a new, already unlinked file with the picture and the first sound of the video. Its error is that of ffmpeg
// for a file that ffmpeg cannot read.
func (s *Service) repack(ctx context.Context, video *os.File, size int64) (*os.File, error) {
	folder, err := os.MkdirTemp("", "heartward-media-")
	if err != nil {
		return nil, files.DiskFault(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	in, err := os.OpenFile(filepath.Join(folder, "in"), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, files.DiskFault(err)
	}
	defer in.Close()
	if _, err := io.Copy(in, io.NewSectionReader(video, 0, size)); err != nil {
		return nil, files.DiskFault(err)
	}
	container, err := recordings.Container(in)
	if err != nil {
		return nil, err
	}
	if err := s.ffmpeg.Repack(ctx, folder, "in", "out", container); err != nil {
		return nil, err
	}
	return os.Open(filepath.Join(folder, "out"))
}
