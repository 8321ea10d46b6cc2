package blobs

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/files"
	"heartward/api/platform/web"
)

// File is a variant of a stored file.
type File struct {
	ContentType string
	Bytes       int64
	key         string
	store       *files.Store
	cached      bool // a browser may store it
	unchanged   bool // the client has stored it: only headers are sent
}

// Cached returns the file with headers that permit the member's browser to store it. The
// browser must ask the server before each use. Otherwise nothing may store the file.
func (f File) Cached() File {
	f.cached = true
	return f
}

// etag is the ETag of every file: the content of a URL never changes.
const etag = `"1"`

// cacheHeader permits a browser, but no other cache, to store a file. no-cache requires a
// request before each use, so that a file that the member may no longer see is not shown.
const cacheHeader = "private, no-cache"

// Conditions are the headers of a request for a file.
type Conditions struct {
	Range       string `header:"Range" maxLength:"100"`
	IfRange     string `header:"If-Range" maxLength:"200"`
	IfNoneMatch string `header:"If-None-Match" maxLength:"1000"`
}

// PictureInput is the input of an operation that sends a picture.
type PictureInput struct {
	ID      uuid.UUID `path:"id" format:"uuid"`
	Variant string    `path:"variant" maxLength:"20"`
	Conditions
}

// Send sends the picture, which open opens for the caller.
func (in *PictureInput) Send(ctx context.Context,
	open func(ctx context.Context, viewer web.Actor, id uuid.UUID, variant string, c Conditions) (File, error),
) (*huma.StreamResponse, error) {
	actor, _ := web.ActorOf(ctx)
	file, err := open(ctx, actor, in.ID, in.Variant, in.Conditions)
	if err != nil {
		return nil, err
	}
	return file.Send(ctx, in.Conditions)
}

// Unchanged reports whether the browser or the app has stored the file.
func (c Conditions) Unchanged() bool {
	for tag := range strings.SplitSeq(c.IfNoneMatch, ",") {
		if strings.TrimPrefix(strings.TrimSpace(tag), "W/") == etag {
			return true
		}
	}
	return false
}

// Unchanged returns a file whose response is 304 Not Modified, for a browser or the app that has
// stored it. The caller must have checked that the reader may see it.
func Unchanged() File { return File{unchanged: true} }

// Range opens length bytes from offset. The caller closes the reader.
func (f File) Range(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	return f.store.Range(ctx, f.key, offset, length)
}

// Send returns a response with the file, or with the part of it that the Range header
// names.
func (f File) Send(ctx context.Context, conditions Conditions) (*huma.StreamResponse, error) {
	if f.unchanged {
		return &huma.StreamResponse{Body: func(out huma.Context) {
			f.writeCaching(out)
			out.SetStatus(http.StatusNotModified)
		}}, nil
	}
	if conditions.IfRange != "" && conditions.IfRange != etag {
		conditions.Range = "" // RFC 9110, 13.1.5
	}
	part := parseRange(conditions.Range, f.Bytes)
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

// writeCaching writes the headers that say who may store the file. The ETag is also for the app, which
// stores copies for offline use and sends a request before each use of one.
func (f File) writeCaching(out huma.Context) {
	out.SetHeader("Cache-Control", "no-store")
	if f.cached {
		out.SetHeader("Cache-Control", cacheHeader)
	}
	out.SetHeader("ETag", etag)
}

// part is the range of bytes that is sent.
type part struct {
	first, last   int64
	requested     bool // by a Range header
	unsatisfiable bool // the requested range has no byte of the file
}

func (p part) length() int64 { return p.last - p.first + 1 }

// writeHead writes status and headers. The policy prevents a file that is opened as a
// page from running scripts.
func (p part) writeHead(out huma.Context, file File) {
	file.writeCaching(out)
	out.SetHeader("X-Content-Type-Options", "nosniff")
	out.SetHeader("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'")
	out.SetHeader("Content-Disposition", disposition(file.ContentType))
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

// extensions are the endings of the names of files, by their types. A voice in MP4 has the one of sound, because programs
// take .mp4 for a video.
var extensions = map[string]string{
	"image/webp": ".webp", "audio/webm": ".webm", "video/webm": ".webm", "audio/mp4": ".m4a", "video/mp4": ".mp4",
	"audio/ogg": ".ogg", "video/quicktime": ".mov",
}

// Extension returns the ending of the name of a file of that type, such as ".webp", or "" if it is of no stored type.
func Extension(contentType string) string {
	mediaType, _, _ := mime.ParseMediaType(contentType)
	return extensions[mediaType]
}

// disposition returns the Content-Disposition of a file, whose name is that of its type.
// Files of other types than the app shows are downloaded.
func disposition(contentType string) string {
	kind, _, _ := strings.Cut(contentType, "/")
	switch kind {
	case "image", "audio", "video":
		return fmt.Sprintf(`inline; filename="%s%s"`, kind, Extension(contentType))
	}
	return "attachment"
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
	const bits = 48 // of an offset; no file is larger
	a, errA := strconv.ParseInt(from, 10, bits)
	b, errB := strconv.ParseInt(to, 10, bits)
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
