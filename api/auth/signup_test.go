package auth_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/auth"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

func TestSignUp_CreatesAccountAndSession(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	require.False(t, b.signedIn())
	resp := b.call("POST", "/api/users", profile(" Ada@Example.test", b.code("ada@example.test")))
	require.Equal(t, 201, resp.Code, "%s", resp.Body)
	me := decode[members.Me](t, resp.Body)
	require.Equal(t, "Ada@Example.test", me.Email)
	require.Equal(t, 30, me.Age)
	require.True(t, b.signedIn())
	token := b.cookies["sid"]
	require.Len(t, token, 43, "the token has 256 bits")
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM sessions WHERE token_hash = $1`, []byte(token)))
	require.Equal(t, "Test", decode[[]auth.Session](t, b.call("GET", "/api/auth/sessions", "").Body)[0].UserAgent)
}

// The watcher gets the code as it was sent, after the browser is stored, and can refuse the sign-up.
func TestSignUp_CallsWatcherWithTheCodeOfTheLink(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	refs := make(chan string, 10)
	w.WatchSignUp(func(ctx context.Context, tx pgx.Tx, member uuid.UUID, ref string) error {
		var browsers int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM known_browsers WHERE user_id = $1`, member).Scan(&browsers); err != nil {
			return err
		}
		require.Equal(t, 1, browsers)
		refs <- ref
		if ref == "refused" {
			return fault.New(fault.Conflict, "No.")
		}
		return nil
	})
	for ref, status := range map[string]int{"abcd2345": 201, "": 201, "refused": 409} {
		email := "guest" + ref + "@example.test"
		b := w.browser()
		body := strings.Replace(profile(email, b.code(email)), `"honorCode":true`, `"honorCode":true,"ref":"`+ref+`"`, 1)
		resp := b.call("POST", "/api/users", body)
		require.Equal(t, status, resp.Code, "%q: %s", ref, resp.Body)
		require.Equal(t, status == 201, w.Count(`SELECT count(*) FROM users WHERE email = $1`, email) == 1, ref)
		require.Equal(t, ref, <-refs)
	}
	b := w.browser()
	b.signUp("other@example.test")
	require.Empty(t, <-refs, "a sign-up without a link is told too")
	b.signInByCode("other@example.test")
	require.Empty(t, refs, "a sign-in is not")
}

func TestSignUp_ErrorsContainField(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	code := b.code("ada@example.test")
	good := profile("ada@example.test", code)
	for field, body := range map[string]string{
		"age":           strings.Replace(good, `"age":30`, `"age":17`, 1),
		"birthDate":     strings.Replace(good, `"age":30`, `"birthDate":"`+time.Now().AddDate(-17, 0, 0).Format(time.DateOnly)+`"`, 1),
		"honorCode":     strings.Replace(good, `"honorCode":true`, `"honorCode":false`, 1),
		"code":          strings.Replace(good, code, "1", 1),
		"email":         strings.Replace(good, "ada@example.test", "ada", 1),
		"fullName":      strings.Replace(good, "Ada Example", " ", 1),
		"intentionTags": strings.Replace(good, "Healing", "Conquest", 1),
		"city":          strings.Replace(good, "Portland", strings.Repeat("x", 101), 1),
		"bio":           strings.Replace(good, `"Hi"`, `7`, 1),
	} {
		resp := b.call("POST", "/api/users", body)
		require.Equal(t, 422, resp.Code, "%s: %s", field, resp.Body)
		require.Equal(t, "body."+field, decode[web.Problem](t, resp.Body).Errors[0].Location)
		w.Exec(`DELETE FROM age_refusals`)
	}
	resp := b.call("POST", "/api/users", strings.Replace(good, `,"honorCode":true`, "", 1))
	require.Equal(t, "You must accept the Honor Code", decode[web.Problem](t, resp.Body).Detail)
	require.Equal(t, 422, b.call("POST", "/api/users", strings.Replace(good, `"age":30,`, "", 1)).Code, "neither age nor birth date")
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM users`))
	require.Equal(t, 201, b.call("POST", "/api/users", good).Code, "the failed attempts have not used the code")
}

func TestSignUp_RevealsAccountOnlyWithCode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	w.browser().signUp("ada@example.test")
	b := w.browser()
	code := b.code("ada@example.test")
	wrong := b.call("POST", "/api/users", profile("ada@example.test", "1"))
	require.Equal(t, 422, wrong.Code)
	require.NotContains(t, wrong.Body.String(), "account")
	resp := b.call("POST", "/api/users", profile("ada@example.test", code))
	require.Equal(t, 409, resp.Code)
	require.Equal(t, "has_account", codeOf(t, resp))
	require.False(t, b.signedIn())
	require.Equal(t, 200, b.call("POST", "/api/auth/login", `{"email":"ada@example.test","code":"`+code+`"}`).Code)
}

func TestSignUp_ConcurrentCallsCreateOneAccount(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	var browsers []auth.Browser
	var codes []string
	for range 4 { // four browsers with a code each
		b := w.browser()
		codes = append(codes, b.code("ada@example.test"))
		browsers = append(browsers, auth.Browser{ID: b.cookies["bid"], Client: "192.0.2.7"})
	}
	var created atomic.Int32
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			person := members.NewMember{Email: "ada@example.test", FullName: "Ada", Age: new(30)}
			_, err := w.SignUp(context.Background(), browsers[i%4], person, codes[i%4], true)
			switch {
			case err == nil:
				created.Add(1)
			case !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Invalid):
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, created.Load())
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM sessions`))
}

// The insert of the session fails after the code was marked as used. Both must be rolled
// back.
func TestSignUp_FailureDoesNotUseCode(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	code := b.code("ada@example.test")
	w.Exec(`ALTER TABLE sessions ADD CONSTRAINT broken CHECK (false)`)
	require.GreaterOrEqual(t, b.call("POST", "/api/users", profile("ada@example.test", code)).Code, 400)
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM users`))
	w.Exec(`ALTER TABLE sessions DROP CONSTRAINT broken`)
	require.Equal(t, 201, b.call("POST", "/api/users", profile("ada@example.test", code)).Code)
}

// A guided sign-up begins at the first question and is reminded once, a day later; another one is neither.
func TestSignUp_GuidedBeginsAtTheFirstQuestion(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	guided := strings.Replace(profile("ada@example.test", b.code("ada@example.test")), "{", `{"guided":true,`, 1)
	resp := b.call("POST", "/api/users", guided)
	require.Equal(t, 201, resp.Code, "%s", resp.Body)
	me := decode[members.Me](t, resp.Body)
	require.Equal(t, "gender", *me.StartStep)
	require.Equal(t, 1, w.Count(`
		SELECT count(*)
		FROM river_job
		WHERE kind = 'remind_start'
			AND args->>'memberId' = $1
			AND state = 'scheduled'
			AND scheduled_at BETWEEN now() + interval '23 hours' AND now() + interval '24 hours'`, me.ID.String()))
	w.browser().signUp("bob@example.test")
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM river_job WHERE kind = 'remind_start'`))
	require.Equal(t, 1, w.Count(`SELECT count(*) FROM users WHERE start_step IS NULL`))
}
