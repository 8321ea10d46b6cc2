package recordings

import (
	"errors"
	"fmt"
	"io"
)

// errSource marks a failure to read the upload, as opposed to an invalid upload.
var errSource = errors.New("reading an uploaded recording")

// window is a read buffer of a few kB for many small reads close to each other.
type window struct {
	source io.ReaderAt
	size   int64  // of the file
	at     int64  // offset of the buffer in the file
	buffer []byte // of windowSize at most
}

const windowSize = 8 << 10

// bytes returns n bytes at an offset, valid until the next call. It returns an error unless
// they are within the file and at most windowSize.
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

// patch replaces a range of the file by bytes, followed by zeros up to length.
type patch struct {
	at     int64
	bytes  []byte
	length int64
}

// Clean returns a reader of the recording without its metadata, such as a place or the time of the recording.
func (i Info) Clean(source io.ReaderAt) io.Reader {
	return &cleaned{Reader: io.NewSectionReader(source, 0, i.size), patches: i.patches}
}

// cleaned is a reader of a file that applies the patches.
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
