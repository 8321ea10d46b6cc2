// Package figures has the key figures for admins: counts of each day, and how evenly members
// are shown to others. Those of past days and weeks are stored by a job, so that later deletions
// change none; those of a day that is not stored yet are counted when they are requested.
package figures

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/platform/nilcheck"
)

// Service reads the figures for admins. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
}

// New returns a Service. It panics when a dependency is nil.
func New(pool *pgxpool.Pool) *Service {
	nilcheck.Must("figures.New", nilcheck.Deps{"pool": pool})
	return &Service{pool: pool}
}

// maxDays is the greatest number of days that admins can choose. The job stores missing days
// as far back.
const maxDays = 90

// settleTime is how long after its end a day or week is stored. Transactions that began before
// the end have ended by then, so that later ones change none of its figures.
const settleTime = time.Hour

// Figures are the figures of a range of days, and of the weeks in it.
type Figures struct {
	Days     []Day            `json:"days" doc:"Oldest first; the last is today so far"`
	Outcomes []ReasonOutcomes `json:"outcomes" doc:"Of the days together, by reason; those with most decisions first"`
	Weeks    []Exposure       `json:"weeks" doc:"Oldest first; the last is this week so far, counted once an hour"`
}

// Day are the figures of a UTC day. They are nil if the day was not counted, because no worker ran
// or the installation did not exist.
type Day struct {
	Day                 string   `json:"day" format:"date" doc:"In UTC"`
	SignUps             *int     `json:"signUps" nullable:"true" doc:"Null, like the others, if the day was not counted"`
	ActiveMembers       *int     `json:"activeMembers" nullable:"true" doc:"Members who signed up or used the app"`
	Matches             *int     `json:"matches" nullable:"true"`
	Messages            *int     `json:"messages" nullable:"true"`
	Reports             *int     `json:"reports" nullable:"true" doc:"Reports that arrived"`
	ActionMedianSeconds *float64 `json:"actionMedianSeconds" nullable:"true" doc:"Median of the time from a report to its decision, of the reports decided on that day; null if there is none"`
	ActionP95Seconds    *float64 `json:"actionP95Seconds" nullable:"true" doc:"The time within which 95 of 100 of these were decided"`
}

// Exposure is how evenly members were shown in lists of people in a week. It counts the members who could be shown to
// everyone at CountedAt.
type Exposure struct {
	Week       string    `json:"week" format:"date" doc:"The Monday of the ISO week in UTC"`
	Members    int       `json:"members" doc:"Members who can be shown to everyone"`
	NeverShown int       `json:"neverShown" doc:"Those of them whom no list showed to anyone"`
	Gini       *float64  `json:"gini" nullable:"true" doc:"Gini coefficient: 0 if all were shown equally often, near 1 if one was shown every time; null if none was shown"`
	IsFinal    bool      `json:"isFinal" doc:"Whether the week has ended"`
	CountedAt  time.Time `json:"countedAt"`
}

// Read returns the figures of the last days days, up to maxDays, at the time now.
func (s *Service) Read(ctx context.Context, days int, now time.Time) (f Figures, err error) {
	today := dayOf(now)
	from := today.AddDate(0, 0, 1-days)
	if f.Days, err = readDays(ctx, s.pool, from, today); err != nil {
		return Figures{}, fmt.Errorf("reading the figures of days: %w", err)
	}
	if f.Outcomes, err = readOutcomes(ctx, s.pool, from, today); err != nil {
		return Figures{}, fmt.Errorf("reading the outcomes of reports: %w", err)
	}
	if f.Weeks, err = selectWeeks(ctx, s.pool, mondayOf(from)); err != nil {
		return Figures{}, fmt.Errorf("reading the figures of weeks: %w", err)
	}
	return f, nil
}

// Store stores the figures of days and weeks that have ended and were not stored, and those of
// this week so far. A stored day or final week does not change, so Store may run again after
// it was interrupted, and concurrently.
func Store(ctx context.Context, pool *pgxpool.Pool, now time.Time) error {
	return errors.Join(storeDays(ctx, pool, now), storeWeeks(ctx, pool, now))
}

// dayOf returns the beginning of the UTC day of a time.
func dayOf(at time.Time) time.Time { return at.UTC().Truncate(24 * time.Hour) }

// mondayOf returns the beginning of the ISO week of a time, in UTC.
func mondayOf(at time.Time) time.Time {
	day := dayOf(at)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}
