package auth_test

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/fault"
	"heartward/api/platform/testkit"
)

func TestSignIn_DoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("ada@example.test")
	b := w.browser()
	unknown := b.code("nobody@example.test")
	var first string
	for _, body := range []string{
		`{"email":"ada@example.test","code":"1"}`,
		`{"email":"ada@example.test","password":"wrong password"}`, // an account without a password
		`{"email":"ada@example.test"}`,
		`{"email":"nobody@example.test","code":"1"}`,
		`{"email":"nobody@example.test","code":"` + unknown + `"}`,
		`{"email":"nobody@example.test","password":"wrong password"}`,
	} {
		resp := b.call("POST", "/api/auth/login", body)
		require.Equal(t, 401, resp.Code, body)
		if first == "" {
			first = resp.Body.String()
		}
		require.Equal(t, first, resp.Body.String(), body)
		require.Contains(t, first, "Invalid credentials. Please try again.")
	}
	require.Equal(t, 201, b.call("POST", "/api/users", profile("nobody@example.test", unknown)).Code, "the code was not used")
}

func TestSignInByPassword_DoesSameWorkForUnknownAddress(t *testing.T) {
	t.Parallel()
	tracer := &statements{}
	w := newTracedEnv(t, tracer)
	b := w.browser()
	b.signUp("ada@example.test")
	require.Equal(t, 200, b.call("POST", "/api/auth/password", `{"password":"first password 1"}`).Code)
	w.browser().signUp("ben@example.test") // has no password
	checks := w.CountHashChecks()
	work := func(email string) (sql []string, hashes int32) {
		tracer.drain()
		before := checks.Load()
		_, err := w.SignInByPassword(t.Context(), auth.Browser{Client: "192.0.2.4"}, email, "wrong password")
		testkit.RequireKind(t, err, fault.Unauthenticated)
		return tracer.drain(), checks.Load() - before
	}
	queries, hashes := work("ada@example.test")
	require.EqualValues(t, 1, hashes)
	require.NotEmpty(t, queries)
	for _, email := range []string{"ben@example.test", "unknown@example.test"} {
		sql, hashCount := work(email)
		require.Equal(t, queries, sql, email)
		require.Equal(t, hashes, hashCount, email)
	}
}

func TestSendCode_DoesSameWorkForUnknownAddress(t *testing.T) {
	t.Parallel()
	tracer := &statements{}
	w := newTracedEnv(t, tracer)
	w.browser().signUp("ada@example.test")
	work := func(email string) []string {
		tracer.drain()
		require.NoError(t, w.SendCode(t.Context(), auth.Browser{ID: "stranger", Client: "192.0.2.4"}, email))
		return tracer.drain()
	}
	require.Equal(t, work("ada@example.test"), work("unknown@example.test"))
	require.Len(t, w.outbox.to("unknown@example.test"), 1)
}

// Nothing is sent within a minute of the last mail, but that is known per browser: a stranger who asks after the
// member makes the server do the same work, with a mail, as for an address for which nobody asked.
func TestSendCode_DoesSameWorkAfterRequestOfAnotherBrowser(t *testing.T) {
	t.Parallel()
	tracer := &statements{}
	w := newTracedEnv(t, tracer)
	work := func(browser, email string) (sql []string, mails int) {
		tracer.drain()
		before := len(w.outbox.to(email))
		require.NoError(t, w.SendCode(t.Context(), auth.Browser{ID: browser, Client: "192.0.2.4"}, email))
		return tracer.drain(), len(w.outbox.to(email)) - before
	}
	_, mails := work("of the member", "ada@example.test")
	require.Equal(t, 1, mails)
	_, mails = work("of the member", "ada@example.test")
	require.Zero(t, mails, "not due in this browser")
	after, mails := work("of a stranger", "ada@example.test")
	require.Equal(t, 1, mails)
	never, mails := work("of a stranger", "ben@example.test")
	require.Equal(t, 1, mails)
	require.Equal(t, never, after)
}

// statements is a tracer that records the SQL of all statements.
type statements struct {
	mu  sync.Mutex
	sql []string
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sql = append(s.sql, data.SQL)
	return ctx
}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// drain returns the statements since the last call.
func (s *statements) drain() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	sql := s.sql
	s.sql = nil
	return sql
}
