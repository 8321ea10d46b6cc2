package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io/fs"
	"mime"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v3"

	"heartward/api/platform/files"
)

// Static serves the built app. Hashed assets are cached for ever; index.html, the
// service worker and the manifest are revalidated.
type Static struct {
	files  map[string]*asset
	routes [][]string // the app's routes, by segment
	builds *builds    // assets of other builds; nil without a store

	mu    sync.Mutex
	older map[string]*asset // requested assets of other builds; at most maxOlder
}

type asset struct {
	raw       []byte
	kind      string
	etag      string
	immutable bool
	packOnce  sync.Once
	br, gz    []byte
}

// maxOlder is the number of assets of other builds kept in memory, about five builds.
const maxOlder = 500

// NewStatic reads the built app from dist. routes are the app's routes, in which a
// segment that begins with a colon is a parameter. With a store, which may be nil,
// assets of other builds are served as well; see Publish.
func NewStatic(dist fs.FS, routes []string, store *files.Store) (*Static, error) {
	s := &Static{files: map[string]*asset{}, older: map[string]*asset{}}
	for _, route := range routes {
		s.routes = append(s.routes, strings.Split(route, "/"))
	}
	if store != nil {
		s.builds = newBuilds(store)
	}
	return s, fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		raw, err := fs.ReadFile(dist, name)
		if err != nil {
			return err
		}
		s.files["/"+name] = newAsset(name, raw)
		return nil
	})
}

func newAsset(name string, raw []byte) *asset {
	sum := sha256.Sum256(raw)
	return &asset{
		raw: raw, kind: contentType(name), etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
		immutable: strings.HasPrefix(name, "assets/"),
	}
}

func contentType(name string) string {
	switch path.Ext(name) { // not in the MIME table of every system
	case ".webmanifest":
		return "application/manifest+json"
	case ".woff2":
		return "font/woff2"
	case ".js":
		return "text/javascript; charset=utf-8"
	case "":
		return "application/octet-stream"
	}
	return mime.TypeByExtension(path.Ext(name))
}

func (s *Static) serve(c fiber.Ctx) error {
	name := path.Clean("/" + c.Path())
	file := s.files[name]
	switch {
	case file != nil:
	case strings.HasPrefix(name, "/assets/"):
		var err error
		if file, err = s.assetOfOtherBuild(c, name); err != nil {
			return err
		}
	case path.Ext(name) != "" || name == "/sw.js":
		return fiber.ErrNotFound
	default: // a screen of the app, or its page for unknown routes
		if file = s.files["/index.html"]; file == nil {
			return &fiber.Error{Code: fiber.StatusNotFound, Message: "The app is not built; scripts/run builds it"}
		}
		if !s.isRoute(name) {
			return file.sendNotFound(c)
		}
	}
	return file.send(c)
}

// isRoute reports whether the path is a route of the app. Like the app's router, it
// ignores case.
func (s *Static) isRoute(name string) bool {
	segments := strings.Split(name, "/")
	return slices.ContainsFunc(s.routes, func(route []string) bool {
		return slices.EqualFunc(route, segments, func(pattern, segment string) bool {
			return strings.HasPrefix(pattern, ":") || strings.EqualFold(pattern, segment)
		})
	})
}

// assetOfOtherBuild returns an asset of another build. It is read and compressed once,
// because compressing for each request would be expensive. It returns NotFound when
// no build has it, and Unavailable when the store does not respond.
func (s *Static) assetOfOtherBuild(c fiber.Ctx, name string) (*asset, error) {
	file := strings.Clone(path.Base(name)) // the memory of the request is reused
	if s.builds == nil || name != "/assets/"+file {
		return nil, fiber.ErrNotFound
	}
	s.mu.Lock()
	known := s.older[file]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	raw, err := s.builds.asset(c.Context(), file)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.older) >= maxOlder {
		clear(s.older)
	}
	s.older[file] = newAsset("assets/"+file, raw)
	return s.older[file], nil
}

// sendNotFound sends the app with status 404. The app shows that there is no such
// page.
func (a *asset) sendNotFound(c fiber.Ctx) error {
	c.Set("Content-Type", a.kind)
	c.Set("Cache-Control", "no-cache")
	return c.Status(fiber.StatusNotFound).Send(a.raw)
}

func (a *asset) send(c fiber.Ctx) error {
	c.Set("Content-Type", a.kind)
	c.Set("ETag", a.etag)
	c.Set("Vary", "Accept-Encoding")
	if a.immutable {
		c.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		c.Set("Cache-Control", "no-cache")
	}
	if c.Get("If-None-Match") == a.etag {
		return c.SendStatus(fiber.StatusNotModified)
	}
	// Without Accept-Encoding, such as from curl, the response is not compressed.
	if !a.packs() || c.Get("Accept-Encoding") == "" {
		return c.Send(a.raw)
	}
	a.packOnce.Do(a.pack)
	// Browsers list gzip first without a preference; brotli is smaller.
	switch {
	case c.AcceptsEncodings("br") == "br":
		c.Set("Content-Encoding", "br")
		return c.Send(a.br)
	case c.AcceptsEncodings("gzip") == "gzip":
		c.Set("Content-Encoding", "gzip")
		return c.Send(a.gz)
	}
	return c.Send(a.raw)
}

func (a *asset) packs() bool {
	for _, part := range []string{"text/", "javascript", "json", "svg"} {
		if strings.Contains(a.kind, part) {
			return len(a.raw) > 512
		}
	}
	return false
}

// pack compresses the asset at the first request, so that the start is fast.
func (a *asset) pack() {
	var br, gz bytes.Buffer
	b := brotli.NewWriterLevel(&br, 9)
	g, _ := gzip.NewWriterLevel(&gz, gzip.BestCompression) // fails only for unknown levels
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{b, g} {
		_, _ = w.Write(a.raw) // never fails
		_ = w.Close()
	}
	a.br, a.gz = br.Bytes(), gz.Bytes()
}
