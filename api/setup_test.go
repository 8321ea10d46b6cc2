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
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// env is the HTTP server with a database, a viewer without matches, and two other
// members with a conversation that the viewer may not see.
type env struct {
	testkit.DB
	server      *api.Server
	address     string // http://127.0.0.1:port
	client      *http.Client
	mails       *mail.Folder
	mailbox     string // path of the mailbox, with its token
	store       *files.Store
	search      *discovery.Service
	reports     *moderation.Service
	viewer      string               // session cookie
	idsOfOthers map[string]uuid.UUID // ids of the other pair, by kind
	emails      []string
}

func newEnv(t *testing.T) *env {
	t.Helper()
	return newEnvAt(t, "http://heartward.test", pgtest.New(t))
}

// newEnvAt returns an env whose public URL is site.
func newEnvAt(t *testing.T, site string, pool *pgxpool.Pool) *env {
	t.Helper()
	s := &env{DB: testkit.DB{TB: t, Pool: pool}, idsOfOthers: map[string]uuid.UUID{}}
	deps, store, mails := newDeps(t, site, pool)
	s.search, s.reports, s.store, s.mails, s.mailbox = deps.Discovery, deps.Moderation, store, mails, deps.Mailbox.Path()
	server, err := api.New(deps)
	require.NoError(t, err)
	s.server = server
	s.listen()
	s.viewer = s.signUp("viewer")
	s.json(s.viewer, http.MethodPatch, "/api/users/me", map[string]any{"religion": "other", "religionCounts": true}) // members may filter only by fields they filled in
	s.addForeignPair()
	return s
}

// followSearch loads the index of search and lets it follow the database until the test ends.
func followSearch(t *testing.T, search *discovery.Service) {
	t.Helper()
	require.NoError(t, search.Refresh(t.Context()))
	ctx, stop := context.WithCancel(context.Background())
	var tasks sync.WaitGroup
	tasks.Go(func() { search.Follow(ctx) })
	t.Cleanup(func() { stop(); tasks.Wait() })
}

// refreshSearch adds all that has been committed to the search index, which otherwise follows the database with a delay.
func (s *env) refreshSearch() {
	s.Helper()
	require.NoError(s, s.search.Refresh(s.Context()))
}

// listen serves on a loopback port. The client does not follow redirects.
func (s *env) listen() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(s, err)
	s.address = "http://" + listener.Addr().String()
	s.client = &http.Client{
		Timeout:       2 * time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	serveError := make(chan error, 1)
	go func() {
		serveError <- s.server.Fiber.Listener(listener, fiber.ListenConfig{DisableStartupMessage: true})
	}()
	s.Cleanup(func() {
		s.client.CloseIdleConnections()
		require.NoError(s, s.server.Fiber.Shutdown())
		require.NoError(s, <-serveError)
	})
}

type httpResponse struct {
	status            int
	contentType, body string
	header            http.Header
}

// send sends a request with the cookie, which may be empty.
func (s *env) send(cookie, method, path, contentType, body string) httpResponse {
	s.Helper()
	return s.do(s.newRequest(cookie, method, path, contentType, body))
}

// sendWith sends a JSON request with another header.
func (s *env) sendWith(cookie, method, path, body, header, value string) httpResponse {
	s.Helper()
	request := s.newRequest(cookie, method, path, "application/json", body)
	if value != "" {
		request.Header.Set(header, value)
	}
	return s.do(request)
}

func (s *env) newRequest(cookie, method, path, contentType, body string) *http.Request {
	s.Helper()
	request, err := http.NewRequest(method, s.address+path, strings.NewReader(body))
	require.NoError(s, err)
	if !strings.HasPrefix(path, "/dev/") { // served at the server's own address only
		request.Host = "heartward.test"
	}
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

func (s *env) do(request *http.Request) httpResponse {
	s.Helper()
	response, err := s.client.Do(request)
	require.NoError(s, err, "%s %s", request.Method, request.URL.Path)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(s, err)
	got := httpResponse{response.StatusCode, response.Header.Get("Content-Type"), string(text), response.Header}
	s.checkCodes(request, got)
	return got
}

func (s *env) json(cookie, method, path string, body any) httpResponse {
	text, err := json.Marshal(body)
	require.NoError(s, err)
	return s.send(cookie, method, path, "application/json", string(text))
}

var codePattern = regexp.MustCompile(`\b\d{8}\b`)

// signUp creates a member with a mailed code and returns the session cookie.
func (s *env) signUp(name string) string {
	s.Helper()
	email := name + ".secret@example.test"
	s.emails = append(s.emails, email)
	codeResponse := s.json("", http.MethodPost, "/api/auth/code", map[string]any{"email": email})
	require.Equal(s, http.StatusAccepted, codeResponse.status, codeResponse.body)
	browser := cookieOf(codeResponse)
	var code string
	require.Eventually(s, func() bool {
		mails, err := s.mails.List(email, 1)
		require.NoError(s, err)
		if len(mails) > 0 {
			code = codePattern.FindString(mails[0].Text)
		}
		return code != ""
	}, testkit.Timeout, 5*time.Millisecond)
	response := s.json(browser, http.MethodPost, "/api/users", map[string]any{
		"email": email, "fullName": name, "age": 30, "city": "Portland", "state": "OR", "intentionTags": []string{"Long-term"},
		"bio": "", "loveReflection": "", "honorCode": true, "code": code,
	})
	require.Equal(s, http.StatusCreated, response.status, response.body)
	return cookieOf(response)
}

func cookieOf(a httpResponse) string {
	var all []string
	for _, line := range a.header.Values("Set-Cookie") {
		pair, _, _ := strings.Cut(line, ";")
		all = append(all, pair)
	}
	return strings.Join(all, "; ")
}

func (s *env) addForeignPair() {
	s.Helper()
	ann, ben := s.signUp("ann"), s.signUp("ben")
	annID, benID := s.idOf(ann), s.idOf(ben)
	require.Equal(s, http.StatusCreated, s.json(ann, http.MethodPost, "/api/likes", map[string]any{"toUserId": benID, "likeType": "like"}).status)
	require.Equal(s, http.StatusCreated, s.json(ben, http.MethodPost, "/api/likes", map[string]any{"toUserId": annID, "likeType": "like"}).status)
	response := s.json(ann, http.MethodPost, "/api/messages", map[string]any{
		"recipientId": benID, "content": "private text of ann", "clientId": uuid.Must(uuid.NewV7()),
	})
	require.Equal(s, http.StatusCreated, response.status, response.body)
	var message messages.Message
	require.NoError(s, json.Unmarshal([]byte(response.body), &message))
	s.idsOfOthers["message"], s.idsOfOthers["conversation"] = message.ID, message.ConversationID
	for kind, table := range map[string]string{"match": "matches", "session": "sessions"} {
		id := testkit.Select[uuid.UUID](s, s.Pool, `SELECT t.id FROM `+table+` t ORDER BY created_at DESC LIMIT 1`)
		s.idsOfOthers[kind] = id
	}
}

func (s *env) idOf(cookie string) string {
	var me members.Me
	require.NoError(s, json.Unmarshal([]byte(s.send(cookie, http.MethodGet, "/api/auth/user", "", "").body), &me))
	return me.ID.String()
}

// secrets returns texts that no error response may contain.
func (s *env) secrets() []string { return append([]string{"private text of ann"}, s.emails[1:]...) }

// snapshot returns a hash of every table, without the tables and the column that any
// request may write.
func (s *env) snapshot() map[string]string {
	s.Helper()
	rows, err := s.Pool.Query(s.Context(), `SELECT tablename FROM pg_tables
		WHERE schemaname = 'public' AND tablename NOT IN ('rate_limits', 'daily_counts', 'daily_items', 'age_refusals', 'session_activity', 'member_activity', 'active_days', 'search_active_hours') AND tablename NOT LIKE 'river%'`)
	require.NoError(s, err)
	hashes := map[string]string{}
	var tables []string
	for rows.Next() {
		var table string
		require.NoError(s, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(s, rows.Err())
	for _, table := range tables {
		sum := testkit.Select[string](s, s.Pool, `SELECT coalesce(md5(string_agg(row, ',' ORDER BY row)), '') FROM (
			SELECT (to_jsonb(t) - 'tries')::text AS row FROM `+table+` t) rows`)
		hashes[table] = sum
	}
	require.Greater(s, len(hashes), 10)
	return hashes
}
