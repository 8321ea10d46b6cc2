package discovery

import (
	"context"
	"slices"
	"strings"
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
	id                 uuid.UUID
	city, state        string
	person             compat.Person
	gender             *string
	interestedIn       []string
	excluded, admitted []uuid.UUID
	today              int
	now                time.Time
}

// personColumns are the columns of a compat.Person from search_members u, in the order of personReader.
const personColumns = `
	u.age,
	u.seen_city,
	u.seen_state,
	u.seen_lat,
	u.seen_lon,
	u.is_visiting,
	u.intention_tags,
	u.has_children,
	u.wants_children,
	u.education,
	u.counted_religion`

type personReader struct {
	person      compat.Person
	city, state string
	lat, lon    *float64
	visiting    bool
}

func (r *personReader) target() []any {
	p := &r.person
	return []any{&p.Age, &r.city, &r.state, &r.lat, &r.lon, &r.visiting, &p.IntentionTags, &p.HasChildren, &p.WantsChildren, &p.Education, &p.Religion}
}

func (r *personReader) read() compat.Person {
	switch {
	case r.visiting:
		r.person.Town = compat.VisitedTown(r.city, r.state, *r.lat, *r.lon)
	case r.lat != nil && r.lon != nil:
		r.person.Town = compat.KnownTown(r.city, r.state, *r.lat, *r.lon)
	default:
		r.person.Town = compat.NewTown(r.city, r.state)
	}
	return r.person
}

// selectViewer reads in one query the member who searches, the members to exclude (liked,
// passed, matched or blocked), and the incognito members who like them. A like or pass
// thus takes effect at the next search, without a refresh of the index.
func selectViewer(ctx context.Context, db pg.DB, id uuid.UUID) (viewer, error) {
	me := viewer{id: id}
	var r personReader
	err := db.QueryRow(ctx, `
		SELECT
			u.gender,
			u.interested_in,
			now(),
			to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')::int,
			ARRAY(
				SELECT d.peer_id FROM decided_pairs d WHERE d.member_id = u.id
				UNION ALL
				SELECT b.peer_id FROM blocked_pairs b WHERE b.member_id = u.id
			),
			ARRAY(
				SELECT l.member_id
				FROM likes l
				JOIN profiles i ON i.id = l.member_id AND i.incognito
				WHERE l.peer_id = u.id
			),
			`+personColumns+`
		FROM search_members u
		WHERE u.id = $1`, id).
		Scan(append([]any{&me.gender, &me.interestedIn, &me.now, &me.today, &me.excluded, &me.admitted}, r.target()...)...)
	me.person, me.city, me.state = r.read(), r.city, r.state
	return me, pg.Fault(err)
}

// selectLikedAttributes returns the attributes that at least a third of the last members
// whom the viewer liked have.
func selectLikedAttributes(ctx context.Context, db pg.DB, viewer uuid.UUID) (liked index.Attributes, err error) {
	rows, _ := db.Query(ctx, `SELECT `+wordColumns+`
		FROM likes l JOIN profiles u ON u.id = l.peer_id
		WHERE l.member_id = $1 ORDER BY l.created_at DESC LIMIT 100`, viewer)
	chosen, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (index.Attributes, error) {
		var words members.Words
		err := row.Scan(wordTargets(&words)...)
		return attributes(words), err
	})
	if err != nil {
		return liked, pg.Fault(err)
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

// wordColumns are the columns of members.Words, in the order of wordTargets.
var wordColumns = func() string {
	columns := make([]string, len(members.WordLists))
	for i, list := range members.WordLists {
		columns[i] = "u." + list.Column
	}
	return strings.Join(columns, ", ")
}()

func wordTargets(words *members.Words) (targets []any) {
	for _, list := range words.Lists() {
		targets = append(targets, list)
	}
	return targets
}

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

func attributes(words members.Words) (a index.Attributes) {
	for list, chosen := range words.Lists() {
		addWords(&a, list, *chosen)
	}
	return a
}

// shown is a member whom the viewer may see.
type shown struct {
	compat.Person
	activeToday, isNew bool
}

// selectShown reads the members of ids whom viewer may see, including viewer.
func selectShown(ctx context.Context, db pg.DB, viewer uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]shown, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			u.id,
			u.was_active_today AND NOT EXISTS (SELECT FROM profiles v WHERE v.id = @viewer AND v.hide_online),
			u.created_at >= date_trunc('hour', now(), 'UTC') - interval '7 days', -- reveals only the hour of joining
			`+personColumns+`
		FROM search_members u
		WHERE u.id = ANY(@ids)
			AND EXISTS (SELECT FROM visible_members(@viewer) v WHERE v.id = u.id)`,
		pgx.NamedArgs{"ids": ids, "viewer": viewer})
	all := make(map[uuid.UUID]shown, len(ids))
	var id uuid.UUID
	var m shown
	var r personReader
	_, err := pgx.ForEachRow(rows, append([]any{&id, &m.activeToday, &m.isNew}, r.target()...), func() error {
		m.Person = r.read()
		all[id] = m
		r = personReader{}
		return nil
	})
	return all, pg.Fault(err)
}

// entrySQL reads index.Members. is_searched is false for a member who must not be in the
// index.
var entrySQL = `
	SELECT
		u.is_searched,
		u.id,
		to_char(u.birth_date, 'YYYYMMDD')::int,
		u.seen_city,
		u.seen_state,
		u.seen_lat,
		u.seen_lon,
		u.intention_tags,
		u.has_children,
		u.wants_children,
		u.education,
		u.counted_religion,
		u.gender,
		u.interested_in,
		coalesce(u.height_cm, 0),
		u.is_featured,
		u.is_verified,
		u.hide_online,
		u.incognito,
		floor(extract(epoch FROM u.last_active_at) / 3600)::int,
		(extract(epoch FROM u.created_at) * 1000000)::bigint,
		u.completeness,
		u.has_voice,
		u.has_video,
		u.presents,
		` + wordColumns + `
	FROM search_members u
	`

// readActivities applies changed hours of the last activity. They are in a narrow table,
// so that an activity does not cause a read of the profile.
func readActivities(ctx context.Context, db pg.DB, in *index.Index, args pgx.NamedArgs) error {
	rows, _ := db.Query(ctx, `
		SELECT user_id, floor(extract(epoch FROM active_hour) / 3600)::int
		FROM search_active_hours
		WHERE `+changed, args)
	pending := make([]index.Activity, 0, batch)
	var a index.Activity
	_, err := pgx.ForEachRow(rows, []any{&a.ID, &a.Hour}, func() error {
		if pending = append(pending, a); len(pending) == batch {
			in.SetActivities(pending...)
			pending = pending[:0]
		}
		return nil
	})
	in.SetActivities(pending...)
	return pg.Fault(err)
}

// eachEntry calls visit for each row of entrySQL with rest appended.
func eachEntry(ctx context.Context, db pg.DB, rest string, args pgx.NamedArgs, visit func(searched bool, m index.Member)) error {
	rows, _ := db.Query(ctx, entrySQL+rest, args)
	var searched bool
	var m index.Member
	var words members.Words
	_, err := pgx.ForEachRow(rows, append([]any{&searched, &m.ID, &m.Birth, &m.City, &m.State, &m.Lat, &m.Lon, &m.IntentionTags,
		&m.HasChildren, &m.WantsChildren, &m.Education, &m.Religion, &m.Gender, &m.InterestedIn, &m.Height, &m.Featured, &m.Verified,
		&m.HidesActivity, &m.Incognito, &m.ActiveHour, &m.Created, &m.Completeness, &m.HasVoice, &m.HasVideo, &m.Presents},
		wordTargets(&words)...), func() error {
		m.Attributes = attributes(words)
		visit(searched, m)
		m, words = index.Member{}, members.Words{} // so that the next row does not share slices
		return nil
	})
	return pg.Fault(err)
}
