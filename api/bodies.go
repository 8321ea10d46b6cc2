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

	"heartward/api/export"
	"heartward/api/media"
	"heartward/api/platform/fault"
	"heartward/api/platform/mail"
	"heartward/api/platform/web"
	"heartward/api/referrals"
)

// Limits of request bodies. Bodies are streamed and read by their handlers.
const (
	maxJSON = 64 << 10
	maxAny  = 32 << 20 // above the limit of every operation
	// A body that exceeds its limit by at most this is read to the end, so that the
	// client receives the response. The connection of a larger one is closed.
	maxExcess = 1 << 20

	// chunkedLength is how fasthttp gives the length of a body in chunks. A shorter one means that there is no body.
	chunkedLength = -1

	requestTimeout  = 20 * time.Second
	downloadTimeout = 5 * time.Minute
)

var (
	errTooLarge  = fault.New(fault.TooLarge, "That is too large.")
	errMediaType = &fiber.Error{Code: fiber.StatusUnsupportedMediaType, Message: "A body must be application/json or a part of an upload"}
	errEncoding  = &fiber.Error{Code: fiber.StatusUnsupportedMediaType, Message: "A body must not be compressed"}
	errLength    = &fiber.Error{Code: fiber.StatusLengthRequired, Message: "A body needs a Content-Length"}
)

// timeouts are the time limits of operations that have one of their own, by path.
type timeouts map[string]time.Duration

// load reads the time limits from the document. It must be called before the first
// request.
func (t timeouts) load(document *huma.OpenAPI) {
	for path, item := range document.Paths {
		for _, op := range []*huma.Operation{item.Post, item.Put} {
			if op == nil {
				continue
			}
			if limit, ok := op.Metadata[web.TimeoutKey].(time.Duration); ok {
				t[path] = limit
			}
		}
	}
}

// forPath returns the time limit of requests to path.
func (t timeouts) forPath(path string) time.Duration {
	if strings.HasPrefix(path, media.Root+"/") {
		return media.PartTimeout
	}
	if limit, ok := t[path]; ok {
		return limit
	}
	return requestTimeout
}

// isPart reports whether the request sends a part of an upload, which its handler
// streams.
func isPart(c fiber.Ctx) bool {
	return c.Method() == fiber.MethodPatch && strings.HasPrefix(c.Path(), media.Root+"/") && c.Get(fiber.HeaderContentType) == media.PartType
}

// requestConfig is called after the headers of a request were read. It limits the part of
// the body that is read before the handler runs, and sets longer write timeouts for
// files and exports.
func requestConfig(header *fasthttp.RequestHeader) fasthttp.RequestConfig {
	config := fasthttp.RequestConfig{MaxRequestBodySize: 1}
	switch uri := string(header.RequestURI()); {
	case strings.HasPrefix(uri, "/files/"):
		config.WriteTimeout = downloadTimeout
	case strings.HasPrefix(uri, export.DownloadPath):
		config.WriteTimeout = export.DownloadTimeout
	}
	return config
}

// limitBody refuses bodies above their maximum size, and content types that a form of
// another site could send. After the response it discards the unread rest of the body
// or closes the connection, because the rest would be parsed as the next request.
func limitBody(c fiber.Ctx) error {
	length := int64(c.Request().Header.ContentLength())
	if length == 0 || length < chunkedLength {
		return c.Next()
	}
	defer discardBody(c, length) // also after a panic
	return admitBody(c, length)
}

func discardBody(c fiber.Ctx, length int64) {
	if length < 0 || length > maxBody(c)+maxExcess {
		c.RequestCtx().SetConnectionClose()
		return
	}
	if stream := c.Request().BodyStream(); stream != nil {
		if _, err := io.CopyN(io.Discard, stream, length+1); !errors.Is(err, io.EOF) {
			c.RequestCtx().SetConnectionClose()
		}
	}
}

// maxBody returns the maximum size of the body: MaxUpload for a part of an upload that
// is sent with a cookie, and maxJSON otherwise.
func maxBody(c fiber.Ctx) int64 {
	if isPart(c) && len(c.Request().Header.Peek(fiber.HeaderCookie)) > 0 {
		return media.MaxUpload
	}
	return maxJSON
}

// isOneClick reports whether a mailbox ends the digest or invitations with a form (RFC 8058). Forms of
// other sites are not refused here, because such a request is authorised by the token in its
// path and not by a cookie.
func isOneClick(c fiber.Ctx, contentType string) bool {
	return c.Method() == fiber.MethodPost &&
		(strings.HasPrefix(c.Path(), mail.UnsubscribePath) || strings.HasPrefix(c.Path(), referrals.OptOutPath)) &&
		(contentType == fiber.MIMEApplicationForm || contentType == fiber.MIMEMultipartForm)
}

// admitBody calls the next handler unless the body is refused.
func admitBody(c fiber.Ctx, length int64) error {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	switch {
	case length < 0:
		return errLength
	case length > maxBody(c):
		return refuse(c, errTooLarge)
	case c.Get(fiber.HeaderContentEncoding) != "": // a small body can decompress to a huge one
		return errEncoding
	case isPart(c):
		return c.Next()
	case isOneClick(c, kind):
		return c.Next()
	case err != nil || kind != "application/json":
		return errMediaType
	}
	return c.Next()
}
