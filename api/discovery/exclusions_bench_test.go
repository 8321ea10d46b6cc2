package discovery_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// What the members whom a viewer has liked or passed cost a page of 50 among 100,000 members: "viewer" is the statement that reads
// them, which is a part of "page".
func BenchmarkSearch_Exclusions(b *testing.B) {
	pool := pgtest.New(b)
	pgtest.Fill(b, pool, []string{"users"}, pgx.NamedArgs{}, manyMembers)
	counts := []int{0, 1000, 10_000}
	viewers := make([]uuid.UUID, len(counts))
	for i, count := range counts {
		viewers[i] = insert(b, pool, row{})
		pgtest.Fill(b, pool, []string{"user_likes", "user_passes"}, pgx.NamedArgs{"me": viewers[i], "half": count / 2},
			`INSERT INTO user_likes (id, from_user_id, to_user_id, like_type)
			SELECT gen_random_uuid(), @me, id, 'like' FROM users WHERE email LIKE '%@many.test' ORDER BY id LIMIT @half`,
			`INSERT INTO user_passes (from_user_id, to_user_id)
			SELECT @me, id FROM users WHERE email LIKE '%@many.test' ORDER BY id DESC LIMIT @half`)
	}
	testkit.Exec(b, pool, `ANALYZE`)
	s := loaded(b, pool)
	for i, count := range counts {
		b.Run(fmt.Sprintf("viewer/%d", count), func(b *testing.B) {
			for b.Loop() {
				excluded, err := discovery.ReadExcluded(b.Context(), pool, viewers[i])
				require.NoError(b, err)
				require.Len(b, excluded, count)
			}
		})
		b.Run(fmt.Sprintf("rank/%d", count), func(b *testing.B) {
			for b.Loop() {
				_, _, err := s.Rank(b.Context(), viewers[i], discovery.DefaultFilters(), discovery.Page{Limit: 50})
				require.NoError(b, err)
			}
		})
		b.Run(fmt.Sprintf("page/%d", count), func(b *testing.B) {
			for b.Loop() {
				page, _, err := s.Search(b.Context(), viewers[i], discovery.DefaultFilters(), discovery.Page{Limit: 50})
				require.NoError(b, err)
				require.Len(b, page, 50)
			}
		})
	}
}
