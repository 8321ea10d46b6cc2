package members_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/members"
	"heartward/api/platform/testkit"
)

// A town has the same position by its local and its English name. The member's own profile tells whether the town is known.
func TestChange_TownByLocalName(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	require.Equal(t, 200, w.call(ada, "PATCH", "/api/users/me", `{"city": "München", "state": "Bayern"}`).Code)
	require.Equal(t, 200, w.call(bob, "PATCH", "/api/users/me", `{"city": "Munich", "state": "Germany"}`).Code)
	positions := testkit.SelectAll[string](t, w.Pool, `SELECT DISTINCT town_lat || ' ' || town_lon FROM users WHERE id = ANY($1)`, []any{ada, bob})
	assert.Equal(t, []string{"48.137 11.575"}, positions)
	assert.Equal(t, "München", w.me(ada).City, "as the member wrote it")
	assert.True(t, w.me(ada).TownKnown)

	require.Equal(t, 200, w.call(bob, "PATCH", "/api/users/me", `{"city": "Nowhere Creek"}`).Code)
	assert.False(t, w.me(bob).TownKnown)
	require.Equal(t, 200, w.call(bob, "PATCH", "/api/users/me", `{"city": ""}`).Code)
	assert.True(t, w.me(bob).TownKnown, "no town is no unknown one")
}

func TestLocateTowns_SetsPositionsThatWereUnknown(t *testing.T) {
	t.Parallel()
	w := newEnv(t)
	ada, bob := w.join("Ada"), w.join("Bob")
	w.Exec(`UPDATE users SET city = 'Praha', state = 'Czechia', town_lat = NULL, town_lon = NULL WHERE id = $1`, ada)
	w.Exec(`UPDATE users SET city = 'Nowhere Creek', state = '', town_lat = NULL, town_lon = NULL WHERE id = $1`, bob)
	for range 2 {
		require.NoError(t, members.LocateTowns(t.Context(), w.Pool))
		assert.True(t, w.me(ada).TownKnown)
		assert.False(t, w.me(bob).TownKnown)
	}
}
