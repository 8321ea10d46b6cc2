package members

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"heartward/api/platform/images"
)

// sendFile answers with a picture, or the part of it that was asked for. The
// address never holds another picture, so that it may be kept for ever, by the
// member's own browser only; and should a picture ever be opened as a page, it
// can do nothing.
func sendFile(out huma.Context, content []byte, wanted string) {
	out.SetHeader("Content-Type", images.ContentType)
	out.SetHeader("Cache-Control", "private, max-age=31536000, immutable")
	out.SetHeader("X-Content-Type-Options", "nosniff")
	out.SetHeader("Content-Security-Policy", "sandbox; default-src 'none'")
	out.SetHeader("Cross-Origin-Resource-Policy", "same-origin")
	out.SetHeader("Accept-Ranges", "bytes")
	first, last, given := byteRange(wanted, len(content))
	switch {
	case given && first > last:
		out.SetHeader("Content-Range", fmt.Sprintf("bytes */%d", len(content)))
		out.SetStatus(http.StatusRequestedRangeNotSatisfiable)
		return
	case given:
		out.SetHeader("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, len(content)))
		out.SetStatus(http.StatusPartialContent)
		content = content[first : last+1]
	default:
		out.SetStatus(http.StatusOK)
	}
	out.SetHeader("Content-Length", strconv.Itoa(len(content)))
	_, _ = out.BodyWriter().Write(content) // the reader is gone: nobody to tell
}

// byteRange reads a Range header with one range. What it cannot read is as if
// not given (RFC 9110, 14.2); first above last is a range outside the content.
func byteRange(header string, size int) (first, last int, given bool) {
	spec, ok := strings.CutPrefix(header, "bytes=")
	from, to, dash := strings.Cut(spec, "-")
	if !ok || !dash {
		return 0, 0, false
	}
	a, errA := strconv.ParseUint(from, 10, 31)
	b, errB := strconv.ParseUint(to, 10, 31)
	switch {
	case from == "" && errB == nil: // the last b bytes
		return max(0, size-int(b)), size - 1, true
	case errA == nil && to == "":
		return int(a), size - 1, true
	case errA == nil && errB == nil && a <= b:
		if int(a) >= size {
			return 1, 0, true
		}
		return int(a), min(int(b), size-1), true
	}
	return 0, 0, false
}
