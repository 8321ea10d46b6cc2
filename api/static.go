package api

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io/fs"
	"mime"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/gofiber/fiber/v3"
)

// Static serves the built app. Hashed assets never change and are cached for
// ever; index.html, the worker and the manifest are asked for again each time.
type Static struct {
	files map[string]*asset
	kept  string   // folder with hashed assets of earlier builds
	older sync.Map // of those, the ones asked for: file name to *asset
}

type asset struct {
	raw       []byte
	kind      string
	etag      string
	immutable bool
	packOnce  sync.Once
	br, gz    []byte
}

// keepAssets is how long a page that was loaded before an update still finds
// the chunks it was built with.
const keepAssets = 14 * 24 * time.Hour

// NewStatic reads the built app from dist. When keep is not empty, its hashed
// assets are copied there and served to pages of earlier builds.
func NewStatic(dist fs.FS, keep string) (*Static, error) {
	s := &Static{files: map[string]*asset{}, kept: keep}
	err := fs.WalkDir(dist, ".", func(name string, entry fs.DirEntry, err error) error {
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
	if err != nil || keep == "" {
		return s, err
	}
	return s, s.keepForLater()
}

func newAsset(name string, raw []byte) *asset {
	sum := sha256.Sum256(raw)
	kind := mime.TypeByExtension(path.Ext(name))
	switch path.Ext(name) { // not in every system's table
	case ".webmanifest":
		kind = "application/manifest+json"
	case ".woff2":
		kind = "font/woff2"
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case "":
		kind = "application/octet-stream"
	}
	return &asset{
		raw: raw, kind: kind, etag: `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`,
		immutable: strings.HasPrefix(name, "assets/"),
	}
}

func (s *Static) keepForLater() error {
	if err := os.MkdirAll(s.kept, 0o700); err != nil {
		return err
	}
	for name, file := range s.files {
		if !file.immutable {
			continue
		}
		target := filepath.Join(s.kept, path.Base(name))
		if _, err := os.Stat(target); errors.Is(err, fs.ErrNotExist) {
			if err := os.WriteFile(target, file.raw, 0o600); err != nil {
				return err
			}
		}
		now := time.Now()
		if err := os.Chtimes(target, now, now); err != nil {
			return err
		}
	}
	entries, err := os.ReadDir(s.kept)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && time.Since(info.ModTime()) > keepAssets {
			if err := os.Remove(filepath.Join(s.kept, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Static) serve(c fiber.Ctx) error {
	name := path.Clean("/" + c.Path())
	file := s.files[name]
	switch {
	case file != nil:
	case strings.HasPrefix(name, "/assets/"):
		if file = s.earlier(name); file == nil {
			return fiber.ErrNotFound
		}
	case path.Ext(name) != "" || name == "/sw.js":
		return fiber.ErrNotFound
	default: // a screen of the app
		if file = s.files["/index.html"]; file == nil {
			return &fiber.Error{Code: fiber.StatusNotFound, Message: "The app is not built; scripts/run builds it"}
		}
	}
	return file.send(c)
}

// earlier finds an asset of a build that is no longer in the binary. It is read
// and compressed once: brotli for each request would be an invitation.
func (s *Static) earlier(name string) *asset {
	file := strings.Clone(path.Base(name)) // the request's memory is used again
	if s.kept == "" || name != "/assets/"+file {
		return nil
	}
	if known, ok := s.older.Load(file); ok {
		return known.(*asset)
	}
	raw, err := os.ReadFile(filepath.Join(s.kept, file))
	if err != nil {
		return nil
	}
	known, _ := s.older.LoadOrStore(file, newAsset("assets/"+file, raw))
	return known.(*asset)
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
