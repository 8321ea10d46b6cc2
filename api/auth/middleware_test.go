package auth_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestMiddleware_RefusesRequestForAnotherMember(t *testing.T) {
	t.Parallel()
	b := newEnv(t).browser()
	me := b.signUp("ada@example.test")
	sessions := func() int { return b.call("GET", "/api/auth/sessions", "").Code }
	for member, want := range map[string]int{"": 200, me.String(): 200, uuid.NewString(): 401, "x": 401} {
		b.headers["X-Member"] = member
		require.Equal(t, want, sessions(), member)
	}
}
