package discovery

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/discovery/compat"
	"heartward/api/discovery/index"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

// viewer is the data of the member who searches.
type viewer struct {
	id            uuid.UUID
	city, state   string
	person        compat.Person
	gender        *string
	interestedIn  []string
	hidesActivity bool        // and so sees nobody's
	excluded      []uuid.UUID // members who must not be found
	admitted      []uuid.UUID // incognito members who may be found
	today         int         // as in index.Query
	now           time.Time   // of the database
}

// personRow has the columns of personColumns.
type personRow struct {
	Age           int
	IntentionTags []string
	members.Compared
}

const comparedColumns = members.ComparedColumns // a test allows only constants of this package in statements

// personColumns are columns of search_members u or visible_members u.
const personColumns = `
	u.age,
	u.intention_tags,
	` + comparedColumns

func (r personRow) person() compat.Person { return person(r.Age, r.IntentionTags, r.Compared) }

func person(age int, tags []string, m members.Compared) compat.Person {
	return compat.Person{
		Age: age, Town: seenTown(m), IntentionTags: tags, HasChildren: m.HasChildren, WantsChildren: m.WantsChildren,
		Education: m.Education, Religion: m.CountedReligion,
	}
}

func seenTown(m members.Compared) compat.Town {
	switch {
	case m.IsVisiting:
		return compat.VisitedTown(m.SeenCity, m.SeenState, *m.SeenLat, *m.SeenLon)
	case m.SeenLat != nil && m.SeenLon != nil:
		return compat.KnownTown(m.SeenCity, m.SeenState, *m.SeenLat, *m.SeenLon)
	}
	return compat.NewTown(m.SeenCity, m.SeenState)
}

// viewerRow is a row of viewerSQL.
type viewerRow struct {
	personRow
	Gender       *string
	InterestedIn []string
	HideOnline   bool
	Now          time.Time
	Today        int // as in index.Query
	Excluded     []uuid.UUID
	Admitted     []uuid.UUID
}

const viewerSQL = `
	SELECT
		u.gender,
		u.interested_in,
		u.hide_online,
		now() AS now,
		to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')::int AS today,
		ARRAY(
			SELECT d.peer_id FROM decided_pairs d WHERE d.member_id = u.id
			UNION ALL
			SELECT b.peer_id FROM blocked_pairs b WHERE b.member_id = u.id
		) AS excluded,
		ARRAY(
			SELECT l.member_id
			FROM likes l
			JOIN profiles i ON i.id = l.member_id AND i.incognito
			WHERE l.peer_id = u.id
		) AS admitted,
		` + personColumns + `
	FROM search_members u
	WHERE u.id = $1`

// selectViewer reads in one query the member who searches, the members to exclude (liked,
// passed, matched or blocked), and the incognito members who like them. A like or pass
// thus takes effect at the next search, without a refresh of the index.
func selectViewer(ctx context.Context, db pg.DB, id uuid.UUID) (viewer, error) {
	rows, _ := db.Query(ctx, viewerSQL, id)
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[viewerRow])
	if err != nil {
		return viewer{}, pg.Fault(err)
	}
	return viewer{
		id: id, city: r.SeenCity, state: r.SeenState, person: r.person(), gender: r.Gender, interestedIn: r.InterestedIn,
		hidesActivity: r.HideOnline, excluded: r.Excluded, admitted: r.Admitted, today: r.Today, now: r.Now,
	}, nil
}

const likedWordsSQL = `
	SELECT ` + wordColumns + `
	FROM likes l
	JOIN profiles u ON u.id = l.peer_id
	WHERE l.member_id = $1
	ORDER BY l.created_at DESC
	LIMIT 100`

// selectLikedAttributes returns the attributes that at least a third of the last members
// whom the viewer liked have.
func selectLikedAttributes(ctx context.Context, db pg.DB, viewer uuid.UUID) (liked index.Attributes, err error) {
	rows, _ := db.Query(ctx, likedWordsSQL, viewer)
	lists, err := pgx.CollectRows(rows, pgx.RowToStructByName[members.Words])
	if err != nil {
		return liked, pg.Fault(err)
	}
	chosen := make([]index.Attributes, len(lists))
	for i := range lists {
		chosen[i] = attributes(&lists[i])
	}
	for n := range index.MaxAttributes {
		count := 0
		for _, words := range chosen {
			if words.Has(n) {
				count++
			}
		}
		if count > 0 && 3*count >= len(chosen) {
			liked.Add(n)
		}
	}
	return liked, nil
}

// wordColumns are the columns of members.Words.
const wordColumns = `
	u.personality_traits,
	u.lifestyle_preferences,
	u.relationship_goals,
	u.pronouns,
	u.languages,
	u.drinking,
	u.smoking,
	u.pets`

// firstWords are the numbers of the first word of each list in index.Attributes.
var firstWords = func() (first []int) {
	next := 0
	for _, list := range members.WordLists {
		first = append(first, next)
		next += len(list.Words)
	}
	if next > index.MaxAttributes {
		panic("discovery: the profiles have more words than index.Attributes can contain")
	}
	return first
}()

// addWords adds words of a list to a.
func addWords(a *index.Attributes, list int, words []string) {
	for _, word := range words {
		if at := slices.Index(members.WordLists[list].Words, word); at >= 0 {
			a.Add(firstWords[list] + at)
		}
	}
}

func attributes(words *members.Words) (a index.Attributes) {
	for list, chosen := range words.Lists() {
		addWords(&a, list, *chosen)
	}
	return a
}

const peopleSQL = `
	SELECT
		u.id,
		` + personColumns + `
	FROM visible_members(@viewer) u
	WHERE u.id = ANY(@ids)`

// selectPeople reads the members of ids whom viewer may see, which may include viewer.
func selectPeople(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]compat.Person, error) {
	type row struct {
		ID uuid.UUID
		personRow
	}
	rows, _ := db.Query(ctx, peopleSQL, pgx.NamedArgs{"ids": ids, "viewer": viewer})
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[row])
	people := make(map[uuid.UUID]compat.Person, len(found))
	for _, r := range found {
		people[r.ID] = r.person()
	}
	return people, pg.Fault(err)
}
