package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofiber/fiber/v3"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api"
	"heartward/api/discovery"
	"heartward/api/media"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
)

// stage is the whole HTTP side on a real database, with a viewer who is
// nobody's match, and a pair of others with a conversation the viewer has no
// business with.
type stage struct {
	t       *testing.T
	pool    *pgxpool.Pool
	server  *api.Server
	address string // http://127.0.0.1:port
	client  *http.Client
	mails   *mail.Folder
	store   *files.Store
	viewer  string               // cookie
	foreign map[string]uuid.UUID // ids of the other pair, by kind
	emails  []string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	return newStageAt(t, "http://heartward.test", pgtest.New(t))
}

// newStageAt is the stage for members who come by site.
func newStageAt(t *testing.T, site string, pool *pgxpool.Pool) *stage {
	t.Helper()
	s := &stage{t: t, pool: pool, foreign: map[string]uuid.UUID{}}
	deps, store := newDeps(t, site, pool, newSearch(t, pool))
	s.store, s.mails = store, deps.Mailbox
	server, err := api.New(deps)
	require.NoError(t, err)
	s.server = server
	s.listen()
	s.viewer = s.signUp("viewer")
	s.json(s.viewer, http.MethodPatch, "/api/users/me", map[string]any{"religion": "other"}) // may filter by one
	s.makeForeignPair()
	return s
}

// newSearch returns a search whose index follows pool until the test ends.
func newSearch(t *testing.T, pool *pgxpool.Pool) *discovery.Service {
	t.Helper()
	search := discovery.New(pool)
	require.NoError(t, search.Refresh(t.Context()))
	ctx, stop := context.WithCancel(context.Background())
	var following sync.WaitGroup
	following.Go(func() { search.Follow(ctx) })
	t.Cleanup(func() { stop(); following.Wait() })
	return search
}

// listen serves on a loopback port; redirects are answers, not followed.
func (s *stage) listen() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(s.t, err)
	s.address = "http://" + listener.Addr().String()
	s.client = &http.Client{
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	served := make(chan error, 1)
	go func() { served <- s.server.Fiber.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true}) }()
	s.t.Cleanup(func() {
		s.client.CloseIdleConnections()
		require.NoError(s.t, s.server.Fiber.Shutdown())
		require.NoError(s.t, <-served)
	})
}

type answer struct {
	status            int
	contentType, body string
	header            http.Header
}

// send makes one call with the cookie, which may be empty.
func (s *stage) send(cookie, method, path, contentType, body string) answer {
	s.t.Helper()
	return s.do(s.newRequest(cookie, method, path, contentType, body))
}

// sendWith makes one JSON call with one more header.
func (s *stage) sendWith(cookie, method, path, body, header, value string) answer {
	s.t.Helper()
	request := s.newRequest(cookie, method, path, "application/json", body)
	if value != "" {
		request.Header.Set(header, value)
	}
	return s.do(request)
}

func (s *stage) newRequest(cookie, method, path, contentType, body string) *http.Request {
	s.t.Helper()
	request, err := http.NewRequest(method, s.address+path, strings.NewReader(body))
	require.NoError(s.t, err)
	request.Host = "heartward.test"
	if body != "" || method != http.MethodGet {
		request.Header.Set("Content-Type", contentType)
	}
	if strings.HasPrefix(path, media.Root) {
		for name, value := range map[string]string{"Tus-Resumable": "1.0.0", "Upload-Length": "10", "Upload-Offset": "0"} {
			request.Header.Set(name, value)
		}
	}
	if cookie != "" {
		request.Header.Set("Cookie", cookie)
	}
	return request
}

func (s *stage) do(request *http.Request) answer {
	s.t.Helper()
	response, err := s.client.Do(request)
	require.NoError(s.t, err, "%s %s", request.Method, request.URL.Path)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	return answer{response.StatusCode, response.Header.Get("Content-Type"), string(text), response.Header}
}

func (s *stage) json(cookie, method, path string, body any) answer {
	text, err := json.Marshal(body)
	require.NoError(s.t, err)
	return s.send(cookie, method, path, "application/json", string(text))
}

var digits = regexp.MustCompile(`\b\d{8}\b`)

// signUp makes a member by mailed code and returns its cookie.
func (s *stage) signUp(name string) string {
	s.t.Helper()
	email := name + ".secret@example.test"
	s.emails = append(s.emails, email)
	asked := s.json("", http.MethodPost, "/api/auth/code", map[string]any{"email": email})
	require.Equal(s.t, http.StatusAccepted, asked.status, asked.body)
	browser := cookieOf(asked)
	var code string
	require.Eventually(s.t, func() bool {
		mails, err := s.mails.List(email, 1)
		require.NoError(s.t, err)
		if len(mails) > 0 {
			code = digits.FindString(mails[0].Text)
		}
		return code != ""
	}, 10*time.Second, 5*time.Millisecond)
	made := s.json(browser, http.MethodPost, "/api/users", map[string]any{
		"email": email, "fullName": name, "age": 30, "city": "Portland", "state": "OR", "intentionTags": []string{"Long-term"},
		"bio": "", "loveReflection": "", "honorCode": true, "code": code,
	})
	require.Equal(s.t, http.StatusCreated, made.status, made.body)
	return cookieOf(made)
}

func cookieOf(a answer) string {
	var all []string
	for _, line := range a.header.Values("Set-Cookie") {
		pair, _, _ := strings.Cut(line, ";")
		all = append(all, pair)
	}
	return strings.Join(all, "; ")
}

func (s *stage) makeForeignPair() {
	s.t.Helper()
	ann, ben := s.signUp("ann"), s.signUp("ben")
	annID, benID := s.idOf(ann), s.idOf(ben)
	require.Equal(s.t, http.StatusCreated, s.json(ann, http.MethodPost, "/api/likes", map[string]any{"toUserId": benID, "likeType": "like"}).status)
	require.Equal(s.t, http.StatusCreated, s.json(ben, http.MethodPost, "/api/likes", map[string]any{"toUserId": annID, "likeType": "like"}).status)
	sent := s.json(ann, http.MethodPost, "/api/messages", map[string]any{
		"recipientId": benID, "content": "the words of ann", "clientId": uuid.Must(uuid.NewV7()),
	})
	require.Equal(s.t, http.StatusCreated, sent.status, sent.body)
	var message messaging.Message
	require.NoError(s.t, json.Unmarshal([]byte(sent.body), &message))
	s.foreign["message"], s.foreign["conversation"] = message.ID, message.ConversationID
	for kind, table := range map[string]string{"match": "matches", "session": "sessions"} {
		var id uuid.UUID
		require.NoError(s.t, s.pool.QueryRow(s.t.Context(),
			`SELECT t.id FROM `+table+` t ORDER BY created_at DESC LIMIT 1`).Scan(&id))
		s.foreign[kind] = id
	}
}

func (s *stage) idOf(cookie string) string {
	var me members.Me
	require.NoError(s.t, json.Unmarshal([]byte(s.send(cookie, http.MethodGet, "/api/auth/user", "", "").body), &me))
	return me.ID.String()
}

// secrets are texts that no refusal may contain.
func (s *stage) secrets() []string { return append([]string{"the words of ann"}, s.emails[1:]...) }

// snapshot is a fingerprint of every table, without what a mere call may write.
func (s *stage) snapshot() map[string]string {
	s.t.Helper()
	rows, err := s.pool.Query(s.t.Context(), `SELECT tablename FROM pg_tables
		WHERE schemaname = 'public' AND tablename NOT IN ('rate_limits', 'session_activity', 'member_activity', 'search_active_hours') AND tablename NOT LIKE 'river%'`)
	require.NoError(s.t, err)
	prints := map[string]string{}
	var tables []string
	for rows.Next() {
		var table string
		require.NoError(s.t, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(s.t, rows.Err())
	for _, table := range tables {
		var sum string
		require.NoError(s.t, s.pool.QueryRow(s.t.Context(), `SELECT coalesce(md5(string_agg(row, ',' ORDER BY row)), '') FROM (
			SELECT (to_jsonb(t) - 'tries')::text AS row FROM `+table+` t) rows`).Scan(&sum))
		prints[table] = sum
	}
	require.Greater(s.t, len(prints), 10)
	return prints
}
