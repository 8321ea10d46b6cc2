package media

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/fault"
	"heartward/api/platform/images"
	"heartward/api/platform/recordings"
)

// Limits of recordings.
const (
	MaxVoice = 60 * time.Second
	// MaxPromptVoice is for the recorded answer to a prompt.
	MaxPromptVoice = 30 * time.Second
	MaxVideo       = 30 * time.Second
)

// content is a validated picture or recording, ready to be stored.
type content struct {
	ContentType   string
	Width, Height int // of the picture; zero without one
	DurationMs    int // zero for a picture
	Placeholder   string
	Waveform      []int
	blobs         []blob
}

type blob struct {
	variant, contentType string
	content              io.Reader
	bytes                int64
}

// file returns the row of the file with the id.
func (c content) file(id uuid.UUID) members.StoredFile {
	f := members.StoredFile{
		ID: id, ContentType: c.ContentType, Width: c.Width, Height: c.Height,
		DurationMs: c.DurationMs, Placeholder: c.Placeholder, Waveform: c.Waveform,
	}
	for _, b := range c.blobs {
		f.Bytes += b.bytes
	}
	return f
}

// receivedRecording is a recording before it is validated. Its duration is checked against
// its content.
type receivedRecording struct {
	content interface {
		io.ReaderAt
		io.ReadSeeker
	}
	bytes      int64
	durationMs int // as the recorder measured it, or zero
	waveform   []int
	poster     io.ReadSeeker // a picture, or nil
	posterSize int64
}

// convertPicture converts a file of size bytes into a picture in two sizes. It returns
// Invalid for a file that is not a readable picture, and TooLarge above 10 MiB.
func convertPicture(ctx context.Context, file io.ReadSeeker, size int64, crop *images.Crop) (content, error) {
	p, err := images.ConvertPart(ctx, file, size, crop)
	if err != nil {
		return content{}, err
	}
	return content{
		ContentType: images.ContentType, Width: p.Width, Height: p.Height, Placeholder: p.Placeholder,
		blobs: []blob{
			{blobs.Full, images.ContentType, bytes.NewReader(p.Full), int64(len(p.Full))},
			{blobs.Thumb, images.ContentType, bytes.NewReader(p.Thumb), int64(len(p.Thumb))},
		},
	}, nil
}

// inspectRecording validates a recording and converts its poster. It returns Invalid when
// the recording is incomplete, longer than maxDuration or not of the kind, and Invalid
// with the field poster when the poster is not a picture.
func inspectRecording(ctx context.Context, kind recordings.Kind, maxDuration time.Duration, rec receivedRecording) (content, error) {
	found, err := recordings.Inspect(rec.content, rec.bytes, kind, maxDuration)
	if err != nil {
		return content{}, err
	}
	c := content{
		ContentType: found.ContentType, Waveform: rec.waveform, DurationMs: duration(found.Duration, rec.durationMs, maxDuration),
		blobs: []blob{{blobs.Original, found.ContentType, found.Clean(rec.content), rec.bytes}},
	}
	if rec.poster == nil {
		return c, nil
	}
	picture, err := images.Convert(ctx, rec.poster, rec.posterSize)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Field != "" {
		return content{}, f.WithField("poster")
	}
	if err != nil {
		return content{}, err
	}
	c.Width, c.Height, c.Placeholder = picture.Width, picture.Height, picture.Placeholder
	c.blobs = append(c.blobs, blob{blobs.Poster, images.ContentType, bytes.NewReader(picture.Full), int64(len(picture.Full))})
	return c, nil
}

// duration returns the measured duration in milliseconds, or the declared one if they
// differ by less than a second, because a recording does not state how long its last
// frame is shown.
func duration(measured time.Duration, declaredMs int, maxDuration time.Duration) int {
	ms := int(measured.Milliseconds())
	if declaredMs > ms-1000 && declaredMs < ms+1000 && declaredMs > 0 {
		ms = declaredMs
	}
	return max(1, min(ms, int(maxDuration.Milliseconds())))
}
