package recordings

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"
)

// The elements of WebM (RFC 9559) that are read or accepted.
const (
	ebmlHeader    = 0x1A45DFA3
	docType       = 0x4282
	segment       = 0x18538067
	segmentInfo   = 0x1549A966
	timecodeScale = 0x2AD7B1
	infoDuration  = 0x4489
	tracksElement = 0x1654AE6B
	trackEntry    = 0xAE
	trackNumber   = 0xD7
	trackType     = 0x83
	codecID       = 0x86
	trackName     = 0x536E
	encodings     = 0x6D80
	cluster       = 0x1F43B675
	timecode      = 0xE7
	simpleBlock   = 0xA3
	blockGroup    = 0xA0
	block         = 0xA1
	blockDuration = 0x9B
	seekHead      = 0x114D9B74
	cues          = 0x1C53BB6B
	tags          = 0x1254C367
	void          = 0xEC

	ebmlVersion        = 0x4286
	ebmlReadVersion    = 0x42F7
	ebmlMaxIDLength    = 0x42F2
	ebmlMaxSizeLength  = 0x42F3
	docTypeVersion     = 0x4287
	docTypeReadVersion = 0x4285
	muxingApp          = 0x4D80
	writingApp         = 0x5741
	dateUTC            = 0x4461
	segmentUUID        = 0x73A4
	clusterPosition    = 0xA7
	clusterPrevSize    = 0xAB
	referenceBlock     = 0xFB
	referencePriority  = 0xFA
	discardPadding     = 0x75A2
	blockAdditions     = 0x75A1 // the alpha of VP8
)

// The elements that are allowed within others.
var (
	headerParts = []uint32{
		ebmlVersion, ebmlReadVersion, ebmlMaxIDLength, ebmlMaxSizeLength, docType, docTypeVersion, docTypeReadVersion, void,
	}
	segmentParts = []uint32{segmentInfo, tracksElement, cluster, seekHead, cues, tags, void}
	infoParts    = []uint32{timecodeScale, infoDuration, muxingApp, writingApp, dateUTC, segmentUUID, void}
	clusterParts = []uint32{timecode, simpleBlock, blockGroup, clusterPosition, clusterPrevSize, void}
	groupParts   = []uint32{block, blockDuration, referenceBlock, referencePriority, discardPadding, blockAdditions, void}
)

// maxElements limits the work; a recording of a minute has several thousand.
const maxElements = 200_000

type webm struct {
	*window
	contents
	elementsLeft int           // number of elements still allowed
	scale        uint64        // nanoseconds per tick
	ticks        uint64        // of the current cluster
	last         uint64        // end of the last frame, in ticks
	declared     time.Duration // duration in the header
}

// element is an element of the file, by its id, its offset and the range of its content. at is where its header begins.
type element struct {
	id            uint32
	at, body, end int64
	unknownSized  bool // end is then that of its parent
}

func readWebM(w *window) (contents, error) {
	r := &webm{window: w, elementsLeft: maxElements, scale: 1_000_000}
	if err := r.readFile(); err != nil {
		return contents{}, err
	}
	if r.last > uint64(math.MaxInt64)/r.scale {
		return contents{}, damaged(0, "a timestamp that is too large")
	}
	r.duration = max(time.Duration(r.last*r.scale), r.declared)
	return r.contents, nil
}

// readFile reads the header and the only segment.
func (r *webm) readFile() error {
	header, err := r.readElement(0, r.size)
	if err != nil {
		return err
	}
	if err := r.readChildren(header, headerParts, r.headerPart); err != nil {
		return err
	}
	seg, err := r.readElement(header.end, r.size)
	if err != nil {
		return err
	}
	if seg.id != segment {
		return damaged(seg.at, "no segment")
	}
	if err := r.readChildren(seg, segmentParts, r.segmentPart); err != nil {
		return err
	}
	if seg.end != r.size {
		return damaged(seg.end, "data after the recording")
	}
	return nil
}

func (r *webm) headerPart(e element) error {
	if e.id == void {
		return r.blank(e)
	}
	if e.id != docType {
		return nil
	}
	name, err := r.bytes(e.body, min(e.end-e.body, 16))
	if err == nil && string(name) != "webm" {
		return damaged(e.at, "not a WebM")
	}
	return err
}

func (r *webm) segmentPart(e element) error {
	switch e.id {
	case segmentInfo:
		return r.readChildren(e, infoParts, r.infoPart)
	case tracksElement:
		return r.readChildren(e, []uint32{trackEntry, void}, r.trackPart)
	case cluster:
		r.ticks = 0
		return r.readChildren(e, clusterParts, r.clusterPart)
	case tags, void:
		return r.blank(e)
	}
	return nil
}

// blank replaces an element by a Void element of the same length, whose content is zeros.
func (r *webm) blank(e element) error {
	length := e.end - e.at
	// A size of one byte, for an element of less than 9 bytes, or of eight bytes.
	header := []byte{void, byte(0x80 | (length - 2))}
	if length >= 9 {
		header = binary.BigEndian.AppendUint64(nil, uint64(length-9)|1<<56)
		header = append([]byte{void}, header...)
	}
	r.patches = append(r.patches, patch{e.at, header, length})
	return nil
}

func (r *webm) infoPart(e element) (err error) {
	switch e.id {
	case dateUTC, segmentUUID, void:
		return r.blank(e)
	case timecodeScale:
		r.scale, err = r.number(e)
		if err == nil && (r.scale == 0 || r.scale > 1e9) {
			err = damaged(e.at, "an invalid time scale")
		}
	case infoDuration:
		var ticks float64
		ticks, err = r.float(e)
		if err == nil && !(ticks >= 0 && ticks < 1e12) {
			err = damaged(e.at, "an invalid duration")
		}
		r.declared = time.Duration(min(ticks*float64(r.scale), 1e15))
	}
	return err
}

func (r *webm) trackPart(e element) error {
	if e.id != trackEntry {
		return nil
	}
	t := track{}
	err := r.readChildren(e, nil, func(e element) error {
		switch e.id {
		case trackNumber:
			n, err := r.number(e)
			t.id = n
			return err
		case trackType:
			kind, err := r.number(e)
			t.video, t.audio = kind == 1, kind == 2
			return err
		case codecID:
			name, err := r.bytes(e.body, min(e.end-e.body, 32))
			t.codec = string(name)
			return err
		case encodings:
			return damaged(e.at, "an encoded track")
		case trackName, void:
			return r.blank(e)
		}
		return nil
	})
	if err == nil && !knownCodec(t.codec) {
		err = damaged(e.at, fmt.Sprintf("codec %q", t.codec))
	}
	r.tracks = append(r.tracks, t)
	return err
}

func (r *webm) clusterPart(e element) (err error) {
	switch e.id {
	case timecode:
		r.ticks, err = r.number(e)
	case simpleBlock:
		err = r.frame(e, 0)
	case void:
		err = r.blank(e)
	case blockGroup:
		var duration uint64
		var frames []element
		err = r.readChildren(e, groupParts, func(e element) (err error) {
			switch e.id {
			case blockDuration:
				duration, err = r.number(e)
			case block:
				frames = append(frames, e)
			}
			return err
		})
		if err == nil && len(frames) != 1 {
			err = damaged(e.at, "a group without exactly one frame")
		}
		if err == nil {
			err = r.frame(frames[0], duration)
		}
	}
	return err
}

// frame counts a frame and reads its time. duration is in ticks.
func (r *webm) frame(e element, duration uint64) error {
	number, width, err := r.varint(e.body, e.end)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(r.tracks, func(t track) bool { return t.id == number }) {
		return damaged(e.at, "a frame without a track")
	}
	offset, err := r.bytes(e.body+width, 3) // including the flags
	if err != nil {
		return err
	}
	if e.end-e.body <= width+3 {
		return damaged(e.at, "an empty frame")
	}
	at := int64(r.ticks) + int64(int16(binary.BigEndian.Uint16(offset)))
	if r.ticks > 1e15 || duration > 1e15 {
		return damaged(e.at, "a timestamp that is too large")
	}
	r.frames++
	r.last = max(r.last, uint64(max(at, 0))+duration)
	return nil
}

// readChildren calls visit with the children of an element, whose ids must be allowed.
func (r *webm) readChildren(parent element, allowed []uint32, visit func(element) error) error {
	_, err := r.readChildrenUntil(parent, allowed, visit)
	return err
}

// readChildrenUntil is readChildren, and returns the end of the last child. A cluster of
// unknown size ends before the first element that is not allowed in it; the caller checks
// whether that is allowed in the segment.
func (r *webm) readChildrenUntil(parent element, allowed []uint32, visit func(element) error) (at int64, err error) {
	for at = parent.body; at < parent.end; {
		part, err := r.readElement(at, parent.end)
		switch {
		case err != nil:
			return at, err
		case allowed != nil && !slices.Contains(allowed, part.id):
			if parent.id == cluster && parent.unknownSized {
				return at, nil
			}
			return at, damaged(at, fmt.Sprintf("element %x within %x", part.id, parent.id))
		case part.unknownSized && part.id == cluster && parent.id == segment:
			r.ticks = 0
			at, err = r.readChildrenUntil(part, clusterParts, r.clusterPart)
		case part.unknownSized:
			err = damaged(at, "an element without an end")
		default:
			err = visit(part)
			at = part.end
		}
		if err != nil {
			return at, err
		}
	}
	return at, nil
}

// readElement reads the header of the element at an offset. It returns an error if the element does not end by end.
func (r *webm) readElement(at, end int64) (element, error) {
	if r.elementsLeft--; r.elementsLeft < 0 {
		return element{}, damaged(at, "too many elements")
	}
	first, err := r.bytes(at, 1)
	if err != nil {
		return element{}, err
	}
	width := int64(bits.LeadingZeros8(first[0])) + 1
	if width > 4 {
		return element{}, damaged(at, "no element")
	}
	name, err := r.bytes(at, width)
	if err != nil {
		return element{}, err
	}
	var id uint32
	for _, b := range name {
		id = id<<8 | uint32(b)
	}
	size, sizeWidth, err := r.varint(at+width, end)
	if err != nil {
		return element{}, err
	}
	e := element{id: id, at: at, body: at + width + sizeWidth, end: end}
	if size == 1<<(7*sizeWidth)-1 {
		e.unknownSized = true
		return e, nil
	}
	if e.body > end || size > uint64(end-e.body) {
		return element{}, damaged(at, "a truncated element")
	}
	e.end = e.body + int64(size)
	return e, nil
}

// varint reads a number of variable width, which its leading bits specify.
func (r *webm) varint(at, end int64) (value uint64, width int64, err error) {
	first, err := r.bytes(at, 1)
	if err != nil {
		return 0, 0, err
	}
	width = int64(bits.LeadingZeros8(first[0])) + 1
	if width > 8 || at+width > end {
		return 0, 0, damaged(at, "no number")
	}
	raw, err := r.bytes(at, width)
	if err != nil {
		return 0, 0, err
	}
	for _, b := range raw {
		value = value<<8 | uint64(b)
	}
	return value &^ (1 << (7 * width)), width, nil
}

// number returns the value of an element that is an unsigned integer.
func (r *webm) number(e element) (uint64, error) {
	if e.end-e.body > 8 {
		return 0, damaged(e.at, "a number of more than 8 bytes")
	}
	raw, err := r.bytes(e.body, e.end-e.body)
	var n uint64
	for _, b := range raw {
		n = n<<8 | uint64(b)
	}
	return n, err
}

// float returns the value of an element that is a floating-point number of 4 or 8 bytes.
func (r *webm) float(e element) (float64, error) {
	n, err := r.number(e)
	if e.end-e.body == 4 {
		return float64(math.Float32frombits(uint32(n))), err
	}
	return math.Float64frombits(n), err
}
