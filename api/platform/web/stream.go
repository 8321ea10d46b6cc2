package web

import (
	"io"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v3"
)

// Stream answers with size bytes of content as they are read, and closes it.
// What is large is so never held in memory as a whole.
func Stream(out huma.Context, content io.ReadCloser, size int64) {
	inner := out
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
	_, _ = io.Copy(out.BodyWriter(), content) // the reader is gone: nobody to tell
}
