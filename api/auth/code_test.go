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

func TestACodeIsMailedAlikeToKnownAndUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.browser().join("known@example.test")
	w.passMinute()
	known := w.browser().call("POST", "/api/auth/code", `{"email":" Known@Example.test "}`)
	unknown := w.browser().call("POST", "/api/auth/code", `{"email":"unknown@example.test"}`)
	require.Equal(t, 202, known.Code)
	require.Equal(t, known.Code, unknown.Code)
	require.Equal(t, known.Body.String(), unknown.Body.String())
	require.Len(t, known.Header(), len(unknown.Header()))
	for address, says := range map[string]string{"known@example.test": "already", "unknown@example.test": "Welcome"} {
		mails := w.outbox.to(address)
		last := mails[len(mails)-1]
		code := digits.FindString(last.Text)
		require.Equal(t, "Your Heartward code: "+code, last.Subject)
		require.Equal(t, 1, strings.Count(last.Text, code))
		require.Equal(t, 1, strings.Count(last.HTML, code))
		require.Contains(t, last.Text, says)
		require.NotContains(t, last.HTML, "http", "nothing is loaded from elsewhere")
		require.Equal(t, 0, w.number(`SELECT count(*) FROM login_codes WHERE code_mac = $1`, []byte(code)))
	}
	cookie := unknown.Result().Cookies()[0]
	require.Equal(t, "bid", cookie.Name)
	require.True(t, cookie.HttpOnly)
}

func TestAddressesThatAreNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, email := range []string{"", "a", "a@b", "@example.test", "a b@example.test", "a@example.test\\r\\nBcc: x@example.test",
		"a@-example.test", "a@example..test", "a@exämple.test", strings.Repeat("a", 65) + "@example.test",
		"a@" + strings.Repeat("b.", 130) + "test", "a\\u0000@example.test", "<a@example.test>"} {
		answer := w.browser().call("POST", "/api/auth/code", `{"email":"`+email+`"}`)
		require.Equal(t, 422, answer.Code, "%q: %s", email, answer.Body)
		require.Equal(t, "body.email", decode[web.Problem](t, answer.Body).Errors[0].Location, email)
	}
	require.Equal(t, 0, w.number(`SELECT count(*) FROM login_codes`))
}

func TestAskCode_SendsOneMailAMinuteToABrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.call("POST", "/api/auth/code", `{"email":"other@example.test"}`) // gives the browser its id
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := w.AskCode(context.Background(), auth.Browser{ID: b.cookies["bid"], Client: "192.0.2.1"}, "a@example.test"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.Len(t, w.outbox.to("a@example.test"), 1, "also when asked eight times at once")
	w.passMinute()
	require.Equal(t, 202, b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code)
	require.Len(t, w.outbox.to("a@example.test"), 2)
}

func TestAskCode_MailsTheSameCodeAgainWhileItIsValid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	first := b.code("a@example.test")
	w.pass(90 * time.Second)
	again := b.code("a@example.test")
	require.Equal(t, first, again)
	mails := w.outbox.to("a@example.test")
	require.Contains(t, mails[0].Text, "works for 10 minutes")
	require.Contains(t, mails[1].Text, "works for 8 minutes")
	require.Contains(t, mails[1].HTML, "works for 8 minutes")
	w.pass(4 * time.Minute)
	fresh := b.code("a@example.test")
	require.NotEqual(t, first, fresh, "too little of its time is left")
	require.Contains(t, w.outbox.to("a@example.test")[2].Text, "works for 10 minutes")
	require.Equal(t, 201, b.call("POST", "/api/users", profile("a@example.test", first)).Code, "the earlier code is valid to its end")
}

func TestAskCode_NewCodeAfterFiveWrongTries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("a@example.test")
	burnt := b.code("a@example.test")
	for range 5 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
	}
	fresh := b.code("a@example.test")
	require.NotEqual(t, burnt, fresh)
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"`+fresh+`"}`).Code)
}

func TestAskCode_TenMailsADayToABrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	for i := range 10 {
		b.headers["X-Client"] = fmt.Sprintf("192.0.2.%d", i)
		b.code("a@example.test")
	}
	w.passMinute()
	b.headers["X-Client"] = "192.0.2.100"
	refused := b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`)
	require.Equal(t, 429, refused.Code)
	require.NotEmpty(t, refused.Header().Get("Retry-After"))
	require.Contains(t, refused.Body.String(), "last one you received")
	w.pass(3 * time.Hour)
	b.code("a@example.test")
	require.Len(t, w.outbox.to("a@example.test"), 11, "one more every 2.4 hours")
}

func TestCodesAreLimitedPerNetworkAndScaled(t *testing.T) {
	t.Parallel()
	for scale, want := range map[float64]int{0.1: 20, 0.2: 40} {
		w := newWorldWith(t, auth.Config{RateLimitScale: scale})
		sent := 0
		for i := range 50 {
			if w.browser().call("POST", "/api/auth/code", fmt.Sprintf(`{"email":"a%d@example.test"}`, i)).Code == 202 {
				sent++
			}
		}
		require.Equal(t, want, sent)
		elsewhere := w.browser()
		elsewhere.headers["X-Client"] = "192.0.2.2"
		require.Equal(t, 202, elsewhere.call("POST", "/api/auth/code", `{"email":"b@example.test"}`).Code)
	}
}

// Hundreds of members share one address behind a carrier's NAT.
func TestManyBrowsersBehindOneAddressSignIn(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, auth.Config{RateLimitScale: 1})
	for i := range 100 {
		w.browser().join(fmt.Sprintf("a%d@example.test", i))
	}
}

func TestAMailThatFailsDoesNotCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.outbox.broken = true
	b := w.browser()
	require.Equal(t, 503, b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code)
	w.outbox.broken = false
	require.Equal(t, 202, b.call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code)
	require.Len(t, w.outbox.to("a@example.test"), 1)
}

func TestFiftyGuessesAtOnceCountAsFive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("a@example.test")
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
	require.Equal(t, 5, w.number(`SELECT tries FROM login_codes WHERE used_at IS NULL`))
	require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"`+code+`"}`).Code, "the right one comes too late")
}

func TestTheFifthTryMayBeRight(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("a@example.test")
	code := b.code("a@example.test")
	for range 4 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
	}
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"`+code+`"}`).Code)
}

func TestACodeWorksOnceInItsBrowserForItsAddressInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("a@example.test")
	b.join("b@example.test")
	signIn := func(b *browser, email, code string) int {
		return b.call("POST", "/api/auth/login", `{"email":"`+email+`","code":"`+code+`"}`).Code
	}
	code := b.code("a@example.test")
	stranger := w.browser()
	stranger.call("POST", "/api/auth/code", `{"email":"c@example.test"}`)
	require.Equal(t, 401, signIn(stranger, "a@example.test", code), "another browser")
	require.Equal(t, 401, signIn(b, "b@example.test", code), "another address")
	w.pass(6 * time.Minute) // the next code is another
	second := b.code("a@example.test")
	require.NotEqual(t, code, second)
	require.Equal(t, 200, signIn(b, "A@example.test", code), "the earlier code is still good")
	require.Equal(t, 401, signIn(b, "a@example.test", code), "used")
	require.Equal(t, 401, signIn(b, "a@example.test", second), "and the later one with it")
	late := b.code("a@example.test")
	w.exec(`UPDATE login_codes SET expires_at = now() WHERE used_at IS NULL`)
	require.Equal(t, 401, signIn(b, "a@example.test", late), "expired")
}

func TestOneCodeSignsInOnceAlsoWhenSentTwentyTimes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	b.join("a@example.test")
	code := b.code("a@example.test")
	var in atomic.Int32
	var group sync.WaitGroup
	browser := auth.Browser{ID: b.cookies["bid"], Client: "192.0.2.9"}
	for range 20 {
		group.Go(func() {
			if _, err := w.SignInByCode(context.Background(), browser, "a@example.test", code); err == nil {
				in.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, in.Load())
}

func TestManyWrongCodesSlowStrangersAndNotKnownBrowsers(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, auth.Config{RateLimitScale: 1})
	known := w.browser()
	known.join("member@example.test")
	b := w.browser()
	b.code("a@example.test")
	guess := func() {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"a@example.test","code":"1"}`).Code)
	}
	guess()
	// The budget is set instead of spent: while 500 guesses are made, some are refilled.
	half := time.Now().Add(30 * time.Minute).Truncate(time.Millisecond)
	w.exec(`UPDATE rate_limits SET tat = $1 WHERE key LIKE 'wrong-codes:%'`, half)
	guess()
	require.Equal(t, 1, w.number(`SELECT count(*) FROM rate_limits
		WHERE key LIKE 'wrong-codes:%' AND tat = $1::timestamptz + interval '7.2 seconds'`, half), "500 an hour")
	w.exec(`UPDATE rate_limits SET tat = now() + interval '2 hours' WHERE key LIKE 'wrong-codes:%'`)
	delete(b.cookies, "bid")
	b.headers["X-Client"] = "198.51.100.1"
	code := b.code("b@example.test")
	for range 4 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"b@example.test","code":"1"}`).Code)
	}
	require.Equal(t, 201, b.call("POST", "/api/users", profile("b@example.test", code)).Code, "who types it right gets in")
	stranger := w.browser()
	stranger.headers["X-Client"] = "198.51.100.1"
	stranger.code("b@example.test")
	require.Equal(t, 429, stranger.call("POST", "/api/auth/login", `{"email":"b@example.test","code":"1"}`).Code, "of this network")

	known.headers["X-Client"] = "198.51.100.1"
	delete(known.cookies, "sid")
	for range 2 { // five tries a code are its bound
		known.code("member@example.test")
		for range 5 {
			require.Equal(t, 401, known.call("POST", "/api/auth/login", `{"email":"member@example.test","code":"1"}`).Code)
		}
	}
}

// TestARetriedTransactionMailsNoCodeWithoutARow: the first run of the
// transaction fails as it commits, and meanwhile another call has mailed a code.
func TestARetriedTransactionMailsNoCodeWithoutARow(t *testing.T) {
	t.Parallel()
	tracer := &onFirstFailure{code: "40001"}
	w := newTracedWorld(t, tracer)
	w.exec(`CREATE SEQUENCE runs`)
	w.exec(`CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF nextval('runs') = 1 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END IF;
		RETURN NEW; END $$`)
	w.exec(`CREATE TRIGGER fail_once BEFORE INSERT ON login_codes FOR EACH ROW EXECUTE FUNCTION fail_once()`)
	browser := auth.Browser{ID: "a browser", Client: "192.0.2.1"}
	other := newWorldOn(t, w.pool)
	tracer.do = func() { require.NoError(t, other.AskCode(context.Background(), browser, "a@example.test")) }
	require.NoError(t, w.AskCode(context.Background(), browser, "a@example.test"))
	require.Len(t, other.outbox.to("a@example.test"), 1)
	require.Empty(t, w.outbox.to("a@example.test"), "the retried transaction stored no code")
	require.Equal(t, 1, w.number(`SELECT count(*) FROM login_codes`))
}

// onFirstFailure calls do once, before the first statement that failed with
// code returns to its caller.
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
