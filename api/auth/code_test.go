package auth_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

func TestACodeIsMailedAlikeToKnownAndUnknown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.browser().join("known@example.test")
	w.exec(`UPDATE login_codes SET created_at = created_at - interval '1 minute'`)
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

func TestAnAddressGetsOneCodeAMinuteAndTenADay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if code := w.browser().call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code; code != 202 {
				t.Errorf("status %d", code)
			}
		})
	}
	group.Wait()
	require.Len(t, w.outbox.to("a@example.test"), 1, "also when asked eight times at once")
	for range 12 {
		w.exec(`UPDATE login_codes SET created_at = created_at - interval '61 seconds'`)
		require.Equal(t, 202, w.browser().call("POST", "/api/auth/code", `{"email":"a@example.test"}`).Code)
	}
	require.Len(t, w.outbox.to("a@example.test"), 10)
	w.exec(`UPDATE login_codes SET created_at = created_at - interval '1 day'`)
	w.browser().call("POST", "/api/auth/code", `{"email":"a@example.test"}`)
	require.Len(t, w.outbox.to("a@example.test"), 11)
}

func TestCodesAreLimitedPerClientAndScaled(t *testing.T) {
	t.Parallel()
	for scale, want := range map[float64]int{1: 20, 2: 40} {
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
	second := b.code("a@example.test")
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

func TestManyWrongCodesSlowEveryClientDown(t *testing.T) {
	t.Parallel()
	w := newWorldWith(t, auth.Config{RateLimitScale: 1})
	b := w.browser()
	for i := range 100 { // 100 addresses, five guesses each
		b.headers["X-Client"] = fmt.Sprintf("192.0.2.%d", i)
		email := fmt.Sprintf("a%d@example.test", i)
		b.code(email)
		for range 5 {
			require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"`+email+`","code":"1"}`).Code)
		}
	}
	b.headers["X-Client"] = "198.51.100.1"
	code := b.code("b@example.test")
	for range 2 {
		require.Equal(t, 401, b.call("POST", "/api/auth/login", `{"email":"b@example.test","code":"1"}`).Code)
	}
	require.Equal(t, 201, b.call("POST", "/api/users", profile("b@example.test", code)).Code, "who types it right gets in")
	require.Equal(t, 429, b.call("POST", "/api/auth/login", `{"email":"b@example.test","code":"1"}`).Code)
}
