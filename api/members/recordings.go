package members

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/recordings"
)

// Limits of a recording.
const (
	MaxRecording = 25 << 20
	MaxVoice     = 60 * time.Second
	MaxVideo     = 30 * time.Second
)

// Recorded is an uploaded recording. The declared values are checked against the content.
type Recorded struct {
	Content interface {
		io.ReaderAt
		io.ReadSeeker
	}
	Bytes      int64
	DurationMs int // measured by the recorder; zero if unknown
	Waveform   []int
	Poster     io.ReadSeeker // a picture, or nil
	PosterSize int64
}

// SetAudioGreeting sets the member's voice greeting, replacing the previous one. It returns
// Invalid unless rec is a complete audio recording of at most 60 seconds, TooLarge above
// 25 MiB, and the errors of AddPhoto.
func (s *Service) SetAudioGreeting(ctx context.Context, member uuid.UUID, rec Recorded) (Recording, error) {
	return s.addRecording(ctx, member, audioGreetingSlot, recordings.Audio, MaxVoice, rec)
}

// SetVideoGreeting sets the member's video greeting, replacing the previous one. It returns
// Invalid unless rec is a complete video of at most 30 seconds and its poster a picture, and
// the errors of SetAudioGreeting.
func (s *Service) SetVideoGreeting(ctx context.Context, member uuid.UUID, rec Recorded) (Recording, error) {
	return s.addRecording(ctx, member, videoGreetingSlot, recordings.Video, MaxVideo, rec)
}

// AddGalleryVideo adds a video to the end of the gallery, which has at most four. It returns
// the errors of SetVideoGreeting.
func (s *Service) AddGalleryVideo(ctx context.Context, member uuid.UUID, rec Recorded) (Recording, error) {
	return s.addRecording(ctx, member, galleryVideoSlot, recordings.Video, MaxVideo, rec)
}

func (s *Service) addRecording(ctx context.Context, member uuid.UUID, in slot, kind recordings.Kind, longest time.Duration, rec Recorded) (Recording, error) {
	if err := s.AllowUpload(ctx, member); err != nil {
		return Recording{}, err
	}
	upload, err := RecordingUpload(ctx, kind, longest, rec)
	if err != nil {
		return Recording{}, err
	}
	id, err := s.storeInSlot(ctx, member, in, upload)
	if err != nil {
		return Recording{}, err
	}
	row := mediaRow{ID: id, MimeType: upload.ContentType, DurationMs: &upload.DurationMs, Waveform: upload.Waveform, Placeholder: upload.Placeholder}
	if upload.Width > 0 {
		row.Width = &upload.Width
	}
	return row.recording(), nil
}

// RecordingUpload inspects a recording and converts it to an Upload. It returns the errors
// of SetVideoGreeting.
func RecordingUpload(ctx context.Context, kind recordings.Kind, longest time.Duration, rec Recorded) (Upload, error) {
	if rec.Bytes > MaxRecording {
		return Upload{}, fault.New(fault.TooLarge, "This recording is larger than 25 MB. Please record a shorter one.")
	}
	found, err := recordings.Inspect(rec.Content, rec.Bytes, kind, longest)
	if err != nil {
		return Upload{}, err
	}
	upload := Upload{
		ContentType: found.ContentType, Waveform: rec.Waveform, DurationMs: duration(found.Duration, rec.DurationMs, longest),
		blobs: []blob{{blobs.Original, found.ContentType, found.Clean(rec.Content), rec.Bytes}},
	}
	if rec.Poster == nil {
		return upload, nil
	}
	picture, err := images.Convert(ctx, rec.Poster, rec.PosterSize)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Field != "" {
		f.Field = "poster"
	}
	if err != nil {
		return Upload{}, err
	}
	upload.Width, upload.Height, upload.Placeholder = picture.Width, picture.Height, picture.Placeholder
	upload.blobs = append(upload.blobs, blob{blobs.Poster, images.ContentType, bytes.NewReader(picture.Full), int64(len(picture.Full))})
	return upload, nil
}

// duration returns the measured duration, or the declared one if that is at most a second
// longer, because the duration of the last frame is unknown.
func duration(measured time.Duration, declaredMs int, longest time.Duration) int {
	ms := int(measured.Milliseconds())
	if declaredMs > ms-1000 && declaredMs < ms+1000 && declaredMs > 0 {
		ms = declaredMs
	}
	return max(1, min(ms, int(longest.Milliseconds())))
}
