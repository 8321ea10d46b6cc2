package blobs

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/files"
	"heartward/api/platform/web"
)

// File is a variant of a stored file.
type File struct {
	ContentType string
	Bytes       int64
	key         string
	store       *files.Store
	uncached    bool
}

// Uncached returns the file with a Cache-Control header that forbids caching.
func (f File) Uncached() File {
	f.uncached = true
	return f
}

// Range opens length bytes from offset. The caller closes the reader.
func (f File) Range(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	return f.store.Range(ctx, f.key, offset, length)
}

// Send returns a response with the file, or with the part of it that a Range header
// names.
func (f File) Send(ctx context.Context, ranges string) (*huma.StreamResponse, error) {
	part := parseRange(ranges, f.Bytes)
	if part.unsatisfiable {
		return &huma.StreamResponse{Body: func(out huma.Context) { part.writeHead(out, f) }}, nil
	}
	// The file is opened before the response begins, so that a failure changes the
	// status. The request's context ends before the last byte is sent, so it must not
	// cancel the read. The store ends a read that stalls.
	content, err := f.Range(context.WithoutCancel(ctx), part.first, part.length())
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(out huma.Context) {
		part.writeHead(out, f)
		web.Stream(out, content, part.length())
	}}, nil
}

// part is the range of bytes that is sent.
type part struct {
	first, last   int64
	requested     bool // by a Range header
	unsatisfiable bool // of the file
}

func (p part) length() int64 { return p.last - p.first + 1 }

// writeHead writes status and headers. The content of a URL never changes, so the
// member's browser may cache it for ever; shared caches may not. The policy prevents a
// file that is opened as a page from running scripts.
func (p part) writeHead(out huma.Context, file File) {
	out.SetHeader("Cache-Control", "private, max-age=31536000, immutable")
	if file.uncached {
		out.SetHeader("Cache-Control", "no-store")
	}
	out.SetHeader("X-Content-Type-Options", "nosniff")
	out.SetHeader("Content-Security-Policy", "sandbox; default-src 'none'")
	out.SetHeader("Cross-Origin-Resource-Policy", "same-origin")
	out.SetHeader("Accept-Ranges", "bytes")
	out.SetHeader("Content-Type", file.ContentType)
	switch {
	case p.unsatisfiable:
		out.SetHeader("Content-Range", fmt.Sprintf("bytes */%d", file.Bytes))
		out.SetStatus(http.StatusRequestedRangeNotSatisfiable)
		return
	case p.requested:
		out.SetHeader("Content-Range", fmt.Sprintf("bytes %d-%d/%d", p.first, p.last, file.Bytes))
		out.SetStatus(http.StatusPartialContent)
	default:
		out.SetStatus(http.StatusOK)
	}
	out.SetHeader("Content-Length", strconv.FormatInt(p.length(), 10))
}

// parseRange parses a Range header with one range. It treats an invalid header as
// missing (RFC 9110, 14.2).
func parseRange(header string, size int64) part {
	whole := part{last: size - 1}
	spec, ok := strings.CutPrefix(header, "bytes=")
	from, to, dash := strings.Cut(spec, "-")
	if !ok || !dash {
		return whole
	}
	a, errA := strconv.ParseInt(from, 10, 48)
	b, errB := strconv.ParseInt(to, 10, 48)
	if a < 0 || b < 0 || strings.HasPrefix(from, "+") || strings.HasPrefix(to, "+") {
		return whole
	}
	switch {
	case from == "" && errB == nil: // the last b bytes
		return part{first: max(0, size-b), last: size - 1, requested: true, unsatisfiable: b == 0}
	case errA == nil && to == "":
		return part{first: a, last: size - 1, requested: true, unsatisfiable: a >= size}
	case errA == nil && errB == nil && a <= b:
		return part{first: a, last: min(b, size-1), requested: true, unsatisfiable: a >= size}
	}
	return whole
}
