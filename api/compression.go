package api

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v3"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/valyala/fasthttp"
)

// minCompressed is the size in bytes below which a body is not compressed: it fits
// into the first packet either way.
const minCompressed = 1000

// compressBodies compresses the bodies of text by Accept-Encoding. docs/decisions/0026
// has the measurements behind the codings and levels.
func compressBodies(c fiber.Ctx) error {
	if err := c.Next(); err != nil {
		return err
	}
	response := c.Response()
	if !isCompressible(response) {
		return nil
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	coding := chooseCoding(c.Get(fiber.HeaderAcceptEncoding), []string{"zstd", "br", "gzip"})
	if coding != "" {
		c.Set(fiber.HeaderContentEncoding, coding)
		response.SetBodyRaw(compress(coding, response.Body()))
	}
	return nil
}

// isCompressible reports whether a response is text of at least minCompressed bytes
// that is complete and not compressed. Bodies that are streamed are recordings and
// pictures.
func isCompressible(response *fasthttp.Response) bool {
	if len(response.Header.ContentEncoding()) > 0 || response.StatusCode() == fiber.StatusPartialContent ||
		response.IsBodyStream() || len(response.Body()) < minCompressed {
		return false
	}
	kind := string(response.Header.ContentType())
	for _, text := range []string{"text/", "json", "javascript", "xml"} {
		if strings.Contains(kind, text) {
			return true
		}
	}
	return false
}

// zstdEncoder compresses with level 3 of zstd. The small window limits its memory to
// about 2 MB for each processor.
var zstdEncoder, _ = zstd.NewWriter(nil, zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(512<<10)) // the options are valid

// compressors are pools of compressor by coding.
var compressors = map[string]*sync.Pool{
	"br": {New: func() any { return brotli.NewWriterLevel(nil, 3) }},
	"gzip": {New: func() any {
		w, _ := gzip.NewWriterLevel(nil, 6) // the level is valid
		return w
	}},
}

type compressor interface {
	io.WriteCloser
	Reset(to io.Writer)
}

func compress(coding string, body []byte) []byte {
	if coding == "zstd" {
		return zstdEncoder.EncodeAll(body, nil)
	}
	w := compressors[coding].Get().(compressor)
	defer compressors[coding].Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	_, _ = w.Write(body) // the buffer never fails
	_ = w.Close()
	return out.Bytes()
}

// chooseCoding returns the content coding of a response by an Accept-Encoding header
// (RFC 9110, section 12.5.3): the offer with the highest quality, or the first of those
// with the same quality. It returns "", for a response that is not compressed, when
// the header accepts no offer or prefers identity.
func chooseCoding(accepted string, offers []string) string {
	qualities := parseQualities(accepted)
	best, highest := "", 0.0
	for _, offer := range offers {
		quality, listed := qualities[offer]
		if !listed {
			quality = qualities["*"]
		}
		if quality > highest {
			best, highest = offer, quality
		}
	}
	if qualities["identity"] > highest {
		return ""
	}
	return best
}

// parseQualities returns the quality of each value of a list such as "gzip, br;q=0.5".
// An invalid quality counts as 0.
func parseQualities(list string) map[string]float64 {
	qualities := map[string]float64{}
	for item := range strings.SplitSeq(list, ",") {
		value, parameter, found := strings.Cut(strings.ToLower(item), ";")
		quality := 1.0
		if found {
			number, _ := strings.CutPrefix(strings.TrimSpace(parameter), "q=")
			quality, _ = strconv.ParseFloat(number, 64)
		}
		qualities[strings.TrimSpace(value)] = quality
	}
	return qualities
}
