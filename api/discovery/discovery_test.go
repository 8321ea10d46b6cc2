package discovery_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/pgtest"
	"heartward/api/platform/testkit"
)

// row has values of columns of users and of the last activity. Other columns have the
// defaults of insert.
type row map[string]any

// insert adds a member. Members added without values in with match each other with the
// default filters.
func insert(t testing.TB, pool *pgxpool.Pool, with row) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	columns := row{
		"id": id, "email": id.String() + "@example.test", "full_name": "Kim Doe", "first_name": "Kim",
		"birth_date": time.Now().UTC().AddDate(-30, 0, -10), "city": "Portland", "state": "OR",
		"referral_code": id.String()[24:], "intention_tags": []string{"Healing"},
	}
	columns["religion_counts"] = with["religion"] != nil
	for name, value := range with {
		columns[name] = value
	}
	active, isActive := columns["last_active_at"]
	delete(columns, "last_active_at")
	if lat, lon, ok := gazetteer.Lookup(columns["city"].(string), columns["state"].(string)); ok {
		columns["town_lat"], columns["town_lon"] = lat, lon
	}
	names, placeholders, values := "", "", []any{}
	for name, value := range columns {
		values = append(values, value)
		names += ", " + name
		placeholders += fmt.Sprintf(", $%d", len(values))
	}
	testkit.Exec(t, pool, `INSERT INTO users (`+names[2:]+`) VALUES (`+placeholders[2:]+`)`, values...)
	if isActive {
		testkit.Exec(t, pool, `INSERT INTO member_activity (user_id, last_active_at) VALUES ($1, $2)`, columns["id"], active)
	}
	return id
}

func birth(years int) row {
	return row{"birth_date": time.Now().UTC().AddDate(-years, 0, -1)}
}

// birthdayToday returns the latest birth date of members of this age. As in the database, it is the 28th of February
// if the 29th does not exist.
func birthdayToday(years int) time.Time {
	today := time.Now().UTC()
	born := today.AddDate(-years, 0, 0)
	if born.Day() != today.Day() {
		born = born.AddDate(0, 0, -1)
	}
	return born
}

// visiting returns a visit to a town of the gazetteer.
func visiting(city, state string, until time.Time) row {
	lat, lon, _ := gazetteer.Lookup(city, state)
	return row{"visit_city": city, "visit_state": state, "visit_lat": lat, "visit_lon": lon, "visit_until": until}
}

// anywhere returns the default filters without a maximum distance.
func anywhere() discovery.FilterSet {
	set := discovery.DefaultFilters()
	set.Location.MaxDistance = nil
	return set
}

// loaded returns a Service whose index contains all members inserted so far.
func loaded(t testing.TB, pool *pgxpool.Pool) *discovery.Service {
	t.Helper()
	s := discovery.New(pool)
	refresh(t, s)
	return s
}

func refresh(t testing.TB, s *discovery.Service) {
	t.Helper()
	require.NoError(t, s.Refresh(context.Background()))
}

// found reads all pages of a search and returns the ids in order.
func found(t testing.TB, pool *pgxpool.Pool, viewer uuid.UUID, set discovery.FilterSet, size int, exclude ...uuid.UUID) (ids []uuid.UUID) {
	t.Helper()
	s, request := loaded(t, pool), discovery.Page{Limit: size}
	for _, id := range exclude {
		request.Exclude = id
	}
	for {
		page, rest, err := s.Search(t.Context(), viewer, set, request)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), size)
		for _, c := range page {
			ids = append(ids, c.ID)
		}
		if rest.Cursor == "" {
			return ids
		}
		request.Cursor = rest.Cursor
	}
}

func TestSearch_ExcludesMembers(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{"gender": "woman", "interested_in": []string{"man", "nonbinary"}})
	included := map[string]uuid.UUID{
		"same as the viewer":                    insert(t, pool, row{}),
		"18 today":                              insert(t, pool, row{"birth_date": birthdayToday(18)}),
		"65":                                    insert(t, pool, birth(65)),
		"near":                                  insert(t, pool, row{"city": "Salem"}),
		"of a gender that interests the viewer": insert(t, pool, row{"gender": "man"}),
		"interested in the viewer's gender":     insert(t, pool, row{"gender": "man", "interested_in": []string{"woman"}}),
		"interested in the viewer's gender, without gender": insert(t, pool, row{"interested_in": []string{"woman"}}),
		"active six days ago":                               insert(t, pool, row{"last_active_at": time.Now().AddDate(0, 0, -6)}),
		"without a town":                                    insert(t, pool, row{"city": "", "state": ""}),
		"unknown town, similar name":                        insert(t, pool, row{"city": "Portland Meadows Park"}),
		"passed long ago":                                   insert(t, pool, row{}),
		"incognito, likes the viewer":                       insert(t, pool, row{}),
	}
	excluded := map[string]uuid.UUID{
		"the viewer":                  me,
		"66":                          insert(t, pool, birth(66)),
		"far":                         insert(t, pool, row{"city": "Corvallis"}),
		"very far":                    insert(t, pool, row{"city": "Seattle", "state": "WA"}),
		"unknown town":                insert(t, pool, row{"city": "Xyzzy"}),
		"of another gender":           insert(t, pool, row{"gender": "woman"}),
		"interested in other genders": insert(t, pool, row{"gender": "man", "interested_in": []string{"man"}}),
		"active eight days ago":       insert(t, pool, row{"last_active_at": time.Now().AddDate(0, 0, -8)}),
		"inactive demo member":        insert(t, pool, row{"last_active_at": time.Now().AddDate(0, 0, -8), "is_demo": true}),
		"suspended":                   insert(t, pool, row{"profile_status": "suspended"}),
		"under review":                insert(t, pool, row{"profile_status": "under_review"}),
		"not approved":                insert(t, pool, row{"is_approved": false}),
		"graduated":                   insert(t, pool, row{"is_graduated": true}),
		"liked":                       insert(t, pool, row{}),
		"passed":                      insert(t, pool, row{}),
		"matched":                     insert(t, pool, row{}),
		"unmatched":                   insert(t, pool, row{}),
		"excluded by the caller":      insert(t, pool, row{}),
	}
	const like = `INSERT INTO user_likes (id, from_user_id, to_user_id, like_type) VALUES (gen_random_uuid(), $1, $2, 'like')`
	const pass = `INSERT INTO user_passes (from_user_id, to_user_id, created_at) VALUES ($1, $2, now() - $3::interval)`
	const match = `INSERT INTO matches (id, user_a, user_b, unmatched_at) VALUES (gen_random_uuid(), least($1::uuid, $2), greatest($1::uuid, $2), $3)`
	testkit.Exec(t, pool, like, me, excluded["liked"])
	testkit.Exec(t, pool, like, included["incognito, likes the viewer"], me)
	testkit.Exec(t, pool, pass, me, excluded["passed"], 29*24*time.Hour)
	testkit.Exec(t, pool, pass, me, included["passed long ago"], 31*24*time.Hour)
	testkit.Exec(t, pool, pass, included["incognito, likes the viewer"], me, time.Hour)
	testkit.Exec(t, pool, match, me, excluded["matched"], nil)
	testkit.Exec(t, pool, match, me, excluded["unmatched"], time.Now())

	ids := found(t, pool, me, discovery.DefaultFilters(), 50, excluded["excluded by the caller"])
	for name, id := range included {
		assert.Contains(t, ids, id, name)
	}
	for name, id := range excluded {
		assert.NotContains(t, ids, id, name)
	}
	assert.Len(t, ids, len(included))

	deck := found(t, pool, me, anywhere(), 50)
	for _, name := range []string{"far", "very far", "unknown town"} {
		assert.Contains(t, deck, excluded[name], "the deck includes distant members: %s", name)
	}
	assert.Len(t, deck, len(included)+4)
}

func TestSearch_UnansweredFieldsExcludeNoMember(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{"city": "", "state": ""})
	insert(t, pool, row{"gender": "man", "interested_in": []string{"woman"}})
	insert(t, pool, row{"gender": "woman", "city": "Seattle", "state": "WA"})
	assert.Len(t, found(t, pool, me, discovery.DefaultFilters(), 50), 2)
}

func TestSearch_FiltersByLocalNamesOfTowns(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	munich := []uuid.UUID{
		insert(t, pool, row{"city": "München", "state": "Bayern"}),
		insert(t, pool, row{"city": "Munich", "state": "Germany"}),
	}
	insert(t, pool, row{"city": "Vienna", "state": "Austria"})
	for _, name := range []string{"München", "muenchen", "Munich", "MUNICH"} {
		filters := anywhere()
		filters.Location.City = name
		assert.ElementsMatch(t, munich, found(t, pool, me, filters, 50), name)
	}
}

func TestSearch_SortsByScore(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me := insert(t, pool, row{})
	older := insert(t, pool, birth(40))
	far := insert(t, pool, row{"city": "Seattle", "state": "WA"})
	twin := insert(t, pool, row{})
	featured := insert(t, pool, row{"is_featured": true})
	other := insert(t, pool, row{"intention_tags": []string{"Friendship"}})
	// 91 twice, 88 by age, 77 by location, 59 by intentions.
	assert.Equal(t, []uuid.UUID{featured, twin, older, far, other}, found(t, pool, me, anywhere(), 2))
}

// A filter compares whole days in UTC, so that searching every hour reveals the day of the last activity only.
func TestSearch_ComparesActivityByDay(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	today := func() time.Time { return testkit.Select[time.Time](t, pool, `SELECT date_trunc('day', now(), 'UTC')`) }
	for {
		start := today()
		me := insert(t, pool, row{})
		within := []uuid.UUID{
			insert(t, pool, row{"last_active_at": start.Add(-24 * time.Hour)}),
			insert(t, pool, row{"last_active_at": start.Add(-time.Second)}),
		}
		before := []uuid.UUID{
			insert(t, pool, row{"last_active_at": start.Add(-24*time.Hour - time.Second)}),
			insert(t, pool, row{"last_active_at": start.Add(-48 * time.Hour)}),
		}
		ids := found(t, pool, me, discovery.FilterSet{LastActiveWithin: "1d"}, 20)
		if !today().Equal(start) {
			continue // once at most: the rows are of the day before the search
		}
		assert.Subset(t, ids, within)
		for _, id := range before {
			assert.NotContains(t, ids, id)
		}
		return
	}
}

func TestSearch_CandidatesHaveCompatibility(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, other := insert(t, pool, row{}), insert(t, pool, row{"city": "Gresham", "religion": "hindu", "bio": "Hi there"})
	s := loaded(t, pool)
	page, rest, err := s.Search(t.Context(), me, discovery.DefaultFilters(), discovery.Page{Limit: 50})
	require.NoError(t, err)
	assert.Zero(t, rest)
	require.Len(t, page, 1)
	assert.Equal(t, other, page[0].ID)
	assert.Equal(t, "Hi there", page[0].Bio)
	separate, err := s.Compatibility(t.Context(), me, other)
	require.NoError(t, err)
	assert.Equal(t, separate, page[0].Compatibility)
	assert.Equal(t, 89, separate.Overall, "40 + 21 + 18 + 10")
	reversed, err := s.Compatibility(t.Context(), other, me)
	require.NoError(t, err)
	assert.Equal(t, separate.Overall, reversed.Overall)
}

func TestCompatibility_RequiresVisibleMember(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, hidden := insert(t, pool, row{}), insert(t, pool, row{"profile_status": "suspended"})
	former := insert(t, pool, row{})
	testkit.Exec(t, pool, `INSERT INTO matches (id, user_a, user_b, unmatched_at)
		VALUES (gen_random_uuid(), least($1::uuid, $2), greatest($1::uuid, $2), now())`, me, former)
	s := loaded(t, pool)
	for _, id := range []uuid.UUID{hidden, former, uuid.New()} {
		_, err := s.Compatibility(t.Context(), me, id)
		testkit.RequireKind(t, err, fault.NotFound)
	}
	_, err := s.Compatibility(t.Context(), me, me)
	testkit.RequireKind(t, err, fault.Invalid)
	_, _, err = s.Search(t.Context(), uuid.New(), discovery.DefaultFilters(), discovery.Page{Limit: 5})
	testkit.RequireKind(t, err, fault.NotFound)
	_, _, err = s.Search(t.Context(), me, discovery.DefaultFilters(), discovery.Page{Cursor: "!", Limit: 5})
	testkit.RequireKind(t, err, fault.Invalid)
}

// A profile page requests the profile and the compatibility, which count as one view.
func TestCompatibility_CountsAsView(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	me, first, last := insert(t, pool, row{}), insert(t, pool, row{}), insert(t, pool, row{})
	s := loaded(t, pool)
	_, err := s.Compatibility(t.Context(), me, first)
	require.NoError(t, err)
	for range 299 {
		require.NoError(t, members.CountView(t.Context(), pool, me, uuid.New(), 1))
	}
	_, err = s.Compatibility(t.Context(), me, last)
	testkit.RequireKind(t, err, fault.RateLimited)
	_, err = s.Compatibility(t.Context(), me, first)
	assert.NoError(t, err, "the view was counted already")
}

func TestSearch_WaitsForSlot(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	viewer := insert(t, pool, nil)
	s := loaded(t, pool)
	release := s.AcquireAllSlots()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, _, err := s.Search(ctx, viewer, anywhere(), discovery.Page{Limit: 10})
	testkit.RequireKind(t, err, fault.Unavailable)
	require.Positive(t, fault.From(err).RetryAfter)
	release()
	_, _, err = s.Search(t.Context(), viewer, anywhere(), discovery.Page{Limit: 10})
	require.NoError(t, err)
}
