package discovery_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/platform/fault"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// timeout is the timeout of waits.
const timeout = testkit.Timeout

func TestFollow_LoadsAndRefreshesUntilContextEnds(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	s := discovery.New(pool)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.Follow(ctx) })
	require.Eventually(t, func() bool { return s.CheckLoaded() == nil }, timeout, time.Millisecond)
	kim := insert(t, pool, row{})
	require.Eventually(t, func() bool {
		ids := ranked(t, s, me, discovery.FilterSet{}, 10)
		return len(ids) == 1 && ids[0] == kim
	}, timeout, time.Millisecond)
	stop()
	running.Wait()
}

func TestRefresh_FailedLoadLeavesNoMembers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insert(t, pool, nil)
	removed, broken := insert(t, pool, nil), insert(t, pool, row{"last_active_at": "infinity"}) // which cannot be converted to an hour
	s := discovery.New(pool)
	require.ErrorContains(t, s.CheckLoaded(), "is being loaded")
	require.Error(t, s.Refresh(t.Context()))
	require.ErrorContains(t, s.Ready(), "cannot be loaded")
	s.BackdateCreation(3 * time.Minute)
	require.NoError(t, s.Ready(), "the node is ready without the index")
	require.ErrorContains(t, s.CheckLoaded(), "cannot be loaded")
	testkit.Exec(t, pool, `DELETE FROM users WHERE id = $1 OR id = $2`, removed, broken)
	refresh(t, s)
	require.NoError(t, s.CheckLoaded())
	require.Equal(t, 1, s.IndexStats().Members, "a member who was removed between the two loads is not found")
}

func TestRefresh_ReadsAllMembersAfterLongPause(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insert(t, pool, nil)
	excluded := insert(t, pool, nil)
	s := loaded(t, pool)
	require.Equal(t, 2, s.IndexStats().Members)
	// The member is deleted and the removal cleaned up in one transaction, before the index
	// reads it.
	testkit.Exec(t, pool, `DELETE FROM users WHERE id = '`+excluded.String()+`'; DELETE FROM search_removals`)
	s.ExpireIndex()
	refresh(t, s)
	require.Equal(t, 1, s.IndexStats().Members)
}

func TestRefresh_FindsMemberAddedAgainWithSameID(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	id, viewer := insert(t, pool, nil), insert(t, pool, nil)
	s := loaded(t, pool)
	testkit.Exec(t, pool, `DELETE FROM users WHERE id = $1`, id)
	insert(t, pool, row{"id": id, "email": "back@example.test"})
	refresh(t, s)
	require.Equal(t, []uuid.UUID{id}, ranked(t, s, viewer, discovery.FilterSet{}, 50))
}

func TestSearch_IsUnavailableBeforeFirstLoad(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, kim := insert(t, pool, row{}), insert(t, pool, row{})
	s := discovery.New(pool)
	for name, search := range map[string]func() error{
		"Search": func() error {
			_, _, err := s.Search(t.Context(), me, discovery.DefaultFilters(), discovery.Page{Limit: 10})
			return err
		},
		"Count":   func() error { _, _, err := s.Count(t.Context(), me, discovery.DefaultFilters(), 10); return err },
		"Preview": func() error { _, err := s.Preview(t.Context(), me, discovery.DefaultFilters(), 0); return err },
	} {
		err := search()
		testkit.RequireKind(t, err, fault.Unavailable, name)
		require.Positive(t, fault.From(err).RetryAfter, name)
	}
	refresh(t, s)
	require.Equal(t, []uuid.UUID{kim}, ranked(t, s, me, discovery.DefaultFilters(), 10))
}

// A loaded index is used at any age. Cards of members who may no longer be shown are
// omitted.
func TestSearch_UsesOldIndex(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, kim, excluded := insert(t, pool, row{}), insert(t, pool, row{}), insert(t, pool, row{})
	s := loaded(t, pool)
	s.ExpireIndex()
	testkit.Exec(t, pool, `UPDATE users SET profile_status = 'suspended' WHERE id = $1`, excluded)
	page, _, err := s.Search(t.Context(), me, discovery.DefaultFilters(), discovery.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, page, 1)
	require.Equal(t, kim, page[0].ID)
}

// Without PostgreSQL a search returns Unavailable. It works again when PostgreSQL does.
func TestSearch_UnavailableWithoutPostgreSQL(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, kim := insert(t, pool, row{}), insert(t, pool, row{})
	s := loaded(t, pool)
	restore := pgtest.RefuseConnections(t, pool)
	_, _, err := s.Search(t.Context(), me, discovery.DefaultFilters(), discovery.Page{Limit: 10})
	testkit.RequireKind(t, err, fault.Unavailable)
	require.Error(t, s.Refresh(t.Context()))
	require.NoError(t, s.CheckLoaded(), "the index is still loaded")
	restore()
	require.Equal(t, []uuid.UUID{kim}, ranked(t, s, me, discovery.DefaultFilters(), 10))
}

// restoredRows inserts rows of another cluster, whose transaction ids are far ahead: ten times as many as a refresh reads
// at a time.
const restoredRows = `INSERT INTO users (id, email, full_name, first_name, birth_date, city, state, town_lat, town_lon, referral_code, search_xid)
	SELECT gen_random_uuid(), 'm' || i || '@example.test', 'Kim', 'Kim', current_date - 30 * 365, 'Portland', 'OR', 45.5, -122.6,
		'code' || i + 1000, (4000000000 + i)::text::xid8
	FROM generate_series(1, 10000) i`

// The refresh after an activity changes the result of the activity filter without reading
// a profile. It reads nothing for another activity in the same hour.
func TestRefresh_AppliesActivityWithoutReadingProfiles(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, kim := insert(t, pool, row{}), insert(t, pool, row{"last_active_at": time.Now().AddDate(0, 0, -3)})
	hidden := insert(t, pool, row{"paused_at": time.Now(), "last_active_at": time.Now().AddDate(0, 0, -3)})
	nodes := [2]*discovery.Service{loaded(t, pool), loaded(t, pool)}
	// Changes may be read again while a transaction of a parallel test is open. Rows with
	// the id of a future transaction are not.
	markRead := func() {
		t.Helper()
		testkit.Exec(t, pool, `UPDATE users SET search_xid = '4000000000'`)
		testkit.Exec(t, pool, `UPDATE search_active_hours SET search_xid = '4000000000'`)
	}
	requirePending := func(profiles, activities int) {
		t.Helper()
		for _, node := range nodes {
			n, err := node.PendingChanges(t.Context())
			require.NoError(t, err)
			require.Equal(t, profiles, n)
			n, err = node.PendingActivities(t.Context())
			require.NoError(t, err)
			require.Equal(t, activities, n)
		}
	}
	requireActive := func(want ...uuid.UUID) {
		t.Helper()
		for _, node := range nodes {
			refresh(t, node)
			require.ElementsMatch(t, want, ranked(t, node, me, discovery.FilterSet{LastActiveWithin: "1d"}, 10))
		}
		markRead()
	}
	requireActive()
	testkit.Exec(t, pool, `UPDATE member_activity SET last_active_at = date_trunc('hour', now()) + interval '1 minute'`)
	requirePending(0, 2)
	requireActive(kim)
	testkit.Exec(t, pool, `UPDATE member_activity SET last_active_at = last_active_at + interval '58 minutes'`)
	requirePending(0, 0)
	requireActive(kim)
	testkit.Exec(t, pool, `UPDATE users SET paused_at = NULL WHERE id = $1`, hidden)
	requirePending(1, 0)
	requireActive(kim, hidden)
	testkit.Exec(t, pool, `UPDATE member_activity SET last_active_at = last_active_at - interval '3 days' WHERE user_id = $1`, kim)
	requireActive(hidden)
}

// A pause that ends by itself changes no row. The member is found after the next refresh.
func TestRefresh_FindsMemberAfterEndOfPause(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	kim := insert(t, pool, row{"paused_at": time.Now(), "paused_until": time.Now().Add(time.Hour)})
	s := loaded(t, pool)
	refresh(t, s)
	require.Empty(t, ranked(t, s, me, discovery.FilterSet{}, 10))
	// Instead of waiting, the test moves the end to the present. The row keeps the id of a
	// transaction that has not begun, so that a refresh can read it only for its end.
	testkit.Exec(t, pool, `ALTER TABLE users DISABLE TRIGGER users_search`)
	testkit.Exec(t, pool, `UPDATE users SET paused_at = now() - interval '1 hour', paused_until = now(), search_xid = '4000000000'`+
		` WHERE id = $1`, kim)
	refresh(t, s)
	require.Equal(t, []uuid.UUID{kim}, ranked(t, s, me, discovery.FilterSet{}, 10))
	require.Equal(t, []uuid.UUID{kim}, ranked(t, loaded(t, pool), me, discovery.FilterSet{}, 10), "a first load finds the member too")
}

// A visit that ends by itself changes no row. The member is at home after the next refresh.
func TestRefresh_FindsMemberAtHomeAfterEndOfVisit(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	lisboeta := insert(t, pool, row{"city": "Lisbon", "state": "Portugal"})
	kim := insert(t, pool, visiting("Lisbon", "Portugal", time.Now().Add(time.Hour)))
	s := loaded(t, pool)
	require.Empty(t, ranked(t, s, me, discovery.DefaultFilters(), 10))
	require.Equal(t, []uuid.UUID{kim}, ranked(t, s, lisboeta, discovery.DefaultFilters(), 10))
	// Instead of waiting, the test moves the end to the present. The row keeps the id of a
	// transaction that has not begun, so that a refresh can read it only for its end.
	testkit.Exec(t, pool, `ALTER TABLE users DISABLE TRIGGER users_search`)
	testkit.Exec(t, pool, `UPDATE users SET visit_until = now(), search_xid = '4000000000' WHERE id = $1`, kim)
	refresh(t, s)
	for _, node := range []*discovery.Service{s, loaded(t, pool)} {
		require.Equal(t, []uuid.UUID{kim}, ranked(t, node, me, discovery.DefaultFilters(), 10))
		require.Empty(t, ranked(t, node, lisboeta, discovery.DefaultFilters(), 10))
	}
}

// Two nodes load a database that was restored from another cluster. Their refreshes then
// read only changes, without a rewrite of the restored rows.
func TestRefresh_RestoredRowsAreReadOnce(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, kim := insert(t, pool, row{}), insert(t, pool, row{"intention_tags": []string{"Healing"}})
	testkit.Exec(t, pool, `UPDATE users SET search_xid = '4000000000'`)
	testkit.Exec(t, pool, `INSERT INTO search_removals (user_id, search_xid) VALUES ($1, '4000000000')`, kim)
	pgtest.Fill(t, pool, []string{"users"}, nil, restoredRows)
	testkit.Exec(t, pool, `INSERT INTO member_activity (user_id, last_active_at) SELECT id, now() FROM users`)
	testkit.Exec(t, pool, `UPDATE search_active_hours SET search_xid = '4000000000'`)
	nodes := [2]*discovery.Service{discovery.New(pool), discovery.New(pool)}
	var loading sync.WaitGroup
	for _, node := range nodes {
		loading.Go(func() { refresh(t, node) })
	}
	loading.Wait()
	testkit.Exec(t, pool, `UPDATE users SET intention_tags = '{Friendship}' WHERE id = $1`, kim)
	for _, node := range nodes {
		require.Equal(t, 10_002, node.IndexStats().Members)
		activities, err := node.PendingActivities(t.Context())
		require.NoError(t, err)
		require.Zero(t, activities)
		pending, err := node.PendingChanges(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, pending)
		refresh(t, node)
		require.Equal(t, []uuid.UUID{kim}, ranked(t, node, me, discovery.FilterSet{IntentionTags: []string{"Friendship"}}, 10), "an edit is applied")
		require.Equal(t, 10_002, node.IndexStats().Members)
	}
}

// A refresh reads without a timeout of its statements, because reading all changes may take longer. The view fails if it
// is read with one.
func TestRefresh_HasNoStatementTimeout(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	insert(t, pool, row{})
	removed := insert(t, pool, row{})
	s := loaded(t, pool)
	testkit.Exec(t, pool, `DELETE FROM users WHERE id = $1`, removed)
	testkit.Exec(t, pool, `
		ALTER TABLE search_removals RENAME TO stored_removals;
		CREATE FUNCTION without_timeout() RETURNS boolean LANGUAGE plpgsql AS $$
		BEGIN
			ASSERT current_setting('statement_timeout') = '0';
			RETURN true;
		END $$;
		CREATE VIEW search_removals AS SELECT * FROM stored_removals WHERE without_timeout()`)
	require.Error(t, pool.QueryRow(t.Context(), `SELECT count(*) FROM search_removals`).Scan(new(int)), "other reads have a timeout")
	refresh(t, s)
	require.Equal(t, 1, s.IndexStats().Members)
}

// A dump is restored while a node runs. The index is reloaded, although the transactions
// of the restored rows are not newer than those it has read.
func TestRefresh_ReloadsAfterRestore(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, kim, lost := insert(t, pool, row{}), insert(t, pool, row{}), insert(t, pool, row{})
	s := loaded(t, pool)
	require.ElementsMatch(t, []uuid.UUID{kim, lost}, ranked(t, s, me, discovery.FilterSet{}, 10))
	testkit.Exec(t, pool, `DELETE FROM users WHERE id = '`+lost.String()+`'; DELETE FROM search_removals;
		CREATE TEMP TABLE dump AS SELECT * FROM database_identity;
		DELETE FROM database_identity;
		INSERT INTO database_identity SELECT * FROM dump;
		DROP TABLE dump`)
	refresh(t, s)
	require.Equal(t, []uuid.UUID{kim}, ranked(t, s, me, discovery.FilterSet{}, 10))
}
