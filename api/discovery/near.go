package discovery

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/limits"
	"heartward/api/platform/pg"
	"heartward/api/platform/text"
	"heartward/api/platform/web"
)

// NearRadius is the radius in miles within which members count as near a town. It is not compat.NearMiles, which concerns scores.
const NearRadius = 50

// Band says roughly how many members are near a town.
type Band string

// The bands. The lowest is of up to 9, so that no answer tells whether one person is there.
const (
	FewerThanTen Band = "fewer_than_10"
	AboutTwenty  Band = "about_20"
	AboutFifty   Band = "about_50"
	Hundreds     Band = "hundreds"
	Thousands    Band = "thousands"
)

// Bands returns all bands, the lowest first.
func Bands() []Band { return []Band{FewerThanTen, AboutTwenty, AboutFifty, Hundreds, Thousands} }

// BandOf returns the band of a number of members.
func BandOf(count int) Band {
	switch {
	case count < 10:
		return FewerThanTen
	case count < 30:
		return AboutTwenty
	case count < 100:
		return AboutFifty
	case count < 1000:
		return Hundreds
	}
	return Thousands
}

// Sentence says the band in words that are true for each number in it.
func (b Band) Sentence() string {
	switch b {
	case AboutTwenty:
		return "About 20 people are on Heartward within 50 miles."
	case AboutFifty:
		return "About 50 people are on Heartward within 50 miles."
	case Hundreds:
		return "Hundreds of people are on Heartward within 50 miles."
	case Thousands:
		return "Thousands of people are on Heartward within 50 miles."
	}
	return "Fewer than 10 people are on Heartward within 50 miles so far."
}

// Near is how many members are near a town.
type Near struct {
	Town string `json:"town" doc:"Such as Portland, Oregon"`
	Band Band   `json:"band" doc:"Roughly how many people are within 50 miles of the town's centre, counted once a day"`
	Text string `json:"text" doc:"The band in a sentence"`
}

// nearPerNetwork limits how many towns a network may ask about, so that nobody maps the bands of all towns.
var nearPerNetwork = limits.Rule{
	Name: "near", Count: 30, Per: time.Hour, Message: "You have looked at many towns. Please try again in a few minutes.",
}

// maxTownName is the maximum length of the name of a town or state.
const maxTownName = 100

// Near returns the band of a town for a visitor. Errors: Invalid with the field query.city for an unknown town, or with that of
// a text that cannot be one; RateLimited for more than 30 towns an hour of a network.
func (s *Service) Near(ctx context.Context, city, state string) (Near, error) {
	for _, part := range []struct {
		field string
		value *string
	}{{"query.city", &city}, {"query.state", &state}} {
		cleaned, err := text.Clean(part.field, *part.value, text.Rule{Max: maxTownName, Bad: "Please choose a town from the list."})
		if err != nil {
			return Near{}, err
		}
		*part.value = cleaned
	}
	place, known := gazetteer.Find(city, state)
	lat, lon, located := gazetteer.Lookup(city, state)
	if !known || !located {
		return Near{}, fault.InvalidField("query.city", "We don't know this town. Please choose one from the list.")
	}
	if err := limits.Allow(ctx, s.pool, nearPerNetwork.Scaled(s.scale), web.NetworkOf(ctx)); err != nil {
		return Near{}, err
	}
	return s.near(ctx, place.Label, lat, lon)
}

func (s *Service) near(ctx context.Context, town string, lat, lon float64) (Near, error) {
	snapshot, err := s.snapshots.ofDay(ctx, s.pool, time.Now())
	if err != nil {
		return Near{}, err
	}
	band := BandOf(snapshot.count(lat, lon))
	return Near{Town: town, Band: band, Text: band.Sentence()}, nil
}

// snapshot is the number of members in each town on a day.
type snapshot struct {
	Day     time.Time `db:"taken_on"` // midnight UTC
	Lats    []float64
	Lons    []float64
	Members []int32
}

// milesPerDegree of latitude; a little less than the real length, so that no town is left out.
const milesPerDegree = 68.5

// count returns the number of members within NearRadius of a place.
func (s snapshot) count(lat, lon float64) (count int) {
	for i, members := range s.Members {
		if max(s.Lats[i]-lat, lat-s.Lats[i])*milesPerDegree <= NearRadius && gazetteer.Miles(lat, lon, s.Lats[i], s.Lons[i]) <= NearRadius {
			count += int(members)
		}
	}
	return count
}

// snapshots caches the snapshot of the current day, of up to a megabyte.
type snapshots struct {
	mu     sync.Mutex
	cached snapshot
}

// ofDay returns the snapshot of the UTC day of now. Requests wait for each other, so that it is read once.
func (s *snapshots) ofDay(ctx context.Context, db pg.DB, now time.Time) (snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if day := dayOf(now); s.cached.Day.Equal(day) {
		return s.cached, nil
	}
	read, err := readSnapshot(ctx, db, now)
	if err == nil {
		s.cached = read
	}
	return read, err
}

func dayOf(now time.Time) time.Time {
	y, m, d := now.UTC().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// takeSnapshotSQL counts members in their own towns, not in those that they visit.
const takeSnapshotSQL = `
	INSERT INTO near_snapshots (taken_on, lats, lons, members)
	SELECT
		$1::date,
		coalesce(array_agg(t.town_lat), '{}'),
		coalesce(array_agg(t.town_lon), '{}'),
		coalesce(array_agg(t.members), '{}')
	FROM (
		SELECT
			u.town_lat,
			u.town_lon,
			count(*)::integer AS members
		FROM profiles u
		WHERE u.town_lat IS NOT NULL
			AND u.is_shown
		GROUP BY u.town_lat, u.town_lon
	) t
	ON CONFLICT (taken_on) DO NOTHING`

// readSnapshot returns the snapshot of the UTC day of now. If there is none yet, it takes one and stores it. When several calls
// take it at the same time, one of them stores its snapshot and all return that one.
func readSnapshot(ctx context.Context, db pg.DB, now time.Time) (snapshot, error) {
	day := dayOf(now)
	taken, err := selectSnapshot(ctx, db, day)
	if errors.Is(err, pgx.ErrNoRows) {
		if _, err := db.Exec(ctx, takeSnapshotSQL, day); err != nil {
			return snapshot{}, pg.Fault(err)
		}
		taken, err = selectSnapshot(ctx, db, day)
	}
	return taken, pg.Fault(err)
}

// selectSnapshot returns pgx.ErrNoRows before the snapshot of the day is taken.
func selectSnapshot(ctx context.Context, db pg.DB, day time.Time) (snapshot, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			taken_on,
			lats,
			lons,
			members
		FROM near_snapshots
		WHERE taken_on = $1`, day)
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[snapshot])
}

// town is a member's own town. Its position is nil if the gazetteer does not know it.
type town struct {
	City, State string
	Lat         *float64 `db:"town_lat"` // degrees
	Lon         *float64 `db:"town_lon"`
}

func (t town) label() string {
	if place, ok := gazetteer.Find(t.City, t.State); ok {
		return place.Label
	}
	return t.City
}

func selectTown(ctx context.Context, db pg.DB, member uuid.UUID) (town, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			city,
			state,
			town_lat,
			town_lon
		FROM profiles
		WHERE id = $1`, member)
	home, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[town])
	return home, pg.Fault(err)
}
