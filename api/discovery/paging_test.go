package discovery_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

var towns = [][2]string{
	{"Portland", "OR"}, {"Gresham", "OR"}, {"Salem", "OR"}, {"Corvallis", "OR"}, {"Seattle", "WA"},
	{"Boston", "MA"}, {"Xyzzy", "OR"}, {"", ""},
}

func insertMembers(t testing.TB, pool *pgxpool.Pool, n int) {
	t.Helper()
	tags := []string{"Healing", "Friendship", "Long-term", "Spiritual Connection"}
	for i := range n {
		town := towns[i%len(towns)]
		insert(t, pool, row{
			"city": town[0], "state": town[1], "is_featured": i%11 == 0,
			"intention_tags": tags[:i%len(tags)], "birth_date": birth(20 + i%40)["birth_date"],
		})
	}
}

// Reading all pages gives the same order as one search for all members.
func TestPaging_GivesSameOrderAsOneSearch(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	insertMembers(t, pool, 240)
	s := loaded(t, pool)

	var all []discovery.Candidate
	for cursor := ""; ; {
		page, rest, err := s.Search(t.Context(), me, anywhere(), discovery.Page{Cursor: cursor, Limit: 7})
		require.NoError(t, err)
		all = append(all, page...)
		if cursor = rest.Cursor; cursor == "" {
			break
		}
	}
	assert.Len(t, all, 240)
	assert.True(t, slices.IsSortedFunc(all, func(a, b discovery.Candidate) int {
		return cmp.Compare(b.Compatibility.Overall, a.Compatibility.Overall)
	}))
	listed := map[uuid.UUID]bool{}
	for _, c := range all {
		assert.False(t, listed[c.ID], "%s is listed twice", c.ID)
		listed[c.ID] = true
	}
	whole, _, err := s.Search(t.Context(), me, anywhere(), discovery.Page{Limit: 1000}) // larger than the result
	require.NoError(t, err)
	var ids []uuid.UUID
	for _, c := range whole {
		ids = append(ids, c.ID)
	}
	for _, size := range []int{1, 3, 50} {
		assert.Equal(t, ids, found(t, pool, me, anywhere(), size), "the order does not depend on the page size")
	}
}

func TestPaging_SkipsNoMemberIfIndexIsOlderThanDatabase(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	insertMembers(t, pool, 80)
	before := found(t, pool, me, anywhere(), 50)

	s, counts, cursor := loaded(t, pool), map[uuid.UUID]int{}, ""
	for {
		page, rest, err := s.Search(t.Context(), me, anywhere(), discovery.Page{Cursor: cursor, Limit: 9})
		require.NoError(t, err)
		for _, c := range page {
			counts[c.ID]++
		}
		if cursor = rest.Cursor; cursor == "" {
			break
		}
		insertMembers(t, pool, 8)                                                                        // members who are not in the index
		testkit.Exec(t, pool, `UPDATE users SET profile_status = 'suspended' WHERE id = $1`, page[8].ID) // the row of the cursor is hidden
	}
	for _, id := range before {
		assert.Equal(t, 1, counts[id])
	}
	for id, times := range counts {
		assert.Equal(t, 1, times, id)
	}
}

func TestSearch_OrdersTiesDifferentlyForEachViewer(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	a, b := insert(t, pool, row{}), insert(t, pool, row{})
	for range 30 {
		insert(t, pool, row{})
	}
	order := found(t, pool, a, discovery.DefaultFilters(), 50)
	assert.Equal(t, order, found(t, pool, a, discovery.DefaultFilters(), 50), "the order is stable for a viewer")
	assert.NotEqual(t, without(order, b), without(found(t, pool, b, discovery.DefaultFilters(), 50), a))
}

func without(ids []uuid.UUID, id uuid.UUID) []uuid.UUID {
	return slices.DeleteFunc(ids, func(x uuid.UUID) bool { return x == id })
}
