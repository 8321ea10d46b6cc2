// Package recordings inspects uploaded voice messages and videos before they are
// stored: container, tracks, duration and metadata. It decodes no media.
//
// It does not use a library, because the existing ones allocate lists of the length
// that the file claims, which a small file can set to four billion. This package
// uses a few kB, and refuses everything that is not known to occur in a recording of
// a browser, or in a file that ffmpeg wrote for this server. Other files are only
// sniffed (Container), and converted by ffmpeg.
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

// Kind is the expected kind of a recording.
type Kind int

// The kinds: sound alone, or a picture with or without sound.
const (
	Audio Kind = iota
	Video
)

// Info is the result of inspecting a recording.
type Info struct {
	ContentType string
	Duration    time.Duration // at least to the start of the last frame
	Codecs      []string      // of its tracks, as named by the container
	size        int64
	patches     []patch
}

// durationTolerance is added to the maximum duration, because recorders stop at the end
// of a frame.
const durationTolerance = time.Second

// Inspect reads the structure of a recording of size bytes. It returns Invalid with
// the field "recording" unless it is a complete WebM or MP4 file of a browser's
// recorder, of the kind and not longer than longest.
func Inspect(source io.ReaderAt, size int64, kind Kind, longest time.Duration) (Info, error) {
	if size == 0 {
		return Info{}, invalid("This recording is empty. Please record it again.", nil)
	}
	w := &window{source: source, size: size}
	head, err := w.bytes(0, min(size, 12))
	if err != nil {
		return Info{}, err
	}
	var c contents
	var container string
	switch {
	case bytes.HasPrefix(head, matroskaMagic):
		container = "webm"
		c, err = readWebM(w)
	case len(head) == 12 && string(head[4:8]) == "ftyp":
		container = "mp4"
		c, err = readMP4(w)
	default:
		return Info{}, invalid("This is not a recording that we can read. Please record it here.", errStructure)
	}
	if errors.Is(err, errSource) {
		return Info{}, err
	}
	if err != nil {
		return Info{}, invalid("We could not read the whole recording. It may be damaged; please record it again.", err)
	}
	if err := c.check(kind, longest); err != nil {
		return Info{}, err
	}
	name := map[Kind]string{Audio: "audio/", Video: "video/"}[kind] + container
	info := Info{ContentType: name, Duration: c.duration, size: size, patches: c.patches}
	for _, t := range c.tracks {
		info.Codecs = append(info.Codecs, t.codec)
	}
	return info, nil
}

// PlaysEverywhere reports whether every browser plays the recording. That is an MP4 file
// with AAC and, if it has a picture, H.264.
func (i Info) PlaysEverywhere() bool {
	return strings.HasSuffix(i.ContentType, "/mp4") &&
		!slices.ContainsFunc(i.Codecs, func(codec string) bool { return codec != "mp4a" && codec != "avc1" && codec != "avc3" })
}

// contents is the result of reading a container.
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

// check returns Invalid unless the tracks are those of the kind, and the duration is at most longest.
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
		return invalid("This recording holds more than a picture and a sound. Please record it here.", errStructure)
	case kind == Audio && video > 0:
		return invalid("This is a video. Please record your voice alone.", nil)
	case kind == Audio && audio == 0:
		return invalid("This recording has no sound. Please record it again.", nil)
	case kind == Video && video == 0:
		return invalid("This recording has no picture. Please record a video.", nil)
	case c.frames == 0:
		return invalid("This recording is empty. Please record it again.", nil)
	case c.duration > longest+durationTolerance:
		return invalid(fmt.Sprintf("This recording is longer than %d seconds. Please use a shorter one.", int(longest.Seconds())), nil)
	}
	return nil
}

func invalid(message string, cause error) error {
	return fault.Wrap(fault.Invalid, message, cause).WithField("recording")
}

// errStructure is the cause of a refusal because of the structure of a file.
var errStructure = errors.New("not the structure of a browser's recording")

// IsStructural reports whether Inspect refused a file because of its structure, so that a copy in another container may be
// accepted.
func IsStructural(err error) bool { return errors.Is(err, errStructure) }

// matroskaMagic is the start of an EBML header.
var matroskaMagic = []byte("\x1aE\xdf\xa3")

// Container returns the container of a file, "webm", also for Matroska, or "mp4", also for QuickTime; "" for another one.
func Container(source io.ReaderAt) (string, error) {
	head := make([]byte, 12)
	if n, err := source.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return "", err
	} else if n < len(head) {
		return "", nil
	}
	switch name := string(head[4:8]); {
	case bytes.HasPrefix(head, matroskaMagic):
		return "webm", nil
	case slices.Contains([]string{"ftyp", "moov", "mdat", "wide", "free", "skip"}, name): // old QuickTime files have no type
		return "mp4", nil
	}
	return "", nil
}

// damaged returns an error for the log with the defect and its offset.
func damaged(at int64, what string) error {
	return fmt.Errorf("%w: %s at byte %d", errStructure, what, at)
}

// The codecs that browsers record, and those of pictures that ffmpeg copies out of a video of the device.
var codecs = []string{"A_OPUS", "V_VP8", "V_VP9", "V_AV1", "Opus", "mp4a", "avc1", "avc3", "hvc1", "hev1", "vp09", "av01"}

func knownCodec(name string) bool { return slices.Contains(codecs, name) }
