package media

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"heartward/api/platform/fault"
	"heartward/api/platform/files"
	"heartward/api/platform/recordings"
)

// errUnreadable refuses a file that ffmpeg cannot convert.
var errUnreadable = fault.InvalidField("recording",
	"We could not read a video in this file. It may be damaged, or of a kind that we do not know. Please choose another one.")

// needFFmpeg returns Invalid with the field if this process cannot convert files of the device, and nil otherwise.
func (s *Service) needFFmpeg(field string) error {
	if s.ffmpeg != nil {
		return nil
	}
	return fault.InvalidField(field, "This site cannot take videos from your device yet: ffmpeg, a program that converts them, "+
		"is missing on its server. Nothing was stored. Please record the video here, or tell the people who run this site.")
}

// pastMaxVideo is how much is encoded past MaxVideo. The inspection then finds that a longer video is too long; if ffmpeg cut
// it at MaxVideo, it would be accepted.
const pastMaxVideo = 5 * time.Second

// convertChosen converts a video file that the member chose on the device. Such a file may have timecodes, several audio
// tracks, other tracks, the place where it was made, and codecs that no browser plays. So ffmpeg always writes a new MP4 file,
// which is then inspected like a recording. It first copies the video track, and encodes it if that result is invalid.
func (s *Service) convertChosen(ctx context.Context, assembled *assembly, rec receivedRecording) (content, error) {
	if err := s.needFFmpeg("recording"); err != nil {
		return content{}, err
	}
	// For a copy of the file and for the result. Waiting for space while holding that of the upload could deadlock.
	if !assembled.space.TryAcquire(2 * rec.bytes) {
		return content{}, errBusy
	}
	assembled.bytes += 2 * rec.bytes
	container, err := recordings.Container(rec.content)
	if err != nil {
		return content{}, err
	}
	if container == "" {
		return content{}, errUnreadable
	}
	folder, err := os.MkdirTemp("", "heartward-media-")
	if err != nil {
		return content{}, files.DiskFault(err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := writeFile(filepath.Join(folder, "in"), io.NewSectionReader(rec.content, 0, rec.bytes)); err != nil {
		return content{}, err
	}
	for _, encode := range []bool{false, true} {
		found, err := s.convertOnce(ctx, assembled, folder, container, encode, rec)
		if err == nil || !isRefused(err) && !recordings.IsStructural(err) {
			return found, err
		}
		slog.InfoContext(ctx, "a video of the device was not converted", "encoded", encode, "error", err)
	}
	return content{}, errUnreadable
}

// convertOnce converts the file in of the folder and inspects the result, a file that assembled closes.
func (s *Service) convertOnce(ctx context.Context, assembled *assembly, folder, container string, encode bool, rec receivedRecording) (content, error) {
	out := filepath.Join(folder, "out")
	_ = os.Remove(out) // of an earlier conversion
	if err := s.ffmpeg.Convert(ctx, folder, "in", "out", container, encode, MaxVideo+pastMaxVideo); err != nil {
		return content{}, err
	}
	file, err := os.Open(out)
	if err != nil {
		return content{}, err
	}
	assembled.files = append(assembled.files, file) // its content is read when it is stored
	info, err := file.Stat()
	if err != nil {
		return content{}, err
	}
	rec.content, rec.bytes = file, info.Size()
	return inspectRecording(ctx, recordings.Video, MaxVideo, rec)
}

func writeFile(path string, from io.Reader) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return files.DiskFault(err)
	}
	_, err = io.Copy(file, from)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return files.DiskFault(err)
}
