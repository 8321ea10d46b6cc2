package auth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"heartward/api/platform/web"
)

// After a sign-up with 17 neither the browser nor the proved address can sign up with 18 for a day.
func TestSignUp_RefusedAgeStaysRefusedForADay(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	young := func(body string) string { return strings.Replace(body, `"age":30`, `"age":17`, 1) }
	b := w.browser()
	code := b.code("kim@example.test")
	resp := b.call("POST", "/api/users", young(profile("kim@example.test", code)))
	require.Equal(t, 422, resp.Code)
	require.Equal(t, "86400", resp.Header().Get("Retry-After"))
	problem := decode[web.Problem](t, resp.Body)
	require.Equal(t, "age_wait", problem.Code)
	require.Equal(t, "body.age", problem.Errors[0].Location)

	resp = b.call("POST", "/api/users", profile("kim@example.test", code))
	require.Equal(t, 403, resp.Code, "%s", resp.Body)
	require.Equal(t, "age_wait", decode[web.Problem](t, resp.Body).Code)
	resp = b.call("POST", "/api/users", profile("other@example.test", b.code("other@example.test")))
	require.Equal(t, 403, resp.Code, "another address in the same browser")
	other := w.browser()
	resp = other.call("POST", "/api/users", profile("kim+new@example.test", other.code("kim+new@example.test")))
	require.Equal(t, 403, resp.Code, "the same mailbox in another browser")
	require.Equal(t, 0, w.Count(`SELECT count(*) FROM users`))

	w.Exec(`UPDATE age_refusals SET expires_at = expires_at - interval '1 day'`)
	b.signUp("kim@example.test")
}

// A wrong code must not keep the owner of an address out.
func TestSignUp_RefusedAgeWithoutCodeDoesNotRefuseAddress(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.code("kim@example.test")
	require.Equal(t, 422, b.call("POST", "/api/users", strings.Replace(profile("kim@example.test", "1"), `"age":30`, `"age":17`, 1)).Code)
	w.browser().signUp("kim@example.test")
}
