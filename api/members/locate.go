package members

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
)

// LocateTownsArgs are the arguments of the job that runs LocateTowns. It runs when a worker starts, which may have a
// newer list of towns, and each day.
type LocateTownsArgs struct{}

// Kind returns the name of the job.
func (LocateTownsArgs) Kind() string { return "locate_towns" }

// InsertOpts make the job unique.
func (LocateTownsArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 3, UniqueOpts: river.UniqueOpts{ByPeriod: time.Hour}}
}

const locateBatch = 500

// LocateTowns sets the positions of members' towns that were not known when they were saved.
func LocateTowns(ctx context.Context, pool *pgxpool.Pool) error {
	type unlocated struct {
		ID    uuid.UUID
		City  string
		State string
	}
	after := uuid.Nil
	for {
		rows, _ := pool.Query(ctx, `
			SELECT
				id,
				city,
				state
			FROM users
			WHERE town_lat IS NULL
				AND city <> ''
				AND id > $1
			ORDER BY id
			LIMIT $2`, after, locateBatch)
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[unlocated])
		if err != nil || len(found) == 0 {
			return err
		}
		for _, u := range found {
			lat, lon := centre(u.City, u.State)
			if lat == nil {
				continue
			}
			// Not if the member has moved meanwhile.
			_, err := pool.Exec(ctx, `
				UPDATE users
				SET town_lat = $2,
					town_lon = $3
				WHERE id = $1
					AND city = $4
					AND state = $5
					AND town_lat IS NULL`, u.ID, *lat, *lon, u.City, u.State)
			if err != nil {
				return err
			}
		}
		after = found[len(found)-1].ID
	}
}
