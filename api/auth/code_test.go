package auth_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

func TestSendCode_DoesNotRevealAccounts(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("known@example.test")
	w.expireResendDelay()
	known := w.browser().call("POST", "/api/auth/code", `{"email":" Known@Example.test "}`)
	unknown := w.browser().call("POST", "/api/auth/code", `{"email":"unknown@example.test"}`)
	require.Equal(t, 202, known.Code)
	require.Equal(t, known.Code, unknown.Code)
	require.Equal(t, known.Body.String(), unknown.Body.String())
	require.Len(t, known.Header(), len(unknown.Header()))
	for address, text := range map[string]string{"known@example.test": "already", "unknown@example.test": "Welcome"} {
		mails := w.outbox.to(address)
		last := mails[len(mails)-1]
		code := digits.FindString(last.Text)
		require.Equal(t, "Your Heartward code: "+code, last.Subject)
		require.Equal(t, 1, strings.Count(last.Text, code))
		require.Equal(t, 1, strings.Count(last.HTML, code))
		require.Contains(t, last.Text, text)
		require.NotContains(t, last.HTML, "http", "the mail loads nothing from the network")
		require.Equal(t, 0, w.Count(`SELECT count(*) FROM login_codes WHERE code_mac = $1`, []byte(code)))
	}
	cookie := unknown.Result().Cookies()[0]
	require.Equal(t, "bid", cookie.Name)
	require.True(t, cookie.HttpOnly)
}

func TestSendCode_RefusesInvalidAddresses(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	for _, email := range []string{"", "a", "a@b", "@example.test", "a b@example.test", "a@example.test\\r\\nBcc: x@example.test",
		"a@-example.test", "a@example..test", "ä@example.test", "a..b@example.test", "a.@example.test", strings.Repeat("a", 65) + "@example.test",
		"a@" + strings.Repeat("b.", 130) + "test", "a\\u0000@example.test", "<a@example.test>"} {
		resp := w.browser().call("POST", "/api/auth/code", `{"email":"`+email+`"}`)
		require.Equal(t, 422, resp.Code, "%q: %s", email, resp.Body)
		require.Equal(t, "body.email", decode[web.Problem](t, resp.Body).Errors[0].Location, email)
	}
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM login_codes`))
}

func TestSendCode_AllowsOneMailAMinutePerBrowser(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.call("POST", "/api/auth/code", `{"email":"other@example.test"}`) // sets the browser's id
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := w.SendCode(context.Background(), auth.Browser{ID: b.cookies["bid"], Client: "192.0.2.1"}, "a@example.test"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Len(t, w.outbox.to("a@example.test"), 1, "eight concurrent requests")
	w.expireResendDelay()
	require.Equal(t, 202, b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code)
	require.Len(t, w.outbox.to("a@example.test"), 2)
}

func TestSendCode_MailsValidCodeAgain(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	first := b.code("a@example.test")
	w.advance(90 * time.Second)
	second := b.code("a@example.test")
	require.Equal(t, first, second)
	mails := w.outbox.to("a@example.test")
	require.Contains(t, mails[0].Text, "valid for 10 minutes")
	require.Contains(t, mails[1].Text, "valid for 8 minutes")
	require.Contains(t, mails[1].HTML, "valid for 8 minutes")
	w.advance(4 * time.Minute)
	third := b.code("a@example.test")
	require.NotEqual(t, first, third, "valid for less than minRemaining")
	require.Contains(t, w.outbox.to("a@example.test")[2].Text, "valid for 10 minutes")
	require.Equal(t, 201, b.call("POST", "/api/users", profile("a@example.test", first)).Code, "the earlier code remains valid until it expires")
}

func TestSendCode_MailsNewCodeAfterFiveWrongTries(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("a@example.test")
	first := b.code("a@example.test")
	for range 5 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
	}
	second := b.code("a@example.test")
	require.NotEqual(t, first, second)
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"`+second+`"}`).Code)
}

func TestSendCode_AllowsTenMailsADayPerBrowser(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	for i := range 10 {
		b.headers["X-Client"] = fmt.Sprintf("192.0.2.%d", i)
		b.code("a@example.test")
	}
	w.expireResendDelay()
	b.headers["X-Client"] = "192.0.2.100"
	resp := b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`)
	require.Equal(t, 429, resp.Code)
	require.NotEmpty(t, resp.Header().Get("Retry-After"))
	require.Contains(t, resp.Body.String(), "last one you received")
	w.advance(3 * time.Hour)
	b.code("a@example.test")
	require.Len(t, w.outbox.to("a@example.test"), 11, "one mail every 2.4 hours is refilled")
}

func TestSendCode_LimitPerNetworkIsScaled(t *testing.T) {
	t.Parallel()
	for scale, want := range map[float64]int{0.1: 20, 0.2: 40} {
		w := newEnvWith(t, auth.Config{RateLimitScale: scale})
		accepted := 0
		for i := range 50 {
			if w.browser().call("POST", "/api/auth/code", fmt.Sprintf(`{"email":"a%d@example.test"}`, i)).Code == 202 {
				accepted++
			}
		}
		require.Equal(t, want, accepted)
		otherNetwork := w.browser()
		otherNetwork.headers["X-Client"] = "192.0.2.2"
		require.Equal(t, 202, otherNetwork.call("POST", "/api/auth/code", `{"email":"b@example.test"}`).Code)
	}
}

// Hundreds of members share one address behind a carrier's NAT.
func TestSignUp_AllowsManyBrowsersBehindOneIPAddress(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, auth.Config{RateLimitScale: 1})
	for i := range 100 {
		w.browser().signUp(fmt.Sprintf("a%d@example.test", i))
	}
}

func TestSendCode_FailedMailIsNotCounted(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.outbox.failing = true
	b := w.browser()
	require.Equal(t, 503, b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code)
	w.outbox.failing = false
	require.Equal(t, 202, b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code)
	require.Len(t, w.outbox.to("a@example.test"), 1)
}

func TestSignInByCode_ConcurrentGuessesAreLimitedToFive(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("a@example.test")
	code := b.code("a@example.test")
	wrong := "00000000"
	if code == wrong {
		wrong = "00000001"
	}
	var refused atomic.Int32
	var group sync.WaitGroup
	browser := auth.Browser{ID: b.cookies["bid"], Client: "192.0.2.9"}
	for range 50 {
		group.Go(func() {
			if _, err := w.SignInByCode(context.Background(), browser, "a@example.test", wrong); fault.Is(err, fault.Unauthenticated) {
				refused.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 50, refused.Load())
	require.Equal(t, 5, w.Count(`SELECT tries FROM login_codes WHERE used_at IS NULL`))
	require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"`+code+`"}`).Code, "the correct code has no tries left")
}

func TestSignInByCode_FifthTryMaySucceed(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("a@example.test")
	code := b.code("a@example.test")
	for range 4 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
	}
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"`+code+`"}`).Code)
}

func TestSignInByCode_CodeIsBoundToBrowserAddressAndTime(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("a@example.test")
	b.signUp("b@example.test")
	signIn := func(b *browser, email, code string) int {
		return b.call("POST", "/api/auth/login", `{"email":"`+email+`","code":"`+code+`"}`).Code
	}
	code := b.code("a@example.test")
	stranger := w.browser()
	stranger.call("POST", "/api/auth/code", `{"email":"c@example.test"}`)
	require.Equal(t, 401, signIn(stranger, "a@example.test", code), "another browser")
	require.Equal(t, 401, signIn(b, "b@example.test", code), "another address")
	w.advance(6 * time.Minute) // past minRemaining: the next code is new
	second := b.code("a@example.test")
	require.NotEqual(t, code, second)
	require.Equal(t, 200, signIn(b, "A@example.test", code), "the earlier code is still valid")
	require.Equal(t, 401, signIn(b, "a@example.test", code), "used")
	require.Equal(t, 401, signIn(b, "a@example.test", second), "the later code is used as well")
	third := b.code("a@example.test")
	w.Exec(`UPDATE login_codes SET expires_at = now() WHERE used_at IS NULL`)
	require.Equal(t, 401, signIn(b, "a@example.test", third), "expired")
}

func TestSignInByCode_ConcurrentUseSignsInOnce(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("a@example.test")
	code := b.code("a@example.test")
	var signedIn atomic.Int32
	var group sync.WaitGroup
	browser := auth.Browser{ID: b.cookies["bid"], Client: "192.0.2.9"}
	for range 20 {
		group.Go(func() {
			if _, err := w.SignInByCode(context.Background(), browser, "a@example.test", code); err == nil {
				signedIn.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, signedIn.Load())
}

func TestSignInByCode_WrongCodesThrottleUnknownBrowsers(t *testing.T) {
	t.Parallel()
	w := newEnvWith(t, auth.Config{RateLimitScale: 1})
	known := w.browser()
	known.signUp("member@example.test")
	b := w.browser()
	b.code("a@example.test")
	guess := func() {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
	}
	guess()
	// The budget is set directly, because some of 500 guesses would be refilled meanwhile.
	half := time.Now().Add(30 * time.Minute).Truncate(time.Millisecond)
	w.Exec(`UPDATE rate_limits SET tat = $1 WHERE key LIKE 'wrong-codes:%'`, half)
	guess()
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM rate_limits
		WHERE key LIKE 'wrong-codes:%' AND tat = $1::timestamptz + interval '7.2 seconds'`, half), "the cap of 500 an hour is reached")
	exceedCap := func() {
		w.Exec(`UPDATE rate_limits SET tat = now() + interval '1 hour' WHERE key LIKE 'wrong-codes:%'`)
	}
	delete(b.cookies, "bid")
	b.headers["X-Client"] = "198.51.100.1"
	code := b.code("b@example.test")
	for range 4 {
		exceedCap()
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"b@example.test","code":"1"}`).Code)
	}
	exceedCap()
	require.Equal(t, 201, b.call("POST", "/api/users", profile("b@example.test", code)).Code, "the correct code is accepted")
	stranger := w.browser()
	stranger.headers["X-Client"] = "198.51.100.1"
	stranger.code("b@example.test")
	exceedCap()
	require.Equal(t, 429, stranger.call("POST", "/api/auth/login", `{"email":"b@example.test","code":"1"}`).Code, "the budget of the network is exhausted")

	known.headers["X-Client"] = "198.51.100.1"
	delete(known.cookies, "sid")
	for range 2 { // limited only by the five tries of a code
		known.code("member@example.test")
		for range 5 {
			exceedCap()
			require.Equal(t, 401, known.call("POST", "/api/auth/login", `{"email":"member@example.test","code":"1"}`).Code)
		}
	}
}

// The first run of the transaction fails. Another call mails a code before the second
// run.
func TestSendCode_RetriedTransactionMailsOnlyStoredCodes(t *testing.T) {
	t.Parallel()
	tracer := &onFirstFailure{code: "40001"}
	w := newTracedEnv(t, tracer)
	w.Exec(`CREATE SEQUENCE runs`)
	w.Exec(`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('runs') = 1 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF;
		RETURN NEW; END $$`)
	w.Exec(`CREATE TRIGGER fail_once BEFORE INSERT ON login_codes FOR EACH ROW EXECUTE FUNCTION fail_once()`)
	browser := auth.Browser{ID: "a browser", Client: "192.0.2.1"}
	other := newEnvOn(t, w.Pool)
	tracer.do = func() { require.NoError(t, other.SendCode(context.Background(), browser, "a@example.test")) }
	require.NoError(t, w.SendCode(context.Background(), browser, "a@example.test"))
	require.Len(t, other.outbox.to("a@example.test"), 1)
	require.Empty(t, w.outbox.to("a@example.test"), "the second run mails the stored code")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM login_codes`))
}

// onFirstFailure is a tracer that calls do after the first statement that fails with
// SQLSTATE code.
type onFirstFailure struct {
	code string
	do   func()
	once sync.Once
}

func (o *onFirstFailure) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}

func (o *onFirstFailure) TraceQueryEnd(_ context.Context, _ *pgx.Conn, end pgx.TraceQueryEndData) {
	var e *pgconn.PgError
	if errors.As(end.Err, &e) && e.Code == o.code {
		o.once.Do(o.do)
	}
}

// The clock was a day ahead when the last code was mailed.
func TestSendCode_ClockThatWasAheadPreventsNoMail(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("ada@example.test")
	b.code("ada@example.test")
	w.advance(-24 * time.Hour)
	before := len(w.outbox.to("ada@example.test"))
	require.Equal(t, 202, b.call("POST", "/api/auth/code", `{"email":"ada@example.test"}`).Code)
	mails := w.outbox.to("ada@example.test")
	require.Len(t, mails, before+1)
	require.Contains(t, mails[before].Text, "It's valid for 10 minutes")
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+w.outbox.code(t, "ada@example.test")+`"}`).Code)
}
