package api

import (
	"bytes"
	"context"
	"encoding/json"
	"html/template"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/valyala/fasthttp"

	"heartward/api/auth"
)

// firstScreen serves the app's document with what its first screen needs: links that start the download of its chunks
// and of its first picture, and the responses to its first requests, which pwa/public/boot.js passes to the app. Without
// them the app requests the same itself, each after the one before.
type firstScreen struct {
	static  *Static
	landing *landing
	handler fasthttp.RequestHandler // answers the requests of the screen
	before  string                  // index.html up to where the responses are inserted
	head    string                  // the rest of its head, with boot.js, the styles and the fonts
	after   string
	chunks  map[string][]string // addresses by route
}

// firstRequestsTimeout limits the time for which a document waits for the responses in it. The app then
// requests them itself.
var firstRequestsTimeout = time.Second

// The requests of a screen: the session, and the first page of its list by path. boot.js has the same list.
const sessionAddress = "/api/auth/session"

var listAddresses = map[string]string{
	"/":         "/api/matches/for-you?limit=12",
	"/discover": "/api/discover?limit=12",
	"/matches":  "/api/matches",
}

// documentHeaders are the headers of a response that the app reads.
var documentHeaders = []string{
	fiber.HeaderContentType, fiber.HeaderLink, "X-Remaining", "X-New-People-At",
}

const (
	bootScript = `<script src="/boot.js"`
	headEnd    = "</head>"
)

var chunkList = regexp.MustCompile(`data-chunks='([^']*)'`)

// newFirstScreen returns nil if index.html is not one of the build, as in tests.
func newFirstScreen(static *Static, handler fasthttp.RequestHandler, pages *landing) *firstScreen {
	index := static.files["/index.html"]
	if index == nil {
		return nil
	}
	document := string(index.bodies[""])
	start := strings.Index(document, bootScript)
	end := strings.Index(document, headEnd)
	list := chunkList.FindStringSubmatch(document)
	if start < 0 || end < start || list == nil {
		return nil
	}
	f := &firstScreen{static: static, landing: pages, handler: handler, before: document[:start], head: document[start:end], after: document[end:]}
	if err := json.Unmarshal([]byte(list[1]), &f.chunks); err != nil {
		return nil
	}
	return f
}

// embedded is a response in the document.
type embedded struct {
	Address string            `json:"address"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// screenContent is what is inserted into the document.
type screenContent struct {
	chunks    []string
	picture   string // its address; empty for none
	responses []embedded

	isVisitors bool // there is no session
}

// serve serves the document of a screen, to visitors at / the landing page, and whether it did. It does not if the path
// is not a screen, or the session cannot be read or has ended, which the page then handles.
func (f *firstScreen) serve(c fiber.Ctx) (bool, error) {
	name := path.Clean("/" + c.Path())
	if f == nil || c.Method() != fiber.MethodGet || f.static.files[name] != nil || path.Ext(name) != "" || !f.static.isRoute(name) {
		return false, nil
	}
	content, ok := f.load(c, name)
	if !ok {
		return false, nil
	}
	if name == landingPath && content.isVisitors {
		return true, f.landing.serve(c)
	}
	// The document is the member's: neither the browser nor a proxy stores it.
	c.Set("Cache-Control", "no-store")
	return true, c.Type("html", "utf-8").SendString(f.before + content.responsesHTML() + f.head + content.chunksHTML() + f.after)
}

// load returns the content for the client's session, and false if its state is not clear.
func (f *firstScreen) load(c fiber.Ctx, name string) (screenContent, bool) {
	outer := c.Context()
	ctx, cancel := context.WithTimeout(outer, firstRequestsTimeout)
	defer cancel()
	c.SetContext(ctx)
	defer c.SetContext(outer)

	session, ok := f.request(c, sessionAddress)
	if !ok {
		return screenContent{}, false
	}
	var state struct {
		Member *pictured
		Code   string
	}
	if err := json.Unmarshal(session.Body, &state); err != nil {
		return screenContent{}, false
	}
	content := screenContent{responses: []embedded{session}, chunks: f.chunksOf(name)}
	if state.Member == nil {
		content.isVisitors = state.Code != auth.CodeRevoked
		// A cookie without a member: the response to the page's own request also clears what the browser stores. The
		// landing page opens the app on a device with a member's data.
		hasCookie := len(c.Request().Header.Peek(fiber.HeaderCookie)) > 0
		return content, !hasCookie || name == landingPath && content.isVisitors
	}
	if name == "/profile" {
		content.picture = state.Member.first(false)
	}
	if address := listAddresses[name]; address != "" {
		if list, ok := f.request(c, address); ok {
			content.responses = append(content.responses, list)
			content.picture = firstPicture(list.Body, name == "/discover")
		}
	}
	return content, true
}

// request answers a request of the client to another address of this server. It returns false unless the response is
// complete in its body.
func (f *firstScreen) request(c fiber.Ctx, address string) (embedded, bool) {
	var request fasthttp.Request
	c.Request().Header.CopyTo(&request.Header)
	for _, name := range []string{"Accept-Encoding", "If-None-Match", "If-Modified-Since", "Range"} {
		request.Header.Del(name)
	}
	request.Header.Set(fiber.HeaderAccept, fiber.MIMEApplicationJSON)
	request.SetRequestURI(address)
	var inner fasthttp.RequestCtx
	inner.Init(&request, c.RequestCtx().RemoteAddr(), nil)
	c.RequestCtx().VisitUserValuesAll(func(key, value any) {
		if ctx, ok := value.(context.Context); ok { // with its deadline
			inner.SetUserValue(key, ctx)
		}
	})
	f.handler(&inner)
	response := &inner.Response
	if response.StatusCode() != fiber.StatusOK || len(response.Header.Peek(fiber.HeaderSetCookie)) > 0 || !json.Valid(response.Body()) {
		return embedded{}, false
	}
	result := embedded{Address: address, Headers: map[string]string{}, Body: bytes.Clone(response.Body())}
	for _, name := range documentHeaders {
		if value := response.Header.Peek(name); len(value) > 0 {
			result.Headers[name] = string(value)
		}
	}
	return result, true
}

// chunksOf returns the addresses of the chunks of a screen.
func (f *firstScreen) chunksOf(name string) []string {
	if strings.HasPrefix(name, "/messages/") {
		return f.chunks["/messages/:id"]
	}
	return f.chunks[name]
}

// pictured is the part of a member or of an entry of a list with their pictures.
type pictured struct {
	Photos          []struct{ URL, ThumbURL string }
	ProfileImageURL *string
	User            *pictured // of a match
}

// first returns the address of the first picture, empty for none.
func (p pictured) first(thumb bool) string {
	switch {
	case p.User != nil:
		return p.User.first(thumb)
	case len(p.Photos) > 0 && thumb:
		return p.Photos[0].ThumbURL
	case len(p.Photos) > 0:
		return p.Photos[0].URL
	case p.ProfileImageURL != nil:
		return *p.ProfileImageURL
	}
	return ""
}

// firstPicture returns the address of the first picture of a list, empty for none.
func firstPicture(list []byte, thumb bool) string {
	var entries []pictured
	if err := json.Unmarshal(list, &entries); err != nil || len(entries) == 0 {
		return ""
	}
	return entries[0].first(thumb)
}

// chunksHTML returns the links that start the download of the chunks. They stand last in the head: before them, with
// HTTP/1.1, they would take the connections that boot.js and the styles need for the first paint.
func (s screenContent) chunksHTML() string {
	var text strings.Builder
	for _, chunk := range s.chunks {
		text.WriteString(`<link rel="modulepreload" href="` + template.HTMLEscapeString(chunk) + `" />` + "\n    ")
	}
	return text.String()
}

// responsesHTML returns the link to the picture, and the responses. A script of JSON is data, which the content policy
// permits.
func (s screenContent) responsesHTML() string {
	var text strings.Builder
	if s.picture != "" {
		text.WriteString(`<link rel="preload" as="image" fetchpriority="high" href="` + template.HTMLEscapeString(s.picture) + `" />` + "\n    ")
	}
	responses, err := json.Marshal(s.responses) // escapes <, so that no text ends the script
	if err != nil {
		panic(err) // the bodies are valid
	}
	text.WriteString(`<script type="application/json" id="hw-responses">` + string(responses) + "</script>\n    ")
	return text.String()
}
