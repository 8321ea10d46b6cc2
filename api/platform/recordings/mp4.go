package recordings

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// The boxes of MP4 (ISO 14496-12) that are allowed in a recording, by parent. Boxes
// with a list of their own are read recursively. Apple's writer, which Safari records with, can write iods and elng.
var mp4Boxes = map[string][]string{
	"":     {"ftyp", "styp", "moov", "moof", "mdat", "sidx", "mfra"},
	"moov": {"mvhd", "trak", "mvex", "iods"},
	"trak": {"tkhd", "mdia", "edts"},
	"edts": {"elst"},
	"mdia": {"mdhd", "hdlr", "minf", "elng"},
	"minf": {"vmhd", "smhd", "dinf", "stbl"},
	"dinf": {"dref"},
	"stbl": {"stsd", "stts", "stsc", "stsz", "stco", "stss", "ctts", "cslg", "sgpd", "sbgp", "sdtp"},
	"mvex": {"mehd", "trex"},
	"moof": {"mfhd", "traf"},
	"traf": {"tfhd", "tfdt", "trun", "sgpd", "sbgp", "sdtp"},
	"mfra": {"tfra", "mfro"},
}

// metadataBoxes are boxes that may contain metadata, such as a position, a name or, in prft, the time of the recording. They
// are overwritten wherever they are in the file.
var metadataBoxes = []string{"udta", "meta", "uuid", "free", "skip", "wide", "name", "prft"}

// brands are the brands of browsers' recorders; QuickTime's is not among them.
var brands = []string{"isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42", "M4A ", "M4V ", "avc1", "dash", "msdh"}

const (
	maxBoxes   = 20_000
	maxSamples = 200_000 // a minute has several thousand
	maxTicks   = 1 << 40 // of a track; far more than a recording has
)

type mp4 struct {
	*window
	contents
	boxesLeft     int               // number of boxes still allowed
	hasMovie      bool              // whether a movie header was read
	scale         map[uint64]uint64 // ticks per second by track
	defaultTicks  map[uint64]uint32 // default ticks of a sample by track
	end           map[uint64]uint64 // end of a track in ticks
	declared      time.Duration     // duration in the header
	fragmentTrack uint64            // track of the current fragment
	fragmentTicks uint32            // default ticks of a sample of the current fragment
}

// box is a box of the file, by its offset, the range of its content and its name. at is where its header begins.
type box struct {
	name          string
	at, body, end int64
}

func readMP4(w *window) (contents, error) {
	r := &mp4{window: w, boxesLeft: maxBoxes, scale: map[uint64]uint64{}, defaultTicks: map[uint64]uint32{}, end: map[uint64]uint64{}}
	if err := r.readChildren(box{end: w.size}); err != nil {
		return contents{}, err
	}
	if !r.hasMovie {
		return contents{}, damaged(0, "no movie header")
	}
	r.duration = r.declared
	for id, ticks := range r.end {
		scale := r.scale[id]
		if scale == 0 || ticks > maxTicks {
			return contents{}, damaged(0, "a track with an invalid time scale")
		}
		r.duration = max(r.duration, ticksToDuration(ticks, scale))
	}
	return r.contents, nil
}

// readChildren reads the boxes within a box.
func (r *mp4) readChildren(parent box) error {
	for at := parent.body; at < parent.end; {
		b, err := r.readBox(at, parent.end)
		if err != nil {
			return err
		}
		switch {
		case slices.Contains(metadataBoxes, b.name):
			r.patches = append(r.patches, patch{b.at + 4, []byte("free"), 4}, patch{at: b.body, length: b.end - b.body})
		case !slices.Contains(mp4Boxes[parent.name], b.name):
			return damaged(at, fmt.Sprintf("box %q within %q", b.name, parent.name))
		case at == 0 && b.name != "ftyp":
			return damaged(at, "no type")
		default:
			err = r.visit(b)
		}
		if err != nil {
			return err
		}
		at = b.end
	}
	return nil
}

// visit reads a box that is allowed in its parent.
func (r *mp4) visit(b box) error {
	switch b.name {
	case "ftyp", "styp":
		brand, err := r.bytes(b.body, 4)
		if err == nil && !slices.Contains(brands, string(brand)) {
			err = damaged(b.at, fmt.Sprintf("brand %q", brand))
		}
		return err
	case "moov":
		if r.hasMovie {
			return damaged(b.at, "two movie headers")
		}
		r.hasMovie = true
		return r.readChildren(b)
	case "trak":
		r.tracks = append(r.tracks, track{})
		return r.readChildren(b)
	case "traf":
		r.fragmentTrack, r.fragmentTicks = 0, 0
		return r.readChildren(b)
	}
	if read := readers[b.name]; read != nil {
		f, err := r.readFields(b)
		if err == nil {
			err = read(r, b, f)
		}
		return err
	}
	if mp4Boxes[b.name] != nil {
		return r.readChildren(b)
	}
	return nil
}

// fields is the beginning of a full box (ISO 14496-12, 4.2), from its version.
type fields struct {
	raw     []byte
	version byte
	flags   uint32
}

// readFields returns the first 128 bytes of a full box. It returns an error for one of less than 8 bytes.
func (r *mp4) readFields(b box) (fields, error) {
	raw, err := r.bytes(b.body, min(b.end-b.body, 128))
	if err != nil {
		return fields{}, err
	}
	if len(raw) < 8 {
		return fields{}, damaged(b.at, "a box that is too small")
	}
	raw = slices.Clone(raw) // the window is reused
	return fields{raw, raw[0], binary.BigEndian.Uint32(raw) & 0xffffff}, nil
}

// number returns the number of 32 bits at an offset, or zero beyond the end of the box.
func (f fields) number(offset int) uint32 {
	if offset+4 > len(f.raw) {
		return 0
	}
	return binary.BigEndian.Uint32(f.raw[offset:])
}

// ticks returns the time at an offset, which has 32 bits, or 64 in version 1.
func (f fields) ticks(offset int) uint64 {
	if f.version == 1 {
		return uint64(f.number(offset))<<32 | uint64(f.number(offset+4))
	}
	return uint64(f.number(offset))
}

// readers read the boxes whose fields matter, by name.
var readers = map[string]func(*mp4, box, fields) error{
	"mvhd": (*mp4).movieHeader, "tkhd": (*mp4).trackHeader, "mdhd": (*mp4).mediaHeader, "hdlr": (*mp4).handler,
	"dref": (*mp4).dataReference, "stsd": (*mp4).sampleDescription, "stts": (*mp4).sampleTimes, "trex": (*mp4).trackDefaults,
	"tfhd": (*mp4).fragmentHeader, "tfdt": (*mp4).fragmentStart, "trun": (*mp4).fragmentRun,
}

// datesEnd returns the offset of the fields after the two dates of a header.
func (f fields) datesEnd() int {
	if f.version == 1 {
		return 20
	}
	return 12
}

// removeDates overwrites the times at which a header says that its content was created and changed by zeros, which mean
// unknown. The header begins with its version and flags, which have 4 bytes.
func (r *mp4) removeDates(b box, f fields) {
	at := b.body + 4
	r.patches = append(r.patches, patch{at: at, length: min(b.body+int64(f.datesEnd()), b.end) - at})
}

func (r *mp4) movieHeader(b box, f fields) error {
	r.removeDates(b, f)
	scale, ticks := uint64(f.number(f.datesEnd())), f.ticks(f.datesEnd()+4)
	switch {
	case ticks == 1<<32-1 || ticks == 1<<64-1: // unknown
		return nil
	case scale == 0 || ticks/scale > 1e6:
		return damaged(b.at, "an invalid duration")
	}
	r.declared = ticksToDuration(ticks, scale)
	return nil
}

// ticksToDuration returns the duration of ticks, of which scale are a second.
func ticksToDuration(ticks, scale uint64) time.Duration {
	return time.Duration(ticks/scale)*time.Second + time.Duration(ticks%scale*uint64(time.Second)/scale)
}

// currentTrack returns the track that is being read. Outside of tracks, it returns one that is discarded.
func (r *mp4) currentTrack() *track {
	if len(r.tracks) == 0 {
		return &track{}
	}
	return &r.tracks[len(r.tracks)-1]
}

func (r *mp4) trackHeader(b box, f fields) error {
	r.removeDates(b, f)
	r.currentTrack().id = uint64(f.number(f.datesEnd()))
	return nil
}

func (r *mp4) mediaHeader(b box, f fields) error {
	r.removeDates(b, f)
	r.scale[r.currentTrack().id] = uint64(f.number(f.datesEnd()))
	return nil
}

func (r *mp4) handler(_ box, f fields) error {
	if len(f.raw) >= 12 {
		kind := string(f.raw[8:12])
		r.currentTrack().audio, r.currentTrack().video = kind == "soun", kind == "vide"
	}
	return nil
}

// dataReference checks that the media data are in the file itself.
func (r *mp4) dataReference(b box, f fields) error {
	if f.number(4) != 1 || len(f.raw) < 20 || string(f.raw[12:16]) != "url " || f.number(16)&1 == 0 {
		return damaged(b.at, "frames in another file")
	}
	return nil
}

func (r *mp4) sampleDescription(b box, f fields) error {
	if f.number(4) != 1 || len(f.raw) < 16 || !knownCodec(string(f.raw[12:16])) {
		return damaged(b.at, "an unknown codec")
	}
	r.currentTrack().codec = string(f.raw[12:16])
	return nil
}

// sampleTimes adds the samples of a track. Each entry of the box is a number of samples and the duration of each.
func (r *mp4) sampleTimes(b box, f fields) error {
	count := int64(f.number(4))
	if count > maxSamples || b.body+8+8*count > b.end {
		return damaged(b.at, "a truncated list")
	}
	for i := range count {
		raw, err := r.bytes(b.body+8+8*i, 8)
		if err != nil {
			return err
		}
		samples := uint64(binary.BigEndian.Uint32(raw))
		if err := r.addSamples(r.currentTrack().id, samples, samples*uint64(binary.BigEndian.Uint32(raw[4:])), b); err != nil {
			return err
		}
	}
	return nil
}

// addSamples adds samples with a total duration of ticks to a track.
func (r *mp4) addSamples(id, samples, ticks uint64, b box) error {
	r.frames += int(samples)
	if r.frames > maxSamples || ticks > maxTicks {
		return damaged(b.at, "too many samples")
	}
	r.end[id] += ticks
	return nil
}

// trackDefaults reads the default duration of the samples in the fragments of a track.
func (r *mp4) trackDefaults(_ box, f fields) error {
	r.defaultTicks[uint64(f.number(4))] = f.number(12)
	return nil
}

// fragmentHeader reads the track of a fragment, and the default duration of its samples.
func (r *mp4) fragmentHeader(b box, f fields) error {
	r.fragmentTrack = uint64(f.number(4))
	if !slices.ContainsFunc(r.tracks, func(t track) bool { return t.id == r.fragmentTrack }) {
		return damaged(b.at, "frames without a track")
	}
	r.fragmentTicks = r.defaultTicks[r.fragmentTrack]
	offset := 8
	if f.flags&0x1 != 0 { // base offset
		offset += 8
	}
	if f.flags&0x2 != 0 { // description
		offset += 4
	}
	if f.flags&0x8 != 0 {
		r.fragmentTicks = f.number(offset)
	}
	return nil
}

// fragmentStart reads the start of a fragment, which may be later than the end of the
// previous one.
func (r *mp4) fragmentStart(b box, f fields) error {
	start := f.ticks(4)
	if start > maxTicks {
		return damaged(b.at, "a timestamp that is too large")
	}
	r.end[r.fragmentTrack] = max(r.end[r.fragmentTrack], start)
	return nil
}

// fragmentRun adds the samples of a fragment.
func (r *mp4) fragmentRun(b box, f fields) error {
	count := uint64(f.number(4))
	head, width := int64(8), int64(0)
	for _, flag := range []uint32{0x1, 0x4} { // data offset, first sample's flags
		if f.flags&flag != 0 {
			head += 4
		}
	}
	for _, flag := range []uint32{0x100, 0x200, 0x400, 0x800} { // duration, size, flags, composition offset
		if f.flags&flag != 0 {
			width += 4
		}
	}
	if count > maxSamples || b.body+head+width*int64(count) > b.end {
		return damaged(b.at, "a truncated list")
	}
	if f.flags&0x100 == 0 {
		return r.addSamples(r.fragmentTrack, count, count*uint64(r.fragmentTicks), b)
	}
	for i := range int64(count) {
		raw, err := r.bytes(b.body+head+width*i, 4)
		if err != nil {
			return err
		}
		if err := r.addSamples(r.fragmentTrack, 1, uint64(binary.BigEndian.Uint32(raw)), b); err != nil {
			return err
		}
	}
	return nil
}

// readBox reads the header of the box at an offset. It returns an error if the box does not end by end.
func (r *mp4) readBox(at, end int64) (box, error) {
	if r.boxesLeft--; r.boxesLeft < 0 {
		return box{}, damaged(at, "too many boxes")
	}
	raw, err := r.bytes(at, 8)
	if err != nil {
		return box{}, err
	}
	size, header := int64(binary.BigEndian.Uint32(raw)), int64(8)
	b := box{name: string(raw[4:8]), at: at}
	if size == 1 {
		long, err := r.bytes(at+8, 8)
		if err != nil {
			return box{}, err
		}
		size, header = int64(binary.BigEndian.Uint64(long)), 16
	}
	if size < header || size > end-at {
		return box{}, damaged(at, "a truncated box")
	}
	b.body, b.end = at+header, at+size
	return b, nil
}
