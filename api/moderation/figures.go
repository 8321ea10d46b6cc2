package moderation

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
)

// CountReports returns how many reports arrived from a time until before another, those of
// the external moderation included.
func CountReports(ctx context.Context, db pg.DB, from, until time.Time) (n int, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*)
		FROM reports
		WHERE created_at >= $1
			AND created_at < $2
			AND source <> 'issue'`, from, until).Scan(&n)
	return n, pg.Fault(err)
}

// ActionTime is how long reports waited for their decision.
type ActionTime struct {
	Decided     int      // the number of reports
	Median, P95 *float64 // in seconds; nil if none was decided
}

// MeasureActionTime returns the time from the arrival to the decision of the reports that were
// decided from a time until before another.
func MeasureActionTime(ctx context.Context, db pg.DB, from, until time.Time) (t ActionTime, err error) {
	err = db.QueryRow(ctx, `
		WITH decided AS (
			SELECT greatest(0, extract(epoch FROM reviewed_at - created_at)) AS seconds
			FROM reports
			WHERE status IN ('reviewed', 'resolved')
				AND source <> 'issue'
				AND status <> 'pending' -- the condition of the index reports_decided
				AND reviewed_at >= $1
				AND reviewed_at < $2
		)
		SELECT
			count(*),
			percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds),
			percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds)
		FROM decided`, from, until).Scan(&t.Decided, &t.Median, &t.P95)
	return t, pg.Fault(err)
}

// OutcomeCount is how many reports with a reason had an outcome, which is an action of a Decision.
type OutcomeCount struct {
	Reason  Reason
	Outcome string
	Reports int
}

// CountOutcomes returns how the reports of members were decided from a time until before another, by reason and outcome, sorted.
func CountOutcomes(ctx context.Context, db pg.DB, from, until time.Time) ([]OutcomeCount, error) {
	rows, _ := db.Query(ctx, `
		SELECT reason, action_taken, count(*)::int
		FROM reports
		WHERE status IN ('reviewed', 'resolved')
			AND source = 'member'
			AND action_taken IS NOT NULL
			AND status <> 'pending' -- the condition of the index reports_decided
			AND reviewed_at >= $1
			AND reviewed_at < $2
		GROUP BY reason, action_taken
		ORDER BY reason, action_taken`, from, until)
	counts, err := pgx.CollectRows(rows, pgx.RowToStructByPos[OutcomeCount])
	return counts, pg.Fault(err)
}
