package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"mime"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v3"

	"heartward/api/platform/files"
)

// Static serves the built app. Hashed assets are cached for a year; index.html, the
// service worker and the manifest are revalidated.
type Static struct {
	files  map[string]*asset
	site   string     // site.html, which is no page by itself; empty in tests
	routes [][]string // the app's routes, by segment
	builds *builds    // assets of other builds; nil without a store

	mu          sync.Mutex
	otherAssets map[string]*asset // requested assets of other builds; at most maxOtherAssets
}

type asset struct {
	bodies    map[string][]byte // by content coding; "" is not compressed
	kind      string
	etag      string
	immutable bool
}

// compressedFiles are the files that pwa/scripts/compress.mjs writes next to a file of
// the app, in the order of preference.
var compressedFiles = []struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

func isCompressedFile(name string) bool {
	return strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz")
}

// maxOtherAssets is the number of assets of other builds that are cached, about five builds.
const maxOtherAssets = 500

// NewStatic reads the built app from dist. routes are the app's routes, in which a
// segment that begins with a colon is a parameter. With a store, which may be nil,
// assets of other builds are served as well; see Publish.
func NewStatic(dist fs.FS, routes []string, store *files.Store) (*Static, error) {
	s := &Static{files: map[string]*asset{}, otherAssets: map[string]*asset{}}
	for _, route := range routes {
		s.routes = append(s.routes, strings.Split(route, "/"))
	}
	if store != nil {
		s.builds = newBuilds(store)
	}
	return s, fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(path.Base(name), ".") || isCompressedFile(name) {
			return err
		}
		bodies, err := readBodies(dist, name)
		if err != nil {
			return err
		}
		if name == "site.html" {
			s.site = string(bodies[""])
			return nil
		}
		s.files["/"+name] = newAsset(name, bodies)
		return nil
	})
}

// readBodies reads a file and, where they exist, its compressed files.
func readBodies(dist fs.FS, name string) (map[string][]byte, error) {
	raw, err := fs.ReadFile(dist, name)
	if err != nil {
		return nil, err
	}
	bodies := map[string][]byte{"": raw}
	for _, file := range compressedFiles {
		body, err := fs.ReadFile(dist, name+file.suffix)
		switch {
		case err == nil:
			bodies[file.coding] = body
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return bodies, nil
}

// newAsset returns an asset with a weak ETag, because its bodies have the same one.
func newAsset(name string, bodies map[string][]byte) *asset {
	sum := sha256.Sum256(bodies[""])
	return &asset{
		bodies: bodies, kind: contentType(name), etag: `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
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
	case name == manifestPath && file != nil && invitationCode.MatchString(c.Query("ref")):
		return file.sendManifest(c, c.Query("ref"))
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

// serveIndex serves the app with the status that the response has already.
func (s *Static) serveIndex(c fiber.Ctx) error {
	index := s.files["/index.html"]
	if index == nil {
		return s.serve(c)
	}
	c.Set("Cache-Control", "no-cache")
	return index.sendBody(c)
}

const manifestPath = "/manifest.webmanifest"

// invitationCode matches what can be the code of an invitation link.
var invitationCode = regexp.MustCompile(`^[A-Za-z0-9]{6,20}$`)

// sendManifest sends the manifest with the code in its start_url. An app that is installed with it starts
// as the invitation link does, which an iPhone needs: there the installed app has a storage of its own.
func (a *asset) sendManifest(c fiber.Ctx, code string) error {
	var manifest map[string]any
	if err := json.Unmarshal(a.bodies[""], &manifest); err != nil {
		return err
	}
	manifest["start_url"] = "/?ref=" + code
	body, err := json.Marshal(manifest)
	if err != nil {
		return err
	}
	c.Set("Cache-Control", "no-cache")
	c.Set("Content-Type", a.kind)
	return c.Send(body)
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

// assetOfOtherBuild returns an asset of another build, and caches it. It returns
// NotFound when no build has it, and Unavailable when the lists cannot be read.
func (s *Static) assetOfOtherBuild(c fiber.Ctx, name string) (*asset, error) {
	file := strings.Clone(path.Base(name)) // the memory of the request is reused
	if s.builds == nil || name != "/assets/"+file || isCompressedFile(file) {
		return nil, fiber.ErrNotFound
	}
	s.mu.Lock()
	known := s.otherAssets[file]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	bodies, err := s.builds.asset(c.Context(), file)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.otherAssets) >= maxOtherAssets {
		clear(s.otherAssets)
	}
	s.otherAssets[file] = newAsset("assets/"+file, bodies)
	return s.otherAssets[file], nil
}

// sendNotFound sends the app with status 404. The app shows that there is no such
// page.
func (a *asset) sendNotFound(c fiber.Ctx) error {
	c.Set("Cache-Control", "no-cache")
	return a.sendBody(c.Status(fiber.StatusNotFound))
}

func (a *asset) send(c fiber.Ctx) error {
	c.Set("ETag", a.etag)
	if a.immutable {
		c.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		c.Set("Cache-Control", "no-cache")
	}
	if c.Fresh() {
		c.Vary("Accept-Encoding")
		return c.SendStatus(fiber.StatusNotModified)
	}
	return a.sendBody(c)
}

// sendBody sends the body that Accept-Encoding prefers.
func (a *asset) sendBody(c fiber.Ctx) error {
	var codings []string
	for _, file := range compressedFiles {
		if a.bodies[file.coding] != nil {
			codings = append(codings, file.coding)
		}
	}
	coding := chooseCoding(c.Get("Accept-Encoding"), codings)
	if coding != "" {
		c.Set("Content-Encoding", coding)
	}
	c.Set("Content-Type", a.kind)
	c.Vary("Accept-Encoding")
	return c.Send(a.bodies[coding])
}
