package web

import (
	"io"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v3"
)

// Stream writes size bytes of content as the response body, a part at a time, and closes
// content.
func Stream(out huma.Context, content io.ReadCloser, size int64) {
	inner := out // below the contexts with which middleware wraps that of Fiber
	for {
		wrapped, ok := inner.(interface{ Unwrap() huma.Context })
		if !ok {
			break
		}
		inner = wrapped.Unwrap()
	}
	if _, ok := inner.(interface{ Unwrap() fiber.Ctx }); ok {
		humafiber.Unwrap(inner).Response().SetBodyStream(content, int(size)) // fasthttp closes it
		return
	}
	defer content.Close()
	_, _ = io.Copy(out.BodyWriter(), content) // an error means that the client has disconnected
}
