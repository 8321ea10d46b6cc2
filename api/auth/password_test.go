package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSetPassword_RefusesGuessablePasswords(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	b := w.browser()
	b.signUp("countess.ada@analytical-engines.test")
	w.Exec(`UPDATE users SET full_name = 'Ada Lovelace O''Brien'`)
	for password, accepted := range map[string]bool{
		// Words of the product.
		"heartward": false, "Heartward": false, "Heartward2026": false, "heartward!!!": false, "xHeartwardx1": false, "ＨＥＡＲＴＷＡＲＤ１": false,
		// The member's address.
		"countess.ada@analytical-engines.test": false, "Countess1815": false, "countess.ada": false, "analytical-engines": false,
		"engines2026!": false,
		// The member's names.
		"lovelace": false, "AdaLovelace": false, "Lovelace1815": false, "ada.brien.1": false,
		// Passwords of breaches: of rank 504, 5,027, 50,005 and 99,996.
		"williams": false, "Matthews": false, "carolyn1": false, "07021954": false,
		// Others.
		"the heartward of my tower": true, "lovelace wrote note G": true, "12345678 rainy days": true, "grüne Wiese 7": true,
	} {
		response := b.call("POST", "/api/auth/password", `{"password":"`+password+`"}`)
		require.Equal(t, accepted, response.Code == 200, "%s: %s", password, response.Body)
		if !accepted {
			require.Equal(t, 422, response.Code, password)
			require.Contains(t, response.Body.String(), `"location":"body.password"`, password)
		}
	}
}
