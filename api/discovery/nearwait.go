package discovery

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/platform/fault"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// MoreNear is the number of additional members near a town at which a waiting member is notified.
const MoreNear = 20

// NearMe is the band of a member's own town, with the member's wait for more people.
type NearMe struct {
	Near
	Waiting bool `json:"waiting" doc:"Whether the caller is told, once, when there are 20 more people"`
	ByMail  bool `json:"byMail" doc:"Whether the notice is mailed too"`
}

// NearMe returns the band of the member's own town, and whether they wait for more people. Errors: Invalid with the field
// city for a member without a town that we know.
func (s *Service) NearMe(ctx context.Context, member uuid.UUID) (NearMe, error) {
	home, err := knownTown(ctx, s.pool, member)
	if err != nil {
		return NearMe{}, err
	}
	near, err := s.near(ctx, home.label(), *home.Lat, *home.Lon)
	if err != nil {
		return NearMe{}, err
	}
	result := NearMe{Near: near}
	err = s.pool.QueryRow(ctx, `
		SELECT by_mail
		FROM near_waits
		WHERE user_id = $1
			AND told_at IS NULL`, member).Scan(&result.ByMail)
	if errors.Is(err, pgx.ErrNoRows) {
		return result, nil
	}
	result.Waiting = err == nil
	return result, pg.Fault(err)
}

// knownTown returns the member's town, or Invalid with the field city if its position is not known.
func knownTown(ctx context.Context, db pg.DB, member uuid.UUID) (town, error) {
	home, err := selectTown(ctx, db, member)
	if err == nil && (home.Lat == nil || home.Lon == nil) {
		return home, fault.InvalidField("city", "Please choose your town in your profile first. We can only count around a town that we know.")
	}
	return home, err
}

// WaitForMore stores that the member wants one notice when 20 more people are near their town, by push and, with byMail,
// by mail. A repeated call changes byMail only; after the notice a new wait begins. Errors are those of NearMe.
func (s *Service) WaitForMore(ctx context.Context, member uuid.UUID, byMail bool) (NearMe, error) {
	home, err := knownTown(ctx, s.pool, member)
	if err != nil {
		return NearMe{}, err
	}
	snapshot, err := s.snapshots.ofDay(ctx, s.pool, time.Now())
	if err != nil {
		return NearMe{}, err
	}
	_, err = s.pool.Exec(ctx, `
		INSERT INTO near_waits AS w (user_id, town_lat, town_lon, baseline, by_mail, checked_on)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (user_id) DO UPDATE SET
			by_mail = excluded.by_mail,
			town_lat = CASE WHEN w.told_at IS NULL THEN w.town_lat ELSE excluded.town_lat END,
			town_lon = CASE WHEN w.told_at IS NULL THEN w.town_lon ELSE excluded.town_lon END,
			baseline = CASE WHEN w.told_at IS NULL THEN w.baseline ELSE excluded.baseline END,
			checked_on = CASE WHEN w.told_at IS NULL THEN w.checked_on ELSE excluded.checked_on END,
			asked_at = CASE WHEN w.told_at IS NULL THEN w.asked_at ELSE now() END,
			told_at = NULL`,
		member, *home.Lat, *home.Lon, snapshot.count(*home.Lat, *home.Lon), byMail, snapshot.Day)
	if err != nil {
		return NearMe{}, pg.Fault(err)
	}
	return s.NearMe(ctx, member)
}

// StopWaiting deletes the member's wait. A repeated call succeeds.
func (s *Service) StopWaiting(ctx context.Context, member uuid.UUID) error {
	_, err := s.pool.Exec(ctx, `DELETE FROM near_waits WHERE user_id = $1`, member)
	return pg.Fault(err)
}

// waitBatch is the number of waits in one transaction.
const waitBatch = 500

// CheckWaits compares the waits with the snapshot of the UTC day of now, and enqueues the notices of those that are due. A wait
// is compared once a day, so a call after an interrupted one continues it.
func CheckWaits(ctx context.Context, pool *pgxpool.Pool, jobs jobqueue.Inserter, now time.Time) error {
	today, err := readSnapshot(ctx, pool, now)
	if err != nil {
		return err
	}
	for {
		checked, err := pg.Tx(ctx, pool, func(tx pgx.Tx) (int, error) { return checkBatch(ctx, tx, jobs, today) })
		if err != nil || checked < waitBatch {
			return err
		}
	}
}

// openWait is a wait that was not compared with the day's snapshot yet.
type openWait struct {
	Member   uuid.UUID
	Lat, Lon float64 // of the town of the wait, in degrees
	HomeLat  float64 // of the member's town
	HomeLon  float64
	Baseline int
	ByMail   bool
	IsActive bool
}

const openWaitsSQL = `
	SELECT
		w.user_id AS member,
		w.town_lat AS lat,
		w.town_lon AS lon,
		coalesce(u.town_lat, w.town_lat) AS home_lat,
		coalesce(u.town_lon, w.town_lon) AS home_lon,
		w.baseline,
		w.by_mail,
		u.profile_status = 'active' AS is_active
	FROM near_waits w
	JOIN profiles u ON u.id = w.user_id
	WHERE w.told_at IS NULL
		AND w.checked_on < $1
	ORDER BY w.checked_on
	LIMIT $2
	FOR UPDATE OF w SKIP LOCKED`

// checkBatch returns the number of waits that it compared. A wait of a member who has moved begins again in the new town.
func checkBatch(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, today snapshot) (int, error) {
	rows, err := tx.Query(ctx, openWaitsSQL, today.Day, waitBatch)
	if err != nil {
		return 0, err
	}
	open, err := pgx.CollectRows(rows, pgx.RowToStructByName[openWait])
	if err != nil || len(open) == 0 {
		return 0, err
	}
	changed := make([]waitChange, len(open))
	var notices []river.InsertManyParams
	for i, w := range open {
		changed[i] = w.compare(today)
		if !changed[i].isDue {
			continue
		}
		notices = append(notices, river.InsertManyParams{Args: NearNotifyArgs{MemberID: w.Member, Day: today.Day.Format(time.DateOnly)}})
		if w.ByMail {
			notices = append(notices, river.InsertManyParams{Args: NearMailArgs{MemberID: w.Member, Day: today.Day.Format(time.DateOnly)}})
		}
	}
	if err := storeWaits(ctx, tx, changed, today.Day); err != nil {
		return 0, err
	}
	if len(notices) > 0 {
		if _, err := jobs.InsertManyTx(ctx, tx, notices); err != nil {
			return 0, err
		}
	}
	return len(open), nil
}

// waitChange is a wait after its comparison with the snapshot of a day.
type waitChange struct {
	openWait
	isDue bool // the member is notified
}

// compare returns the wait with the town of the member, who may have moved: the growth is then counted from today.
func (w openWait) compare(today snapshot) waitChange {
	count := today.count(w.HomeLat, w.HomeLon)
	if w.HomeLat != w.Lat || w.HomeLon != w.Lon {
		w.Lat, w.Lon, w.Baseline = w.HomeLat, w.HomeLon, count
	}
	return waitChange{w, w.IsActive && count >= w.Baseline+MoreNear}
}

func storeWaits(ctx context.Context, tx pgx.Tx, changes []waitChange, day time.Time) error {
	ids, told := make([]uuid.UUID, len(changes)), make([]bool, len(changes))
	lats, lons, baselines := make([]float64, len(changes)), make([]float64, len(changes)), make([]int, len(changes))
	for i, c := range changes {
		ids[i], told[i], lats[i], lons[i], baselines[i] = c.Member, c.isDue, c.Lat, c.Lon, c.Baseline
	}
	_, err := tx.Exec(ctx, `
		UPDATE near_waits w
		SET
			checked_on = $6,
			told_at = CASE WHEN c.told THEN now() END,
			town_lat = c.lat,
			town_lon = c.lon,
			baseline = c.baseline
		FROM unnest($1::uuid[], $2::boolean[], $3::double precision[], $4::double precision[], $5::integer[])
			AS c (user_id, told, lat, lon, baseline)
		WHERE w.user_id = c.user_id`, ids, told, lats, lons, baselines, day)
	return err
}
