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

// Static serves the built app. Hashed assets never change and are cached for
// ever; index.html, the worker and the manifest are asked for again each time.
type Static struct {
	files  map[string]*asset
	routes [][]string // the app's own addresses, by segment
	builds *builds    // shared with other nodes; nil without a store

	mu    sync.Mutex
	older map[string]*asset // of other builds, the ones asked for; at most maxOlder
}

type asset struct {
	raw       []byte
	kind      string
	etag      string
	immutable bool
	packOnce  sync.Once
	br, gz    []byte
}

// maxOlder is how many assets of other builds are kept in memory: about those of
// five builds.
const maxOlder = 500

// NewStatic reads the built app from dist. Its routes are the addresses that the
// app knows; a segment with a colon stands for any. With a store, see Publish,
// assets of other builds are served as well; it may be nil.
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
	switch path.Ext(name) { // not in every system's table
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
		if file, err = s.ofOtherBuild(c, name); err != nil {
			return err
		}
	case path.Ext(name) != "" || name == "/sw.js":
		return fiber.ErrNotFound
	default: // a screen of the app, or its page that there is none
		if file = s.files["/index.html"]; file == nil {
			return &fiber.Error{Code: fiber.StatusNotFound, Message: "The app is not built; scripts/run builds it"}
		}
		if !s.isRoute(name) {
			return file.sendNotFound(c)
		}
	}
	return file.send(c)
}

// isRoute reports whether the app has a screen at the address. As in its router,
// capital letters are alike to small ones.
func (s *Static) isRoute(name string) bool {
	segments := strings.Split(name, "/")
	return slices.ContainsFunc(s.routes, func(route []string) bool {
		return slices.EqualFunc(route, segments, func(pattern, segment string) bool {
			return strings.HasPrefix(pattern, ":") || strings.EqualFold(pattern, segment)
		})
	})
}

// ofOtherBuild returns an asset that is not in the binary. It is read and
// compressed once: brotli for each request would be an invitation. NotFound when
// no build has it, Unavailable when the store is away.
func (s *Static) ofOtherBuild(c fiber.Ctx, name string) (*asset, error) {
	file := strings.Clone(path.Base(name)) // the request's memory is used again
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

// sendNotFound sends the app, which says that there is no such page, with the
// status that says so to programs.
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
	// Who names no encoding, such as a plain curl, gets the text itself.
	if !a.packs() || c.Get("Accept-Encoding") == "" {
		return c.Send(a.raw)
	}
	a.packOnce.Do(a.pack)
	// Browsers name gzip first and mean no preference; brotli is the smaller.
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

// pack compresses once, when first asked for: the start stays fast.
func (a *asset) pack() {
	var br, gz bytes.Buffer
	b := brotli.NewWriterLevel(&br, 9)
	g, _ := gzip.NewWriterLevel(&gz, gzip.BestCompression) // fails for unknown levels only
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{b, g} {
		_, _ = w.Write(a.raw) // a buffer takes everything
		_ = w.Close()
	}
	a.br, a.gz = br.Bytes(), gz.Bytes()
}
