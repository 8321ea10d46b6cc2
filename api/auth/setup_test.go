package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/blobs"
	"heartward/api/platform/bus/bustest"
	"heartward/api/platform/files"
	"heartward/api/platform/mail"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
	"heartward/api/platform/web"
)

func TestMain(m *testing.M) {
	web.Prepare()
	os.Exit(m.Run())
}

// env is a server with a database and recorders of mails and events.
type env struct {
	testkit.DB
	*auth.Service
	outbox *mailRecorder
	events *bustest.Recorder
	http   http.Handler
}

func newEnv(t *testing.T) *env { return newEnvWith(t, auth.Config{RateLimitScale: 100}) }

func newEnvWith(t *testing.T, config auth.Config) *env {
	t.Helper()
	w := &env{DB: pgtest.NewDB(t), outbox: &mailRecorder{}, events: &bustest.Recorder{}}
	w.serve(w.Pool, config)
	return w
}

// newEnvOn returns another server on the same database, with its own outbox.
func newEnvOn(t *testing.T, pool *pgxpool.Pool) *env {
	t.Helper()
	w := &env{DB: testkit.DB{TB: t, Pool: pool}, outbox: &mailRecorder{}, events: &bustest.Recorder{}}
	w.serve(pool, auth.Config{RateLimitScale: 100})
	return w
}

// serve replaces the service and its handler by ones that use pool.
func (w *env) serve(pool *pgxpool.Pool, config auth.Config) {
	config.Site = "https://heartward.test"
	config.Contact = "help@heartward.test"
	config.Secret = []byte("0123456789abcdef0123456789abcdef")
	store, err := files.Open(w.Context(), "", w.TempDir())
	require.NoError(w, err)
	w.Service = auth.New(pool, w.outbox, w.events, members.New(pool, blobs.New(pool, store)), pgtest.Jobs(w, pool), config)
	mux := http.NewServeMux()
	api := humago.New(mux, huma.DefaultConfig("test", "1"))
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		next(huma.WithContext(ctx, web.WithPlace(web.WithClient(ctx.Context(), ctx.Header("X-Client")), ctx.Header("X-Place"))))
	}, w.Middleware(api))
	operations := web.ForFeature(api, "auth")
	auth.Register(operations, w.Service)
	registerAdminOperations(operations)
	w.http = mux
}

// registerAdminOperations adds operations for admins: a read, a write, and a search that is a
// POST, and a write for moderators.
func registerAdminOperations(api web.API) {
	done := func(context.Context, *struct{}) (*struct{}, error) { return nil, nil }
	web.Get(api, web.Admin, "read", "/api/admin/sample", "", done)
	web.Put(api, web.Admin, "write", "/api/admin/sample", "", done)
	web.Post(api, web.Admin, "search", "/api/admin/sample", "", done, web.Reads())
	web.Put(api, web.Moderator, "moderate", "/api/admin/moderated", "", done)
}

// newTracedEnv returns an env whose service runs its statements with tracer.
func newTracedEnv(t *testing.T, tracer pgx.QueryTracer) *env {
	t.Helper()
	w := newEnv(t)
	w.serve(pgtest.Traced(t, w.Pool, tracer), auth.Config{RateLimitScale: 100})
	return w
}

// setLastSeen sets the last use of every session.
func (w *env) setLastSeen(ago string) {
	w.Helper()
	w.Exec(`
		INSERT INTO session_activity (session_id, last_seen_at)
		SELECT id, now() - $1::text::interval FROM sessions
		ON CONFLICT (session_id) DO UPDATE SET last_seen_at = excluded.last_seen_at`, ago)
}

// expireProofs backdates the last proof of every session to more than 10 minutes ago.
func (w *env) expireProofs() {
	w.Helper()
	w.Exec(`UPDATE sessions SET proved_at = now() - interval '11 minutes'`)
}

// browser sends requests and stores cookies.
type browser struct {
	w       *env
	cookies map[string]string
	headers map[string]string
}

func (w *env) browser() *browser {
	return &browser{w: w, cookies: map[string]string{}, headers: map[string]string{"X-Client": "192.0.2.1", "User-Agent": "Test"}}
}

func (b *browser) call(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for name, value := range b.headers {
		r.Header.Set(name, value)
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	resp := httptest.NewRecorder()
	b.w.http.ServeHTTP(resp, r)
	for _, c := range resp.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	return resp
}

// expireResendDelay backdates the last mail of every code by a minute.
func (w *env) expireResendDelay() {
	w.Helper()
	w.Exec(`UPDATE login_codes SET sent_at = sent_at - interval '1 minute'`)
}

// advance backdates all codes and rate limits by d.
func (w *env) advance(d time.Duration) {
	w.Helper()
	w.Exec(`UPDATE login_codes SET created_at = created_at - $1::interval, sent_at = sent_at - $1::interval, expires_at = expires_at - $1::interval`, d)
	w.Exec(`UPDATE rate_limits SET tat = tat - $1::interval`, d)
}

// code requests a code and returns it from the mail.
func (b *browser) code(email string) string {
	b.w.Helper()
	b.w.expireResendDelay()
	resp := b.call("POST", "/api/auth/code", `{"email":"`+email+`"}`)
	require.Equal(b.w, 202, resp.Code, "%s", resp.Body)
	return b.w.outbox.code(b.w, email)
}

func profile(email, code string) string {
	return `{"email":"` + email + `","fullName":"Ada Example","age":30,"city":"Portland","state":"OR","intentionTags":["Healing"],
		"bio":"Hi","loveReflection":"","profilePhoto":"","code":"` + code + `","honorCode":true}`
}

// signUp creates a member and returns their id.
func (b *browser) signUp(email string) uuid.UUID {
	b.w.Helper()
	resp := b.call("POST", "/api/users", profile(email, b.code(email)))
	require.Equal(b.w, 201, resp.Code, "%s", resp.Body)
	return decode[members.Me](b.w, resp.Body).ID
}

func (b *browser) signedIn() bool { return b.call("GET", "/api/auth/user", "").Code == 200 }

func decode[T any](t testing.TB, from io.Reader) (value T) {
	t.Helper()
	require.NoError(t, json.NewDecoder(from).Decode(&value))
	return value
}

type mailRecorder struct {
	mu      sync.Mutex
	mails   []mail.Message
	failing bool
}

func (o *mailRecorder) Send(_ context.Context, m mail.Message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failing {
		return errors.New("mail server unavailable")
	}
	o.mails = append(o.mails, m)
	return nil
}

func (o *mailRecorder) to(email string) (mails []mail.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, m := range o.mails {
		if m.To == email {
			mails = append(mails, m)
		}
	}
	return mails
}

var digits = regexp.MustCompile(`\b\d{8}\b`)

func (o *mailRecorder) code(t testing.TB, email string) string {
	t.Helper()
	mails := slices.DeleteFunc(o.to(email), func(m mail.Message) bool { return !strings.HasPrefix(m.Subject, "Your Heartward code") })
	require.NotEmpty(t, mails)
	return digits.FindString(mails[len(mails)-1].Text)
}

// takeJobs deletes the enqueued jobs of a kind and returns their arguments.
func takeJobs[T any](w *env, kind string) (all []T) {
	w.Helper()
	jobs := testkit.SelectAll[[]byte](w, w.Pool, `
		WITH taken AS (DELETE FROM river_job WHERE kind = $1 RETURNING id, args)
		SELECT args FROM taken ORDER BY id`, kind)
	for _, job := range jobs {
		var args T
		require.NoError(w, json.Unmarshal(job, &args))
		all = append(all, args)
	}
	return all
}

// awaitLock waits until a statement waits for a lock that the test holds.
func (w *env) awaitLock(name string) {
	w.Helper()
	require.Eventually(w, func() bool {
		return w.Count(`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 1
	}, testkit.Timeout, time.Millisecond, name)
}
