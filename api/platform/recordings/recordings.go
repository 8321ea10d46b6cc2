// Package recordings looks into uploaded voices and videos before they are
// kept: what kind of container it is, which tracks it has, how long it takes,
// and what it tells of the place where it was made. Nothing is decoded.
//
// The containers are read here rather than by a library: those that there are
// make lists as long as the file says they are, and a file of a few bytes can
// say four billion. Here nothing is held but a few kB, and whatever is not known
// to belong into a recording makes it none.
package recordings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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
	Codecs      []string      // of its tracks, in the container's words
	size        int64
	patches     []patch
}

// slack is how much longer than asked for a recording may be: recorders end at
// a frame, not at a time.
const slack = time.Second

// Inspect reads the structure of a recording of size bytes. Invalid, naming the
// field "recording", unless it is a whole WebM, MP4 or Ogg file as recorders
// make them, of the kind asked for and not longer than longest.
func Inspect(source io.ReaderAt, size int64, kind Kind, longest time.Duration) (Found, error) {
	if size == 0 {
		return Found{}, invalid("This recording is empty. Please record it anew.", nil)
	}
	w := &window{source: source, size: size}
	head, err := w.bytes(0, min(size, 12))
	if err != nil {
		return Found{}, err
	}
	var c contents
	var container string
	switch {
	case bytes.HasPrefix(head, []byte("\x1aE\xdf\xa3")):
		container = "webm"
		c, err = readWebM(w)
	case len(head) == 12 && string(head[4:8]) == "ftyp":
		container = "mp4"
		c, err = readMP4(w)
	case bytes.HasPrefix(head, []byte("OggS")):
		container = "ogg"
		c, err = readOgg(w)
	default:
		return Found{}, invalid("This is not a recording that we can read. Please record it here.", nil)
	}
	if errors.Is(err, errSource) {
		return Found{}, err
	}
	if err != nil {
		return Found{}, invalid("We could not read this recording whole. It may be damaged; please record it anew.", err)
	}
	if err := c.check(kind, longest); err != nil {
		return Found{}, err
	}
	name := map[Kind]string{Audio: "audio/", Video: "video/"}[kind] + container
	found := Found{ContentType: name, Duration: c.duration, size: size, patches: c.patches}
	for _, t := range c.tracks {
		found.Codecs = append(found.Codecs, t.codec)
	}
	return found, nil
}

// PlaysEverywhere reports whether every browser plays it: an MP4 of AAC, and
// H.264 where it has a picture.
func (f Found) PlaysEverywhere() bool {
	return strings.HasSuffix(f.ContentType, "/mp4") &&
		!slices.ContainsFunc(f.Codecs, func(codec string) bool { return codec != "mp4a" && codec != "avc1" && codec != "avc3" })
}

// contents are what a container holds.
type contents struct {
	tracks   []track
	duration time.Duration
	frames   int
	patches  []patch
}

type track struct {
	id           uint64
	audio, video bool
	codec        string
}

func (c contents) check(kind Kind, longest time.Duration) error {
	var audio, video, other int
	for _, t := range c.tracks {
		switch {
		case t.audio:
			audio++
		case t.video:
			video++
		default:
			other++
		}
	}
	switch {
	case other > 0 || audio > 1 || video > 1:
		return invalid("This recording holds more than a picture and a sound. Please record it here.", nil)
	case kind == Audio && video > 0:
		return invalid("This is a video. Please record your voice alone.", nil)
	case kind == Audio && audio == 0:
		return invalid("This recording has no sound. Please record it anew.", nil)
	case kind == Video && video == 0:
		return invalid("This recording has no picture. Please record a video.", nil)
	case c.frames == 0:
		return invalid("This recording is empty. Please record it anew.", nil)
	case c.duration > longest+slack:
		return invalid(fmt.Sprintf("This recording is longer than %d seconds. Please record a shorter one.", int(longest.Seconds())), nil)
	}
	return nil
}

func invalid(message string, cause error) error {
	f := fault.Wrap(fault.Invalid, message, cause)
	f.Field = "recording"
	return f
}

// damaged says, for the log, what is wrong with a file and where.
func damaged(at int64, what string) error { return fmt.Errorf("%s at byte %d", what, at) }

// Codecs that browsers record and play.
var codecs = []string{
	"A_OPUS", "A_VORBIS", "V_VP8", "V_VP9", "V_AV1",
	"Opus", "mp4a", "fLaC", "alac", "avc1", "avc3", "hvc1", "hev1", "vp08", "vp09", "av01",
	"OpusHead", "\x01vorbis",
}

func knownCodec(name string) bool { return slices.Contains(codecs, name) }
