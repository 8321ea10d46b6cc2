package api

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v3"

	"heartward/api/community"
	"heartward/api/platform/fault"
)

// publicScreens are the app's routes that search engines may read. Those that the app does not have are ignored.
var publicScreens = []string{
	landingPath, communityPath, communityPath + "/:id", communityRulesPath, legacyWallPath, safetyPath, "/signup", "/login",
}

// listedScreens are the public screens with a text of their own. The posts have sitemaps of their own.
var listedScreens = []string{landingPath, communityPath, communityRulesPath, legacyWallPath, safetyPath}

// publicData are the requests of the public screens: search engines run the app, which replaces the served text.
var publicData = []string{"/api/auth/session", "/api/community/", "/api/legacy-wall", "/api/safety"}

const (
	robotsPath       = "/robots.txt"
	sitemapIndexPath = "/sitemap.xml"
	screensSitemap   = "/sitemap-screens.xml"
	postsSitemap     = "/sitemap-posts-%d.xml"
)

// sitemapLifetime is how long a sitemap is cached, here and by others.
const sitemapLifetime = 5 * time.Minute

// sitemaps serves robots.txt, and the addresses of the public screens and posts for search engines.
type sitemaps struct {
	board  *community.Service
	static *Static
	site   *url.URL

	mu     sync.Mutex
	cached map[string]cachedSitemap // by path; at most the number of existing sitemaps
}

type cachedSitemap struct {
	text  []byte
	until time.Time
}

// mountSitemaps serves robots.txt and the sitemaps.
func mountSitemaps(app *fiber.App, deps Deps) {
	s := &sitemaps{board: deps.Community, static: deps.App, site: deps.PublicURL, cached: map[string]cachedSitemap{}}
	app.Get(robotsPath, func(c fiber.Ctx) error {
		c.Set("Cache-Control", cacheControl)
		return c.Type("txt", "utf-8").SendString(s.robots())
	})
	app.Get(sitemapIndexPath, func(c fiber.Ctx) error { return s.serve(c, s.index) })
	app.Get(screensSitemap, func(c fiber.Ctx) error { return s.serve(c, s.screens) })
	app.Get("/sitemap-posts-:number<int>.xml", func(c fiber.Ctx) error {
		number, err := strconv.Atoi(c.Params("number"))
		if err != nil || c.Path() != fmt.Sprintf(postsSitemap, number) {
			return fiber.ErrNotFound
		}
		return s.serve(c, func(ctx context.Context) (any, error) { return s.posts(ctx, number) })
	})
}

var cacheControl = fmt.Sprintf("public, max-age=%d", int(sitemapLifetime.Seconds()))

func (s *sitemaps) address(path string) string { return s.site.JoinPath(path).String() }

// robots returns robots.txt: search engines read the public screens and what these request.
func (s *sitemaps) robots() string {
	lines := []string{"User-agent: *", "Disallow: /api/", "Disallow: /files/"}
	for _, path := range publicData {
		lines = append(lines, "Allow: "+path)
	}
	for _, route := range s.static.routes {
		path := strings.Join(route, "/")
		if !slices.Contains(publicScreens, path) && !strings.Contains(path, ":") { // a rule is a prefix
			lines = append(lines, "Disallow: "+path)
		}
	}
	return strings.Join(append(lines, "", "Sitemap: "+s.address(sitemapIndexPath), ""), "\n")
}

// sitemapEntry is the address of a page or of a sitemap.
type sitemapEntry struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"` // RFC 3339
}

// sitemapIndex and sitemap are documents of sitemaps.org.
type sitemapIndex struct {
	XMLName  xml.Name       `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemapindex"`
	Sitemaps []sitemapEntry `xml:"sitemap"`
}

type sitemap struct {
	XMLName xml.Name       `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	Pages   []sitemapEntry `xml:"url"`
}

func (s *sitemaps) index(ctx context.Context) (any, error) {
	count, err := s.board.CountSitemaps(ctx)
	index := sitemapIndex{Sitemaps: []sitemapEntry{{Address: s.address(screensSitemap)}}}
	for number := 1; number <= count; number++ {
		index.Sitemaps = append(index.Sitemaps, sitemapEntry{Address: s.address(fmt.Sprintf(postsSitemap, number))})
	}
	return index, err
}

func (s *sitemaps) screens(context.Context) (any, error) {
	var screens sitemap
	for _, path := range slices.Concat(listedScreens, sitePaths) {
		if s.static.isRoute(path) || slices.Contains(sitePaths, path) {
			screens.Pages = append(screens.Pages, sitemapEntry{Address: s.address(path)})
		}
	}
	return screens, nil
}

func (s *sitemaps) posts(ctx context.Context, number int) (any, error) {
	posts, err := s.board.Sitemap(ctx, number)
	list := sitemap{Pages: make([]sitemapEntry, len(posts))}
	for i, post := range posts {
		list.Pages[i] = sitemapEntry{s.address(communityPath + "/" + post.ID.String()), post.ChangedAt.UTC().Format(time.RFC3339)}
	}
	return list, err
}

// serve sends the document that build returns, or a cached one.
func (s *sitemaps) serve(c fiber.Ctx, build func(context.Context) (any, error)) error {
	text, err := s.find(c.Context(), strings.Clone(c.Path()), build) // the memory of the request is reused
	if err != nil {
		return refuse(c, fault.From(err))
	}
	c.Set("Cache-Control", cacheControl)
	return c.Type("xml", "utf-8").Send(text)
}

// find returns a cached document, or makes it. Requests wait for each other, so that each document is made once.
func (s *sitemaps) find(ctx context.Context, path string, build func(context.Context) (any, error)) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.cached[path]; ok && time.Now().Before(known.until) {
		return known.text, nil
	}
	document, err := build(ctx)
	if err != nil {
		return nil, err
	}
	text := bytes.NewBufferString(xml.Header)
	if err := xml.NewEncoder(text).Encode(document); err != nil {
		return nil, err
	}
	s.cached[path] = cachedSitemap{text.Bytes(), time.Now().Add(sitemapLifetime)}
	return text.Bytes(), nil
}
