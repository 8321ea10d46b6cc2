// Package recordings looks into uploaded voices and videos before they are
// kept: what kind of container it is, which tracks it has, how long it takes,
// and what it tells of the place where it was made. Nothing is decoded.
package recordings

import (
	"io"
	"time"

	"heartward/api/platform/fault"
)

// Kind is what a recording is to be.
type Kind int

// The kinds: sound alone, or a picture with or without sound.
const (
	Audio Kind = iota
	Video
)

// Found is what a recording turned out to be.
type Found struct {
	ContentType string
	Duration    time.Duration // to the beginning of the last frame at least
	patches     []patch
}

// patch is what stands at a place in the file instead of what was there.
type patch struct {
	at    int64
	bytes []byte
}

// Source is an uploaded file.
type Source interface {
	io.ReaderAt
	io.ReadSeeker
}

// Inspect reads the structure of a recording of size bytes. Invalid, naming the
// field "recording", unless it is a whole WebM, MP4 or Ogg file as recorders
// make them, of the kind asked for and at most as long as longest.
func Inspect(source Source, size int64, kind Kind, longest time.Duration) (Found, error) {
	return Found{}, fault.InvalidField("recording", "This is not a recording that we can read. Please record it anew.")
}

// Clean reads the recording without what it told of place and people.
func (f Found) Clean(source Source) io.Reader { return source }
