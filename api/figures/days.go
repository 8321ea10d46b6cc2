package figures

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/messaging/messages"
	"heartward/api/moderation"
	"heartward/api/platform/pg"
)

// counts lists the figures of a Day that are counts: the name in daily_figures, the field, and the
// function that counts what happened from a time until before another.
var counts = []struct {
	name  string
	field func(d *Day) **int
	count func(ctx context.Context, db pg.DB, from, until time.Time) (int, error)
}{
	{"sign_ups", func(d *Day) **int { return &d.SignUps }, members.CountSignUps},
	{"active_members", func(d *Day) **int { return &d.ActiveMembers }, members.CountActive},
	{"matches", func(d *Day) **int { return &d.Matches }, matching.CountMatches},
	{"messages", func(d *Day) **int { return &d.Messages }, messages.CountSent},
	{"reports", func(d *Day) **int { return &d.Reports }, moderation.CountReports},
}

// The names of the other figures in daily_figures.
const (
	actionMedian = "action_median_seconds"
	actionP95    = "action_p95_seconds"
)

// set sets the figure with a name to a value of daily_figures. Unknown names are ignored.
func (d *Day) set(name string, value *float64) {
	switch name {
	case actionMedian:
		d.ActionMedianSeconds = value
	case actionP95:
		d.ActionP95Seconds = value
	}
	for _, c := range counts {
		if c.name == name && value != nil {
			*c.field(d) = new(int(*value))
		}
	}
}

// values returns the figures as values of daily_figures, by name.
func (d *Day) values() map[string]*float64 {
	values := map[string]*float64{actionMedian: d.ActionMedianSeconds, actionP95: d.ActionP95Seconds}
	for _, c := range counts {
		if n := *c.field(d); n != nil {
			values[c.name] = new(float64(*n))
		}
	}
	return values
}

// countDay counts the figures of a day.
func countDay(ctx context.Context, db pg.DB, day time.Time) (Day, error) {
	next := day.AddDate(0, 0, 1)
	d := Day{Day: day.Format(time.DateOnly)}
	for _, c := range counts {
		n, err := c.count(ctx, db, day, next)
		if err != nil {
			return Day{}, err
		}
		*c.field(&d) = &n
	}
	action, err := moderation.MeasureActionTime(ctx, db, day, next)
	d.ActionMedianSeconds, d.ActionP95Seconds = action.Median, action.P95
	return d, err
}

// readDays returns the days from one to another, which is today, oldest first. Today and yesterday, which is stored an hour
// after its end, are counted unless they are stored. An earlier day that is not stored has no figures.
func readDays(ctx context.Context, db pg.DB, from, to time.Time) ([]Day, error) {
	stored, err := selectDays(ctx, db, from)
	if err != nil {
		return nil, err
	}
	var days []Day
	for day := from; !day.After(to); day = day.AddDate(0, 0, 1) {
		name := day.Format(time.DateOnly)
		d, isStored := stored[name]
		switch {
		case isStored:
		case day.AddDate(0, 0, 1).Before(to):
			d = &Day{Day: name}
		default:
			counted, err := countDay(ctx, db, day)
			if err != nil {
				return nil, err
			}
			d = &counted
		}
		days = append(days, *d)
	}
	return days, nil
}

// storeDays stores the days that ended and are not stored, at most the last maxDays and none before the first sign-up. Then
// it deletes the records of the days on which each member was active, which are read for these figures only.
func storeDays(ctx context.Context, pool *pgxpool.Pool, now time.Time) error {
	first, err := members.FirstSignUp(ctx, pool)
	if err != nil || first.IsZero() {
		return err
	}
	end := dayOf(now.Add(-settleTime)) // the first day that cannot be stored yet
	from := end.AddDate(0, 0, -maxDays)
	if day := dayOf(first); day.After(from) {
		from = day
	}
	stored, err := selectDays(ctx, pool, from)
	if err != nil {
		return err
	}
	for day := from; day.Before(end); day = day.AddDate(0, 0, 1) {
		if stored[day.Format(time.DateOnly)] != nil {
			continue
		}
		if err := storeDay(ctx, pool, day); err != nil {
			return err
		}
	}
	const batch = 1000
	for {
		deleted, err := members.DeleteActiveDays(ctx, pool, end, batch)
		if err != nil || deleted < batch {
			return err
		}
	}
}

func storeDay(ctx context.Context, pool *pgxpool.Pool, day time.Time) error {
	return pg.TxDo(ctx, pool, func(tx pgx.Tx) error {
		counted, err := countDay(ctx, tx, day)
		if err != nil {
			return err
		}
		if err := insertDay(ctx, tx, day, counted.values()); err != nil {
			return err
		}
		return insertOutcomes(ctx, tx, day)
	})
}
