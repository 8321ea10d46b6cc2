package members

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUpdateSQL_IsDeterministic(t *testing.T) {
	t.Parallel()
	columns := func() map[string]any {
		return map[string]any{"bio": "", "city": "", "education": nil, "full_name": "", "gender": nil, "religion": nil, "state": ""}
	}
	// Each map has another order.
	insert, update := insertSQL(columns()), updateSQL(columns())
	for range 50 {
		require.Equal(t, insert, insertSQL(columns()))
		require.Equal(t, update, updateSQL(columns()))
	}
	require.Equal(t, `UPDATE users SET updated_at = now(), bio = @bio, city = @city WHERE id = @id`, updateSQL(map[string]any{"city": "", "bio": ""}))
}
