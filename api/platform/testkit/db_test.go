package testkit_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

func TestMember_HasGivenColumns(t *testing.T) {
	t.Parallel()
	db, id := pgtest.NewDB(t), uuid.New()
	require.Equal(t, id, db.Member("Ann Lee Moss", testkit.Columns{"id": id}, testkit.Columns{"first_name": "Annie"}).ID)
	require.Equal(t, 1, db.Count(`SELECT count(*) FROM users WHERE id = $1 AND full_name = 'Ann Lee Moss' AND first_name = 'Annie'
		AND last_name = 'Lee Moss' AND profile_status = 'active' AND NOT is_admin`, id))
	require.True(t, db.Admin("Ann Lee Moss").Admin)
	require.Equal(t, 1, db.Count(`SELECT count(*) FROM users WHERE is_admin`))
}

func TestPair_HasOpenConversation(t *testing.T) {
	t.Parallel()
	db := pgtest.NewDB(t)
	ada, ben, conversation := db.Pair()
	require.Equal(t, 1, db.Count(`SELECT count(*) FROM conversations c JOIN matches m ON m.id = c.match_id
		WHERE c.id = $1 AND m.user_a = $2 AND m.user_b = $3 AND c.user_a = $2 AND c.user_b = $3`, conversation, ada.ID, ben.ID))
}
