package discovery

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/discovery/compat"
	"heartward/api/members"
	"heartward/api/platform/pg"
)

// seeker is the member a search is made for.
type seeker struct {
	id           uuid.UUID
	gender       *string
	interestedIn []string
	person       compat.Person
}

// The columns of a compat.Person in the order of target.
const personColumns = members.Age + `, u.city, u.state, u.town_lat, u.town_lon, u.intention_tags,
	u.has_children, u.wants_children, u.education, u.religion`

// reader makes persons from rows. Thousands of members live in few towns, so
// each town is prepared once.
type reader struct {
	person      compat.Person
	city, state string
	lat, lon    *float64
	towns       map[[2]string]compat.Town
}

func (r *reader) target() []any {
	p := &r.person
	return []any{&p.Age, &r.city, &r.state, &r.lat, &r.lon, &p.IntentionTags, &p.HasChildren, &p.WantsChildren, &p.Education, &p.Religion}
}

// take returns the person of the row that was scanned into target last.
func (r *reader) take() compat.Person {
	key := [2]string{r.city, r.state}
	town, ok := r.towns[key]
	if !ok {
		if r.lat != nil && r.lon != nil {
			town = compat.KnownTown(r.city, r.state, *r.lat, *r.lon)
		} else {
			town = compat.NewTown(r.city, r.state)
		}
		if r.towns == nil {
			r.towns = map[[2]string]compat.Town{}
		}
		r.towns[key] = town
	}
	person := r.person
	person.Town = town
	r.person = compat.Person{} // the next row gets slices of its own
	return person
}

func selectSeeker(ctx context.Context, db pg.DB, id uuid.UUID) (seeker, error) {
	me := seeker{id: id}
	var r reader
	err := db.QueryRow(ctx, `SELECT u.gender, u.interested_in, `+personColumns+` FROM users u WHERE u.id = $1`, id).
		Scan(append([]any{&me.gender, &me.interestedIn}, r.target()...)...)
	me.person = r.take()
	return me, pg.Fault(err)
}

func selectVisible(ctx context.Context, db pg.DB, viewer, id uuid.UUID) (compat.Person, error) {
	var r reader
	err := db.QueryRow(ctx, `SELECT `+personColumns+` FROM users u WHERE u.id = @id AND `+members.Visible,
		pgx.NamedArgs{"id": id, "viewer": viewer}).Scan(r.target()...)
	return r.take(), pg.Fault(err)
}

// scan offers every member within ring that filter and the rules of Search
// leave; all but the exact distance is decided here. Demo members never come
// back by themselves, so they count as active however old the demo is.
func scan(ctx context.Context, db pg.DB, me seeker, filter Filter, in ring, offer func(uuid.UUID, bool, compat.Person)) error {
	sql, args := searchSQL(me, filter, in)
	rows, err := db.Query(ctx, sql, args)
	if err != nil {
		return pg.Fault(err)
	}
	defer rows.Close()
	var id uuid.UUID
	var featured bool
	var r reader
	targets := append([]any{&id, &featured}, r.target()...)
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return pg.Fault(err)
		}
		offer(id, featured, r.take())
	}
	return pg.Fault(rows.Err())
}

const searchBase = `SELECT u.id, u.is_featured, ` + personColumns + ` FROM users u
	WHERE ` + members.Shown + ` AND u.id <> @viewer
	AND (@gender::text IS NULL OR u.interested_in = '{}' OR @gender = ANY(u.interested_in))
	AND (@interestedIn::text[] = '{}' OR u.gender IS NULL OR u.gender = ANY(@interestedIn))
	AND NOT EXISTS (SELECT FROM user_likes l WHERE l.from_user_id = @viewer AND l.to_user_id = u.id)
	AND NOT EXISTS (SELECT FROM user_passes p WHERE p.from_user_id = @viewer AND p.to_user_id = u.id
		AND p.created_at > now() - interval '30 days')
	AND NOT EXISTS (SELECT FROM matches m WHERE m.user_a = @viewer AND m.user_b = u.id)
	AND NOT EXISTS (SELECT FROM matches m WHERE m.user_b = @viewer AND m.user_a = u.id)`

func searchSQL(me seeker, filter Filter, in ring) (string, pgx.NamedArgs) {
	sql := []string{searchBase}
	args := pgx.NamedArgs{"viewer": me.id, "gender": me.gender, "interestedIn": me.interestedIn}
	and := func(condition, name string, value any) {
		sql = append(sql, condition)
		args[name] = value
	}
	if filter.MinAge > 0 {
		and(`u.birth_date <= `+members.Today+` - make_interval(years => @minAge)`, "minAge", filter.MinAge)
	}
	if filter.MaxAge > 0 {
		and(`u.birth_date > `+members.Today+` - make_interval(years => @maxAge + 1)`, "maxAge", filter.MaxAge)
	}
	if filter.ActiveWithin > 0 {
		and(`(u.last_active_at > @activeSince OR u.is_demo)`, "activeSince", time.Now().Add(-filter.ActiveWithin))
	}
	if filter.Exclude != uuid.Nil {
		and(`u.id <> @exclude`, "exclude", filter.Exclude)
	}
	sql = append(sql, in.conditions(args)...)
	return strings.Join(sql, "\n\tAND "), args
}

func (in ring) conditions(args pgx.NamedArgs) (sql []string) {
	if in.outer != nil {
		condition := in.outer.contains("outer", args)
		if in.unknown {
			condition = `(` + condition + ` OR u.town_lat IS NULL)`
		}
		sql = append(sql, condition)
	}
	if in.inner != nil {
		sql = append(sql, `u.town_lat IS NOT NULL AND NOT `+in.inner.contains("inner", args))
	}
	return sql
}

func (b box) contains(name string, args pgx.NamedArgs) string {
	args[name+"South"], args[name+"North"], args[name+"West"], args[name+"East"] = b.south, b.north, b.west, b.east
	return `(u.town_lat BETWEEN @` + name + `South AND @` + name + `North AND u.town_lon BETWEEN @` + name + `West AND @` + name + `East)`
}
