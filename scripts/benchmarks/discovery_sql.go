package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/discovery"
	"heartward/api/members"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/pg"
)

// sqlEngine runs a search as one SQL statement. The viewer's data and everything else
// that is the same for all rows is computed in advance, which makes it the fastest plain
// SQL for this table.
type sqlEngine struct {
	pool  *pgxpool.Pool
	index bool // use the index on position and age; otherwise scan all members
}

func openSQLPool(ctx context.Context, address string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 10
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.ConnConfig.RuntimeParams["jit"] = "off"                           // compilation costs more than it saves
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_custom_plan" // planned for this viewer
	return pgxpool.NewWithConfig(ctx, config)
}

// errNoGiST is returned when the extension for the best plain SQL is missing.
var errNoGiST = errors.New("this PostgreSQL has no btree_gist (it is part of contrib, such as the package postgresql-contrib)")

// createGiSTIndex creates the index on position and age for the engine withGiST.
func createGiSTIndex(ctx context.Context, address string) error {
	return withConn(ctx, address, func(db *pgx.Conn) error {
		var available bool
		err := db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'btree_gist')`).Scan(&available)
		if err == nil && !available {
			err = errNoGiST
		}
		if err != nil {
			return err
		}
		_, err = db.Exec(ctx, `CREATE EXTENSION IF NOT EXISTS btree_gist;
			SET maintenance_work_mem = '256MB';
			CREATE INDEX bench_near ON users USING gist (point(town_lon, town_lat), birth_date)
				WHERE profile_status = 'active' AND is_approved AND NOT is_graduated;
			ANALYZE users`)
		return err
	})
}

// viewerData is what sqlEngine needs to know about the viewer.
type viewerData struct {
	ID            uuid.UUID
	Age           int
	TownLat       float64
	TownLon       float64
	City          string
	State         string
	Gender        *string
	InterestedIn  []string
	IntentionTags []string
	HasChildren   *bool
	WantsChildren *bool
	Education     *string
	Religion      *string
}

func readViewers(ctx context.Context, pool *pgxpool.Pool, ids []uuid.UUID) ([]viewerData, error) {
	rows, _ := pool.Query(ctx, `
		SELECT
			u.id,
			age_of(u.birth_date) AS age,
			u.town_lat,
			u.town_lon,
			u.city,
			u.state,
			u.gender,
			u.interested_in,
			u.intention_tags,
			u.has_children,
			u.wants_children,
			u.education,
			u.religion
		FROM users u
		WHERE u.id = ANY($1)`, ids)
	return pgx.CollectRows(rows, pgx.RowToStructByName[viewerData])
}

// isSearched and presents are conditions on a member u of users.
const (
	isSearched = `is_searched(u.profile_status, u.is_approved, u.is_graduated, u.paused_at, u.paused_until)`
	presents   = `(
		EXISTS (SELECT FROM member_media g WHERE g.user_id = u.id AND g.slot = 'photo')
		AND (u.bio <> '' OR EXISTS (SELECT FROM member_prompts g WHERE g.user_id = u.id)))`
)

// scores returns the scores of the first page.
func (r sqlEngine) scores(ctx context.Context, me viewerData, f discovery.FilterSet) ([]int, error) {
	sql, args := r.statement(me, f)
	rows, _ := r.pool.Query(ctx, sql, args)
	scores, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (score int, err error) {
		var id uuid.UUID
		return score, row.Scan(&id, &score)
	})
	return scores, pg.Fault(err)
}

// statement returns the search as one statement. OFFSET 0 makes PostgreSQL compute
// distance and age once per row.
func (r sqlEngine) statement(me viewerData, f discovery.FilterSet) (string, pgx.NamedArgs) {
	args := pgx.NamedArgs{
		"viewer": me.ID, "lat": me.TownLat, "lon": me.TownLon, "city": me.City, "state": me.State, "gender": me.Gender,
		"interestedIn": me.InterestedIn, "minAge": f.AgeRange[0], "maxAge": f.AgeRange[1], "age": me.Age,
	}
	birthDate := `u.birth_date`
	if !r.index {
		birthDate += ` + 0` // prevents the use of an index
	}
	where := []string{isSearched, `u.id <> @viewer`,
		`(NOT u.incognito OR u.id IN (SELECT l.from_user_id FROM user_likes l WHERE l.to_user_id = @viewer))`,
		`(@gender::text IS NULL OR u.interested_in = '{}' OR @gender = ANY(u.interested_in))`,
		`(@interestedIn::text[] = '{}' OR u.gender IS NULL OR u.gender = ANY(@interestedIn))`,
		birthDate + ` <= ((now() AT TIME ZONE 'UTC')::date - make_interval(years => @minAge::int))::date`,
		birthDate + ` > ((now() AT TIME ZONE 'UTC')::date - make_interval(years => @maxAge::int + 1))::date`,
		// As one hashed set; separate joins take several times as long.
		`u.id NOT IN (SELECT l.to_user_id FROM user_likes l WHERE l.from_user_id = @viewer
			UNION ALL SELECT p.to_user_id FROM user_passes p WHERE p.from_user_id = @viewer AND p.created_at > now() - interval '30 days'
			UNION ALL SELECT m.user_b FROM matches m WHERE m.user_a = @viewer
			UNION ALL SELECT m.user_a FROM matches m WHERE m.user_b = @viewer
			UNION ALL SELECT b.blocked_id FROM blocks b WHERE b.blocker_id = @viewer
			UNION ALL SELECT b.blocker_id FROM blocks b WHERE b.blocked_id = @viewer)`,
	}
	if f.Location.MaxDistance != nil {
		miles := float64(*f.Location.MaxDistance)
		south, west, north, east := gazetteer.Box(me.TownLat, me.TownLon, miles)
		args["south"], args["west"], args["north"], args["east"], args["far"] = south, west, north, east, haversine(miles)
		where = append(where, haversineSQL+` <= @far`)
		if r.index {
			where = append(where, `point(u.town_lon, u.town_lat) <@ box(point(@west, @south), point(@east, @north))`)
		}
	}
	if days := map[string]int{"1d": 1, "3d": 3, "1w": 7, "1m": 30}[f.LastActiveWithin]; days > 0 {
		args["within"] = time.Duration(days) * 24 * time.Hour
		// By whole days in UTC. Members who hide their activity count as active for 30 days.
		where = append(where, `(date_trunc('hour', coalesce(a.last_active_at, u.created_at)) >= date_trunc('day', now(), 'UTC') - @within::interval
			OR u.hide_online AND date_trunc('hour', coalesce(a.last_active_at, u.created_at)) >= date_trunc('day', now(), 'UTC') - interval '30 days')`)
	}
	addWords := func(column string, words []string) {
		if len(words) > 0 {
			args[column] = words
			where = append(where, `u.`+column+` && @`+column+`::text[]`)
		}
	}
	addWords("intention_tags", f.IntentionTags)
	for i, words := range f.Lists() {
		addWords(members.WordLists[i].Column, *words)
	}
	if f.ProfileCompleteness > 0 {
		args["complete"] = f.ProfileCompleteness
		where = append(where, `(SELECT c.percent FROM member_completeness c WHERE c.user_id = u.id) >= @complete`)
	}
	args["minScore"] = f.Compatibility.MinCompatibilityScore
	newest := ""
	if f.Compatibility.PrioritizeNewUsers {
		newest = "created_at DESC, "
	}
	return `SELECT id, score FROM (
			SELECT id, presents, is_featured, created_at, (40 * ` + intentionsSQL(me.IntentionTags) + ` + 30 * ` + lifestyleSQL(me) + ` + 20 * ` + locationSQL + ` + 10 * ` + ageSQL + ` + 5000) / 10000 AS score
			FROM (SELECT u.*, ` + haversineSQL + ` AS h, ` + presents + ` AS presents, abs(age_of(u.birth_date) - @age) AS gap FROM users u LEFT JOIN member_activity a ON a.user_id = u.id WHERE ` + strings.Join(where, "\n AND ") + ` OFFSET 0) u
		) scored WHERE score >= @minScore
		ORDER BY presents DESC, score DESC, ` + newest + `is_featured DESC, hashtextextended(id::text, 7) LIMIT 50`, args
}

// haversineSQL is the haversine of the distance, which grows with it. The limits are converted to
// haversines too, so that no arc sine has to be computed for each row.
const haversineSQL = `(power(sin(radians(u.town_lat - @lat) / 2), 2)
	+ cos(radians(@lat)) * cos(radians(u.town_lat)) * power(sin(radians(u.town_lon - @lon) / 2), 2))`

// haversine returns the value of haversineSQL for a distance in miles.
func haversine(miles float64) float64 { return math.Pow(math.Sin(miles/3958.8/2), 2) }

var locationSQL = fmt.Sprintf(`CASE WHEN city = @city AND state = @state THEN 10000 WHEN h <= %v THEN 9000 WHEN h <= %v THEN 7000 WHEN h <= %v THEN 5000 ELSE 3000 END`,
	haversine(25), haversine(50), haversine(100))

const ageSQL = `CASE WHEN gap <= 2 THEN 10000 WHEN gap <= 5 THEN 9000 WHEN gap <= 8 THEN 8000 WHEN gap <= 12 THEN 7000 WHEN gap <= 15 THEN 6000 ELSE 4000 END`

// intentionsSQL returns the points for shared and related intention tags, 0 to 10,000. The benchmark's tags have one
// spelling, so that SQL can compare them.
func intentionsSQL(tags []string) string {
	if len(tags) == 0 {
		return `5000`
	}
	own, shared, pairs := map[string]bool{}, []string{}, []string{`0`}
	for _, tag := range tags {
		own[tag] = true
		shared = append(shared, fmt.Sprintf(`('%s' = ANY(intention_tags))::int`, tag))
	}
	for _, pair := range [][2]string{{"Long-term commitment", "Marriage"}, {"Personal growth", "Spiritual Connection"}, {"Adventure together", "Travel companion"}} {
		var either []string
		for i := range pair {
			if own[pair[i]] {
				either = append(either, fmt.Sprintf(`'%s' = ANY(intention_tags)`, pair[1-i]))
			}
		}
		if len(either) > 0 {
			pairs = append(pairs, `(`+strings.Join(either, ` OR `)+`)::int`)
		}
	}
	count, larger := `(`+strings.Join(shared, ` + `)+`)`, fmt.Sprintf(`greatest(cardinality(intention_tags), %d)`, len(tags))
	return `CASE WHEN cardinality(intention_tags) = 0 THEN 5000 ELSE least(10000, 1000 * (` + strings.Join(pairs, ` + `) + `)
		+ CASE WHEN ` + count + ` = 0 THEN 2000 ELSE (` + count + ` * 10000 + ` + larger + ` / 2) / ` + larger + ` END) END`
}

// lifestyleSQL returns the points for children, education and religion, 0 to 10,000.
func lifestyleSQL(me viewerData) string {
	parts := []string{`70`}
	for column, own := range map[string]*bool{"has_children": me.HasChildren, "wants_children": me.WantsChildren} {
		if own != nil {
			differs := map[string]int{"has_children": 10, "wants_children": 20}[column]
			parts = append(parts, fmt.Sprintf(`CASE WHEN %s IS NULL THEN 0 WHEN %s = %v THEN 15 ELSE -%d END`, column, column, *own, differs))
		}
	}
	if me.Education != nil {
		levels := `CASE education`
		for level, name := range members.Educations {
			levels += fmt.Sprintf(` WHEN '%s' THEN %d`, name, educationPoints(level-slices.Index(members.Educations, *me.Education)))
		}
		parts = append(parts, levels+` ELSE 0 END`)
	}
	if me.Religion != nil {
		faiths := `CASE religion`
		for _, name := range members.Religions {
			faiths += fmt.Sprintf(` WHEN '%s' THEN %d`, name, faithPoints(*me.Religion, name))
		}
		parts = append(parts, faiths+` ELSE 0 END`)
	}
	return `100 * greatest(0, least(100, ` + strings.Join(parts, ` + `) + `))`
}

// educationPoints returns the points for a number of levels between two educations.
func educationPoints(gap int) int {
	switch max(gap, -gap) {
	case 0, 1:
		return 10
	case 2:
		return 0
	}
	return -5
}

// faithPoints returns the points for two religions.
func faithPoints(a, b string) int {
	if a == b {
		return 20
	}
	for _, pair := range [][2]string{{"spiritual", "buddhist"}, {"agnostic", "atheist"}, {"christian", "spiritual"}} {
		if pair == [2]string{a, b} || pair == [2]string{b, a} {
			return 5
		}
	}
	return -10
}
