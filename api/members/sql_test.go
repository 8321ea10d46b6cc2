package members

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSQLTextFollowsFromTheColumnsAlone(t *testing.T) {
	t.Parallel()
	columns := func() map[string]any {
		return map[string]any{"bio": "", "city": "", "education": nil, "full_name": "", "gender": nil, "religion": nil, "state": ""}
	}
	// Each map has an order of its own.
	for range 50 {
		require.Equal(t, insertSQL(columns()), insertSQL(columns()))
		require.Equal(t, updateSQL(columns()), updateSQL(columns()))
	}
	require.Equal(t, `UPDATE users SET updated_at = now(), bio = @bio, city = @city WHERE id = @id`, updateSQL(map[string]any{"city": "", "bio": ""}))
}
