package figures

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// selectDays returns the stored days from a day on, by their name.
func selectDays(ctx context.Context, db pg.DB, from time.Time) (map[string]*Day, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			to_char(day, 'YYYY-MM-DD'),
			figure,
			value
		FROM daily_figures
		WHERE day >= $1::date`, from)
	days := map[string]*Day{}
	var day, name string
	var value *float64
	_, err := pgx.ForEachRow(rows, []any{&day, &name, &value}, func() error {
		if days[day] == nil {
			days[day] = &Day{Day: day}
		}
		days[day].set(name, value)
		value = nil // set keeps the pointer
		return nil
	})
	return days, pg.Fault(err)
}

// insertDay stores the figures of a day, unless they are stored.
func insertDay(ctx context.Context, db pg.DB, day time.Time, values map[string]*float64) error {
	names, all := make([]string, 0, len(values)), make([]*float64, 0, len(values))
	for name, value := range values {
		names, all = append(names, name), append(all, value)
	}
	// Sorted, so that two jobs cannot deadlock.
	_, err := db.Exec(ctx, `
		INSERT INTO daily_figures (day, figure, value)
		SELECT $1::date, f.name, f.value
		FROM unnest($2::text[], $3::float8[]) AS f (name, value)
		ORDER BY f.name
		ON CONFLICT DO NOTHING`, day, names, all)
	return pg.Fault(err)
}

// addShowings deletes up to limit rows about who was shown on earlier days, adds them to
// weekly_showings and returns their number. Members who were deleted, and weeks that are
// final, are left out.
func addShowings(ctx context.Context, db pg.DB, rule string, limit int) (removed int, err error) {
	// The lock prevents a concurrent delete of the member, which would violate the foreign key.
	err = db.QueryRow(ctx, `
		WITH removed AS MATERIALIZED (
			SELECT day, item_id
			FROM remove_past_items($1, $2)
		), shown AS (
			SELECT
				item_id AS member_id,
				date_trunc('week', day::timestamp)::date AS week,
				count(*) AS times
			FROM removed
			GROUP BY 1, 2
		), present AS MATERIALIZED (
			SELECT p.id
			FROM profiles p
			WHERE p.id IN (SELECT member_id FROM shown)
			ORDER BY p.id
			FOR KEY SHARE
		), added AS (
			INSERT INTO weekly_showings AS w (member_id, week, times)
			SELECT s.member_id, s.week, s.times
			FROM shown s
			JOIN present ON present.id = s.member_id
			WHERE NOT EXISTS (SELECT FROM weekly_exposure e WHERE e.week = s.week AND e.is_final)
			ORDER BY s.member_id, s.week
			ON CONFLICT (member_id, week) DO UPDATE SET times = w.times + excluded.times
		)
		SELECT count(*) FROM removed`, rule, limit).Scan(&removed)
	return removed, pg.Fault(err)
}

// selectOpenWeeks returns the weeks before one that have counts and are not final.
func selectOpenWeeks(ctx context.Context, db pg.DB, rule string, before time.Time) ([]time.Time, error) {
	rows, _ := db.Query(ctx, `
		SELECT week
		FROM (
			SELECT week FROM weekly_showings WHERE week < $2::date
			UNION
			SELECT date_trunc('week', day::timestamp)::date FROM limited_items WHERE day < $2::date AND rule = $1
			UNION
			SELECT week FROM weekly_exposure WHERE NOT is_final AND week < $2::date
		) open
		WHERE NOT EXISTS (SELECT FROM weekly_exposure e WHERE e.week = open.week AND e.is_final)
		ORDER BY week`, rule, before)
	weeks, err := pgx.CollectRows(rows, pgx.RowTo[time.Time])
	return weeks, pg.Fault(err)
}

// hasUncounted reports whether addShowings has not yet deleted all rows of a week.
func hasUncounted(ctx context.Context, db pg.DB, rule string, week time.Time) (has bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM limited_items
			WHERE day >= $2::date
				AND day < $2::date + 7
				AND rule = $1
		)`, rule, week).Scan(&has)
	return has, pg.Fault(err)
}

// selectDistribution returns, for each number of times, how many of the members who are shown
// to everyone were shown that often in a week, least often first.
func selectDistribution(ctx context.Context, db pg.DB, rule string, week time.Time) ([]group, error) {
	rows, _ := db.Query(ctx, `
		WITH shown AS (
			SELECT member_id, sum(times)::bigint AS times
			FROM (
				SELECT member_id, times
				FROM weekly_showings
				WHERE week = $2::date
				UNION ALL
				SELECT item_id, count(*)
				FROM limited_items
				WHERE day >= $2::date
					AND day < $2::date + 7
					AND rule = $1
				GROUP BY item_id
			) counts
			GROUP BY member_id
		)
		SELECT coalesce(s.times, 0) AS times, count(*)
		FROM profiles u
		LEFT JOIN shown s ON s.member_id = u.id
		WHERE u.is_shown
		GROUP BY 1
		ORDER BY 1`, rule, week)
	groups, err := pgx.CollectRows(rows, pgx.RowToStructByPos[group])
	return groups, pg.Fault(err)
}

// upsertWeek stores the exposure of a week, unless the stored one is final.
func upsertWeek(ctx context.Context, db pg.DB, week time.Time, e Exposure) error {
	_, err := db.Exec(ctx, `
		INSERT INTO weekly_exposure AS w (week, members, never_shown, gini, is_final, computed_at)
		VALUES ($1::date, $2, $3, $4, $5, $6)
		ON CONFLICT (week) DO UPDATE SET
			members = excluded.members,
			never_shown = excluded.never_shown,
			gini = excluded.gini,
			is_final = excluded.is_final,
			computed_at = excluded.computed_at
		WHERE NOT w.is_final`, week, e.Members, e.NeverShown, e.Gini, e.IsFinal, e.CountedAt)
	return pg.Fault(err)
}

// deleteShowings deletes up to limit counts of weeks that are final, and returns their number.
func deleteShowings(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		DELETE FROM weekly_showings
		WHERE ctid = ANY (ARRAY(
			SELECT s.ctid
			FROM weekly_showings s
			WHERE s.week IN (SELECT week FROM weekly_exposure WHERE is_final)
			LIMIT $1
			FOR UPDATE OF s SKIP LOCKED))`, limit)
	return int(tag.RowsAffected()), pg.Fault(err)
}

// selectWeeks returns the exposure of the weeks from one on.
func selectWeeks(ctx context.Context, db pg.DB, from time.Time) ([]Exposure, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			to_char(week, 'YYYY-MM-DD'),
			members,
			never_shown,
			gini,
			is_final,
			computed_at
		FROM weekly_exposure
		WHERE week >= $1::date
		ORDER BY week`, from)
	weeks, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Exposure])
	for i := range weeks {
		weeks[i].CountedAt = web.Time(weeks[i].CountedAt)
	}
	return weeks, pg.Fault(err)
}
