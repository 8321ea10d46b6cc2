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

// Limits of what comes in. Bodies are read as they come: JSON by its handler,
// a form by smallForms.
const (
	maxJSON = 64 << 10
	maxForm = 32 << 20 // of any operation; each has its own
	// What is at most so much larger than allowed is read all the same, so that
	// its sender hears why it is refused; a larger one is cut off.
	lingering = 1 << 20
	// All forms together take at most so much room on the disk.
	formsRoom = 1 << 30

	callTimeout     = 20 * time.Second
	uploadTimeout   = 3 * time.Minute
	downloadTimeout = 5 * time.Minute
)

var (
	errTooLarge  = fault.New(fault.TooLarge, "That is too large.")
	errMediaType = &fiber.Error{Code: fiber.StatusUnsupportedMediaType, Message: "A body must be application/json, multipart/form-data or a part of an upload"}
	errEncoding  = &fiber.Error{Code: fiber.StatusUnsupportedMediaType, Message: "A body must not be compressed"}
	errLength    = &fiber.Error{Code: fiber.StatusLengthRequired, Message: "A body must say how long it is"}
)

// bodies knows which operations take forms, and how large ones.
type bodies struct {
	uploads map[string]int64 // by path
	room    *semaphore.Weighted
}

func newBodies() *bodies {
	return &bodies{uploads: map[string]int64{}, room: semaphore.NewWeighted(formsRoom)}
}

// learn reads from the document what may be uploaded where. Call it before
// anything is served.
func (b *bodies) learn(document *huma.OpenAPI) {
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put, item.Patch} {
			if op != nil && op.RequestBody != nil && op.RequestBody.Content["multipart/form-data"] != nil {
				b.uploads[path] = op.MaxBodyBytes
			}
		}
	}
}

// timeout is how long a call to path may take.
func (b *bodies) timeout(path string) time.Duration {
	if b.uploads[path] > 0 || strings.HasPrefix(path, media.Root+"/") {
		return uploadTimeout
	}
	return callTimeout
}

// isPart reports whether the call brings a part of an upload, which its handler
// reads as it comes.
func isPart(c fiber.Ctx) bool {
	return c.Method() == fiber.MethodPatch && strings.HasPrefix(c.Path(), media.Root+"/") && c.Get(fiber.HeaderContentType) == media.ChunkType
}

// start is asked when a request's headers have come. One byte of the body is
// read before its handler decides about the rest, and whoever fetches a
// recording has longer than others.
func (b *bodies) start(header *fasthttp.RequestHeader) fasthttp.RequestConfig {
	config := fasthttp.RequestConfig{MaxRequestBodySize: 1}
	if strings.HasPrefix(string(header.RequestURI()), "/files/") {
		config.WriteTimeout = downloadTimeout
	}
	return config
}

// limit lets in JSON up to its limit, and forms up to that of the operation;
// other types of body could be sent by a plain form of another site. What
// nobody has read of a body is read away behind the answer, or the connection
// is closed: the rest would be taken for the next request.
func (b *bodies) limit(c fiber.Ctx) error {
	length := int64(c.Request().Header.ContentLength())
	if length == 0 || length < -1 {
		return c.Next()
	}
	defer b.readAway(c, length) // after a panic too
	return b.admit(c, length)
}

func (b *bodies) readAway(c fiber.Ctx, length int64) {
	if length < 0 || length > b.most(c)+lingering {
		c.RequestCtx().SetConnectionClose()
		return
	}
	if stream := c.Request().BodyStream(); stream != nil {
		if _, err := io.CopyN(io.Discard, stream, length+1); !errors.Is(err, io.EOF) {
			c.RequestCtx().SetConnectionClose()
		}
	}
}

// most is how large the body may be. Without a session nobody uploads.
func (b *bodies) most(c fiber.Ctx) int64 {
	most := b.uploads[c.Path()]
	if isPart(c) {
		most = media.MaxUpload
	}
	if most > 0 && len(c.Request().Header.Peek(fiber.HeaderCookie)) > 0 {
		return most
	}
	return maxJSON
}

// admit goes on with a body that may come in.
func (b *bodies) admit(c fiber.Ctx, length int64) error {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	form := kind == "multipart/form-data"
	switch {
	case length < 0:
		return errLength
	case length > b.most(c):
		return refuse(c, errTooLarge)
	case c.Get(fiber.HeaderContentEncoding) != "": // a little can become very much
		return errEncoding
	case strings.HasPrefix(c.Path(), "/riverui"), isPart(c):
		return c.Next()
	case err != nil || !form && kind != "application/json":
		return errMediaType
	case !form || b.uploads[c.Path()] == 0:
		return c.Next()
	}
	if err := b.room.Acquire(c.Context(), length); err != nil {
		return refuse(c, fault.Wrap(fault.Unavailable, "We are busy with other files. Please try again in a moment.", err))
	}
	defer b.room.Release(length)
	return c.Next()
}
