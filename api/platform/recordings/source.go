package recordings

import (
	"errors"
	"fmt"
	"io"
)

// errSource says that the upload could not be read, which is not its fault.
var errSource = errors.New("reading an uploaded recording")

// window reads a file by pieces of a few kB, so that many small reads close to
// each other are few real ones.
type window struct {
	source io.ReaderAt
	size   int64
	at     int64
	buffer []byte
}

const windowSize = 8 << 10

// bytes are n bytes from at, valid until the next call. They must lie within
// the file.
func (w *window) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > w.size-n {
		return nil, damaged(at, "the file ends too early")
	}
	if n > windowSize {
		return nil, damaged(at, "a part is too large")
	}
	if at < w.at || at+n > w.at+int64(len(w.buffer)) {
		if w.buffer == nil {
			w.buffer = make([]byte, 0, windowSize)
		}
		w.at, w.buffer = at, w.buffer[:min(windowSize, w.size-at)]
		if read, err := w.source.ReadAt(w.buffer, at); err != nil && (err != io.EOF || read < len(w.buffer)) {
			return nil, fmt.Errorf("%w: %w", errSource, err)
		}
	}
	return w.buffer[at-w.at:][:n], nil
}

// patch is what stands at a place of the file instead of what was there: bytes,
// and then zeros up to length.
type patch struct {
	at     int64
	bytes  []byte
	length int64
}

// Clean reads the recording without what it told of place and people.
func (f Found) Clean(source io.ReaderAt) io.Reader {
	return &cleaned{Reader: io.NewSectionReader(source, 0, f.size), patches: f.patches}
}

type cleaned struct {
	io.Reader
	at      int64
	patches []patch
}

func (c *cleaned) Read(into []byte) (int, error) {
	n, err := c.Reader.Read(into)
	for _, p := range c.patches {
		from, to := max(p.at, c.at), min(p.at+p.length, c.at+int64(n))
		for at := from; at < to; at++ {
			into[at-c.at] = 0
			if at-p.at < int64(len(p.bytes)) {
				into[at-c.at] = p.bytes[at-p.at]
			}
		}
	}
	c.at += int64(n)
	return n, err
}
