package discovery_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// otherValues returns values by column that differ from those of insert, without columns
// that never change.
func otherValues() row {
	values := row{
		"id": nil, "created_at": nil, "search_xid": nil,
		"city": "Salem", "state": "WA", "town_lat": 1.5, "town_lon": 1.5, "birth_date": time.Now().AddDate(-40, 0, 0),
		"gender": "woman", "height_cm": 170, "interested_in": []string{"man"}, "intention_tags": []string{"Friendship"}, "has_children": true,
		"wants_children": false, "education": "masters", "religion": "other", "religion_counts": true, "is_graduated": true, "is_approved": false,
		"is_featured": true, "profile_status": "suspended", "paused_at": time.Now(), "paused_until": time.Now().Add(time.Hour),
		"visit_city": "Lyon", "visit_state": "France", "visit_lat": 1.5, "visit_lon": 1.5, "visit_until": time.Now().AddDate(0, 0, 2),
		"incognito": true, "hide_online": true,
		"verified_at": time.Now(), "bio": "Hello.", "love_reflection": "Home.", "occupation": "Nurse",
	}
	for _, list := range members.WordLists {
		values[list.Column] = list.Words[:1]
	}
	return values
}

// A change of any column that the search reads sets a new search_xid.
func TestSearchRow_HasEveryColumnThatSearchReads(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	require.Regexp(t, `FROM search_members u\s*$`, discovery.EntrySQL, "the view whose columns this test reads")
	rows, _ := pool.Query(t.Context(), `
		SELECT DISTINCT c.attname
		FROM pg_rewrite r
		JOIN pg_depend d
			ON d.classid = 'pg_rewrite'::regclass
			AND d.objid = r.oid
			AND d.refclassid = 'pg_class'::regclass
		JOIN pg_attribute c
			ON c.attrelid = d.refobjid
			AND c.attnum = d.refobjsubid
		WHERE r.ev_class = 'search_members'::regclass
			AND d.refobjid = 'users'::regclass
			AND d.refobjsubid > 0
		ORDER BY c.attname`)
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(columns), 20)
	values := otherValues()
	for _, column := range columns {
		value, known := values[column]
		if !assert.True(t, known, "the search reads %s: add a value to otherValues", column) || value == nil {
			continue
		}
		with := visiting("Lisbon", "Portugal", time.Now().AddDate(0, 0, 1)) // all columns of a visit, or none, have a value
		with["paused_at"] = time.Now().Add(-time.Hour)                      // without it there can be no end of a pause
		id := insert(t, pool, with)
		before := searchXID(t, pool, id)
		testkit.Exec(t, pool, `UPDATE users SET `+column+` = $2 WHERE id = $1`, id, value)
		assert.NotEqual(t, before, searchXID(t, pool, id), "search_row lacks %s, which the search reads", column)
	}
}

// A change of other columns, or of a value of which only the presence counts, does not set
// search_xid.
func TestSearchRow_HasNoOtherColumn(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	id := insert(t, pool, row{"bio": "Hello.", "verified_at": time.Now()})
	before := searchXID(t, pool, id)
	testkit.Exec(t, pool, `UPDATE users SET bio = 'Good morning.', verified_at = now(), hide_read_receipts = true WHERE id = $1`, id)
	assert.Equal(t, before, searchXID(t, pool, id))
}

func searchXID(t testing.TB, pool *pgxpool.Pool, id uuid.UUID) string {
	t.Helper()
	return testkit.Select[string](t, pool, `SELECT search_xid::text FROM users WHERE id = $1`, id)
}
