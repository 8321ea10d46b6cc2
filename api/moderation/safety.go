package moderation

import (
	"context"
	"sync"
	"time"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

const (
	safetyPeriod   = 30 * 24 * time.Hour // of the reports that TimeToAction counts
	safetyLifetime = time.Minute         // of the cached response
	minDecided     = 10                  // of fewer reports no figure is shown
)

// Safety is what the safety center shows everyone.
type Safety struct {
	Contact      string        `json:"contact" doc:"The e-mail address of the operator"`
	Imprint      string        `json:"imprint" doc:"Who runs the site; empty on one that is not public"`
	TimeToAction *TimeToAction `json:"timeToAction" doc:"Null if fewer than ten reports were decided in the last 30 days"`
	Load         *ReportLoad   `json:"load" doc:"Null if fewer than ten reports arrived in the last 30 days"`
	Until        time.Time     `json:"until" doc:"The figures count until this midnight in UTC, so that no single report can be watched"`
	ComputedAt   time.Time     `json:"computedAt"`
}

// ReportLoad is how many reports arrived in the last 30 days, and how many wait.
type ReportLoad struct {
	Arrived       int  `json:"arrived"`
	Open          *int `json:"open" nullable:"true" doc:"Null for fewer than ten"`
	OldestSeconds *int `json:"oldestSeconds" nullable:"true" doc:"How long the oldest open one had waited; null for fewer than ten"`
}

// TimeToAction is how long the reports that were decided in the last 30 days had waited.
type TimeToAction struct {
	Decided       int `json:"decided" doc:"The number of these reports"`
	MedianSeconds int `json:"medianSeconds" doc:"Half of them were decided within this time"`
	P95Seconds    int `json:"p95Seconds" doc:"95 of 100 were decided within this time"`
}

// safetyCache is the last response of Service.Safety.
type safetyCache struct {
	mu    sync.Mutex
	value Safety
}

// Safety returns the address of the operator, the times to action of the reports that were
// decided within 30 days before the last midnight in UTC, and how many arrived and waited then. Reports that no person
// decided do not exist, and a cell under ten is left out. The response may be a minute old.
func (s *Service) Safety(ctx context.Context, now time.Time) (Safety, error) {
	cache := &s.safety
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if age := now.Sub(cache.value.ComputedAt); age >= 0 && age < safetyLifetime {
		return cache.value, nil
	}
	until := now.UTC().Truncate(24 * time.Hour)
	found, err := selectTimeToAction(ctx, s.pool, until.Add(-safetyPeriod), until)
	if err != nil {
		return Safety{}, pg.Fault(err)
	}
	load, err := selectReportLoad(ctx, s.pool, until.Add(-safetyPeriod), until)
	if err != nil {
		return Safety{}, pg.Fault(err)
	}
	cache.value = Safety{Contact: s.contact, Imprint: s.imprint, TimeToAction: found, Load: load, Until: web.Time(until), ComputedAt: web.Time(now)}
	return cache.value, nil
}

// selectTimeToAction returns the times of the reports that were decided in a period, rounded up
// to seconds, or nil if there are fewer than minDecided.
func selectTimeToAction(ctx context.Context, db pg.DB, from, until time.Time) (*TimeToAction, error) {
	var t TimeToAction
	var median, p95 *int
	err := db.QueryRow(ctx, `
		SELECT
			count(*),
			ceil(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM reviewed_at - created_at)))::bigint,
			ceil(percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM reviewed_at - created_at)))::bigint
		FROM reports
		WHERE status IN ('reviewed', 'resolved')
			AND source <> 'issue'
			AND reviewed_at >= $1
			AND reviewed_at < $2`, from, until).Scan(&t.Decided, &median, &p95)
	if err != nil || t.Decided < minDecided {
		return nil, err
	}
	t.MedianSeconds, t.P95Seconds = *median, *p95
	return &t, nil
}

// selectReportLoad returns the numbers of the reports of a period and of the open ones, or nil if fewer than minDecided arrived.
func selectReportLoad(ctx context.Context, db pg.DB, from, until time.Time) (*ReportLoad, error) {
	var l ReportLoad
	var open int
	err := db.QueryRow(ctx, `
		SELECT
			count(*) FILTER (WHERE created_at >= $1),
			count(*) FILTER (WHERE status = 'pending' OR reviewed_at >= $2),
			ceil(extract(epoch FROM $2::timestamptz - min(created_at) FILTER (WHERE status = 'pending' OR reviewed_at >= $2)))::bigint
		FROM reports
		WHERE (created_at >= $1 OR status = 'pending' OR status <> 'pending' AND reviewed_at >= $2)
			AND created_at < $2
			AND source <> 'issue'`, from, until).Scan(&l.Arrived, &open, &l.OldestSeconds)
	if err != nil || l.Arrived < minDecided {
		return nil, err
	}
	if open >= minDecided {
		l.Open = &open
	} else {
		l.OldestSeconds = nil // the age of one of a few would show when a certain report arrived
	}
	return &l, nil
}
