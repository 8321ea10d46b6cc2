package recordings

import (
	"bytes"
	"encoding/binary"
	"math"
	"time"
)

// readOgg reads the pages (RFC 3533) of a file with one audio track.
func readOgg(w *window) (contents, error) {
	var c contents
	var serial uint32
	var last uint64
	var rate uint64
	for at, page := int64(0), 0; at < w.size; page++ {
		p, err := readPage(w, at)
		if err != nil {
			return c, err
		}
		switch {
		case page == 0:
			serial = p.serial
			if rate, err = oggTrack(w, p, &c); err != nil {
				return c, err
			}
		case p.serial != serial:
			return c, damaged(at, "more than one stream")
		case page == 1:
			if err := checkOggComments(w, p); err != nil {
				return c, err
			}
		}
		if page > 1 && p.body < p.end {
			c.frames++
		}
		if p.ticks != math.MaxUint64 { // a frame ends on this page
			last = p.ticks
		}
		at = p.end
	}
	if last > 1<<40 {
		return c, damaged(0, "a timestamp that is too large")
	}
	c.duration = time.Duration(last * uint64(time.Second) / rate)
	return c, nil
}

type page struct {
	serial    uint32
	ticks     uint64
	body, end int64
}

func readPage(w *window, at int64) (p page, err error) {
	head, err := w.bytes(at, 27)
	if err != nil {
		return p, err
	}
	if !bytes.HasPrefix(head, []byte("OggS\x00")) {
		return p, damaged(at, "no page")
	}
	p.ticks = binary.LittleEndian.Uint64(head[6:])
	p.serial = binary.LittleEndian.Uint32(head[14:])
	segments := int64(head[26])
	p.body = at + 27 + segments
	lengths, err := w.bytes(at+27, segments)
	if err != nil {
		return p, err
	}
	p.end = p.body
	for _, length := range lengths {
		p.end += int64(length)
	}
	if p.end > w.size {
		return p, damaged(at, "a truncated page")
	}
	return p, nil
}

// oggTrack reads the first page and returns the ticks per second.
func oggTrack(w *window, p page, c *contents) (rate uint64, err error) {
	head, err := w.bytes(p.body, min(p.end-p.body, 16))
	if err != nil {
		return 0, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("OpusHead")):
		rate = 48_000
	case bytes.HasPrefix(head, []byte("\x01vorbis")) && len(head) == 16:
		rate = uint64(binary.LittleEndian.Uint32(head[12:]))
	}
	if rate < 8_000 || rate > 192_000 {
		return 0, damaged(p.body, "no Opus or Vorbis stream")
	}
	c.tracks = []track{{id: uint64(p.serial), audio: true}}
	return rate, nil
}

// checkOggComments accepts only the comments that recorders write. Others are refused,
// because removing them would require rewriting the page.
func checkOggComments(w *window, p page) error {
	text, err := w.bytes(p.body, min(p.end-p.body, windowSize))
	if err != nil {
		return err
	}
	rest, ok := bytes.CutPrefix(text, []byte("OpusTags"))
	if !ok {
		if rest, ok = bytes.CutPrefix(text, []byte("\x03vorbis")); !ok {
			return damaged(p.body, "no comments")
		}
	}
	next := func() []byte {
		if len(rest) < 4 {
			ok = false
			return nil
		}
		length := uint64(binary.LittleEndian.Uint32(rest))
		if rest = rest[4:]; length > uint64(len(rest)) {
			ok = false
			return nil
		}
		field := rest[:length]
		rest = rest[length:]
		return field
	}
	next() // the vendor
	if !ok || len(rest) < 4 {
		return damaged(p.body, "truncated comments")
	}
	count := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	for range min(count, 16) {
		comment := bytes.ToUpper(next())
		if !ok || !bytes.HasPrefix(comment, []byte("ENCODER=")) && !bytes.HasPrefix(comment, []byte("ENCODER_OPTIONS=")) {
			return damaged(p.body, "comments that recorders do not write")
		}
	}
	if count > 16 {
		return damaged(p.body, "comments that recorders do not write")
	}
	return nil
}
