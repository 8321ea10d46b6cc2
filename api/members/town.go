package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/gazetteer"
)

// towns are the member's town and the visited one; the latter is empty without a visit.
type towns struct{ city, state, visitCity, visitState string }

func selectTowns(ctx context.Context, tx pgx.Tx, id uuid.UUID) (t towns, err error) {
	err = tx.QueryRow(ctx, `
		SELECT u.city,
			u.state,
			CASE WHEN u.visit_until > now() THEN u.visit_city ELSE '' END,
			CASE WHEN u.visit_until > now() THEN u.visit_state ELSE '' END
		FROM users u
		WHERE u.id = $1`, id).Scan(&t.city, &t.state, &t.visitCity, &t.visitState)
	return t, err
}

// changeTown counts a change of town and adds the new town's position to update. Another
// spelling of the same town does not count. A visit to the new town ends. The caller must
// hold the lock of the member's row, so that concurrent changes are counted one by one.
func changeTown(ctx context.Context, tx pgx.Tx, id uuid.UUID, update map[string]any) error {
	current, err := selectTowns(ctx, tx, id)
	if err != nil {
		return err
	}
	newCity, newState := current.city, current.state
	if v, sent := update["city"]; sent {
		newCity = v.(string)
	}
	if v, sent := update["state"]; sent {
		newState = v.(string)
	}
	if sameTown(current.city, current.state, newCity, newState) {
		return nil
	}
	if err := countTownChange(ctx, tx, id, moves); err != nil {
		return err
	}
	update["town_lat"], update["town_lon"] = centre(newCity, newState)
	if current.visitCity != "" && sameTown(current.visitCity, current.visitState, newCity, newState) {
		for _, column := range []string{"visit_city", "visit_state", "visit_lat", "visit_lon", "visit_until"} {
			update[column] = nil
		}
	}
	return nil
}

// townRule limits the changes of a member's own town (moves), or the visits.
type townRule struct {
	isVisit bool
	count   int
	per     time.Duration
	message string
}

var (
	moves = townRule{count: 4, per: 24 * time.Hour,
		message: "You have changed your town four times today. Please try again tomorrow."}
	visits = townRule{isVisit: true, count: 5, per: 7 * 24 * time.Hour,
		message: "You have looked in five towns within a week. Please try again in a few days."}
)

// countTownChange counts a change under rule, or returns RateLimited. The caller must hold
// the lock of the member's row.
func countTownChange(ctx context.Context, tx pgx.Tx, id uuid.UUID, rule townRule) error {
	var recent int
	var oldest *time.Time
	err := tx.QueryRow(ctx, `
		SELECT count(*),
			min(changed_at)
		FROM town_changes
		WHERE user_id = $1
			AND is_visit = $2
			AND changed_at > now() - $3::interval`, id, rule.isVisit, rule.per).Scan(&recent, &oldest)
	if err != nil {
		return err
	}
	if recent >= rule.count {
		return fault.Limited(rule.message, max(time.Second, time.Until(oldest.Add(rule.per))))
	}
	_, err = tx.Exec(ctx, `INSERT INTO town_changes (user_id, is_visit) VALUES ($1, $2)`, id, rule.isVisit)
	return err
}

// sameTown reports whether both are spellings of the same town.
func sameTown(city, state, otherCity, otherState string) bool {
	if city == "" || otherCity == "" {
		return city == otherCity && state == otherState
	}
	lat, lon, known := gazetteer.Lookup(city, state)
	otherLat, otherLon, otherKnown := gazetteer.Lookup(otherCity, otherState)
	return gazetteer.TownKey(city, state) == gazetteer.TownKey(otherCity, otherState) &&
		known == otherKnown && lat == otherLat && lon == otherLon
}

// centre returns the position of a town, or nil for a town that is not in the gazetteer.
func centre(city, state string) (lat, lon *float64) {
	if la, lo, ok := gazetteer.Lookup(city, state); ok {
		return &la, &lo
	}
	return nil, nil
}
