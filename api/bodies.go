package api

import (
	"errors"
	"io"
	"mime"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v3"
	"github.com/valyala/fasthttp"
	"golang.org/x/sync/semaphore"

	"heartward/api/media"
	"heartward/api/platform/fault"
)

// Limits of request bodies. Bodies are streamed: JSON is read by its handler, a form
// by smallForms.
const (
	maxJSON = 64 << 10
	maxForm = 32 << 20 // the largest form of any operation; each has its own limit
	// A body that exceeds its limit by at most this is read to the end, so that the
	// client receives the response. The connection of a larger one is closed.
	maxExcess = 1 << 20
	// Disk space of all forms together, in bytes.
	maxFormsDisk = 1 << 30

	requestTimeout  = 20 * time.Second
	uploadTimeout   = 3 * time.Minute
	downloadTimeout = 5 * time.Minute
)

var (
	errTooLarge  = fault.New(fault.TooLarge, "That is too large.")
	errMediaType = &fiber.Error{Code: fiber.StatusUnsupportedMediaType, Message: "A body must be application/json, multipart/form-data or a part of an upload"}
	errEncoding  = &fiber.Error{Code: fiber.StatusUnsupportedMediaType, Message: "A body must not be compressed"}
	errLength    = &fiber.Error{Code: fiber.StatusLengthRequired, Message: "A body needs a Content-Length"}
)

// bodies limits request bodies. The limits of forms differ by operation.
type bodies struct {
	uploads map[string]int64    // limits of forms by path
	disk    *semaphore.Weighted // bytes of maxFormsDisk
}

func newBodies() *bodies {
	return &bodies{uploads: map[string]int64{}, disk: semaphore.NewWeighted(maxFormsDisk)}
}

// readLimits reads the limits of forms from the document. It must be called before the
// first request.
func (b *bodies) readLimits(document *huma.OpenAPI) {
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch} {
			if op != nil && op.RequestBody != nil && op.RequestBody.Content["multipart/form-data"] != nil {
				b.uploads[path] = op.MaxBodyBytes
			}
		}
	}
}

// timeout returns the time limit of requests to path.
func (b *bodies) timeout(path string) time.Duration {
	if b.uploads[path] > 0 || strings.HasPrefix(path, media.Root+"/") {
		return uploadTimeout
	}
	return requestTimeout
}

// isPart reports whether the request sends a part of an upload, which its handler
// streams.
func isPart(c fiber.Ctx) bool {
	return c.Method() == fiber.MethodPatch && strings.HasPrefix(c.Path(), media.Root+"/") && c.Get(fiber.HeaderContentType) == media.ChunkType
}

// configure is called after the headers of a request were read. It limits the part of
// the body that is read before the handler runs, and sets a longer write timeout for
// files.
func (b *bodies) configure(header *fasthttp.RequestHeader) fasthttp.RequestConfig {
	config := fasthttp.RequestConfig{MaxRequestBodySize: 1}
	if strings.HasPrefix(string(header.RequestURI()), "/files/") {
		config.WriteTimeout = downloadTimeout
	}
	return config
}

// limit refuses bodies above their maximum size, and content types that a form of
// another site could send. After the response it discards the unread rest of the body
// or closes the connection, because the rest would be parsed as the next request.
func (b *bodies) limit(c fiber.Ctx) error {
	length := int64(c.Request().Header.ContentLength())
	if length == 0 || length < -1 {
		return c.Next()
	}
	defer b.discard(c, length) // also after a panic
	return b.admit(c, length)
}

func (b *bodies) discard(c fiber.Ctx, length int64) {
	if length < 0 || length > b.maxBody(c)+maxExcess {
		c.RequestCtx().SetConnectionClose()
		return
	}
	if stream := c.Request().BodyStream(); stream != nil {
		if _, err := io.CopyN(io.Discard, stream, length+1); !errors.Is(err, io.EOF) {
			c.RequestCtx().SetConnectionClose()
		}
	}
}

// maxBody returns the maximum size of the body. Without a session it is maxJSON.
func (b *bodies) maxBody(c fiber.Ctx) int64 {
	limit := b.uploads[c.Path()]
	if isPart(c) {
		limit = media.MaxUpload
	}
	if limit > 0 && len(c.Request().Header.Peek(fiber.HeaderCookie)) > 0 {
		return limit
	}
	return maxJSON
}

// admit calls the next handler unless the body is refused.
func (b *bodies) admit(c fiber.Ctx, length int64) error {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	form := kind == "multipart/form-data"
	switch {
	case length < 0:
		return errLength
	case length > b.maxBody(c):
		return refuse(c, errTooLarge)
	case c.Get(fiber.HeaderContentEncoding) != "": // a small body can decompress to a huge one
		return errEncoding
	case strings.HasPrefix(c.Path(), "/riverui"), isPart(c):
		return c.Next()
	case err != nil || !form && kind != "application/json":
		return errMediaType
	case !form || b.uploads[c.Path()] == 0:
		return c.Next()
	}
	if err := b.disk.Acquire(c.Context(), length); err != nil {
		return refuse(c, fault.Wrap(fault.Unavailable, "We are busy with other files. Please try again in a moment.", err))
	}
	defer b.disk.Release(length)
	return c.Next()
}
