package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/feature"
	"heartward/api/platform/gazetteer"
	"heartward/api/platform/pg"
)

// Visit is a week in which a member looks in another town.
type Visit struct {
	City  string    `json:"city"`
	State string    `json:"state" doc:"As in the list of places: a state or province, or the country"`
	Until time.Time `json:"until" doc:"When the visit ends by itself, on a full hour"`
}

// StartVisit begins a visit of seven days to a town, rounded up to a full hour. It replaces
// a visit to another town; a visit to the same town keeps its end. Others then see the visit
// on the member's profile, and searches use the visited town instead of the own one.
//
// Errors: Invalid with the field city for a town that is not in the gazetteer or in which
// the member lives; RateLimited for a sixth visit within seven days; NotFound for an
// unknown member.
func (s *Service) StartVisit(ctx context.Context, id uuid.UUID, city, state string) (Me, error) {
	place, known := gazetteer.Find(city, state)
	if !known {
		return Me{}, fault.InvalidField("city", "We don't know this town. Please choose one from the list.")
	}
	changed, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (changed bool, err error) {
		if err := Lock(ctx, tx, id); err != nil {
			return false, err
		}
		current, err := selectTowns(ctx, tx, id)
		if err != nil {
			return false, err
		}
		if sameTown(current.city, current.state, place.City, place.State) {
			return false, fault.InvalidField("city", "You live there. Please choose another town.")
		}
		if sameTown(current.visitCity, current.visitState, place.City, place.State) {
			return false, nil
		}
		if err := countTownChange(ctx, tx, id, visits); err != nil {
			return false, err
		}
		lat, lon := centre(place.City, place.State)
		_, err = tx.Exec(ctx, `
			UPDATE users
			SET visit_city = $2,
				visit_state = $3,
				visit_lat = $4,
				visit_lon = $5,
				visit_until = date_trunc('hour', now(), 'UTC') + interval '7 days 1 hour',
				updated_at = now()
			WHERE id = $1`, id, place.City, place.State, lat, lon)
		return true, err
	})
	if err != nil {
		return Me{}, err
	}
	if changed {
		s.notifyTownChange(id)
	}
	return s.Me(ctx, id)
}

// EndVisit ends the member's visit. It succeeds without one.
func (s *Service) EndVisit(ctx context.Context, id uuid.UUID) (Me, error) {
	ended, err := s.pool.Exec(ctx, `UPDATE users SET `+noVisit+`, updated_at = now() WHERE id = $1 AND visit_until IS NOT NULL`, id)
	if err != nil {
		return Me{}, pg.Fault(err)
	}
	if ended.RowsAffected() > 0 {
		s.notifyTownChange(id)
	}
	return s.Me(ctx, id)
}

// noVisit are the columns of users without a visit, for an UPDATE.
const noVisit = `visit_city = NULL, visit_state = NULL, visit_lat = NULL, visit_lon = NULL, visit_until = NULL`

var visitEnd = feature.At("visit_until", "at the end of the visit")

// DeleteEndedVisits deletes the towns of at most limit visits that have ended, and returns
// their number.
func DeleteEndedVisits(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE users
		SET `+noVisit+`
		WHERE id = ANY (ARRAY(
			SELECT id
			FROM users
			WHERE `+visitEnd.Due()+`
			LIMIT $1
			FOR NO KEY UPDATE SKIP LOCKED))`, limit)
	return int(tag.RowsAffected()), pg.Fault(err)
}
