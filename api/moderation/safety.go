package moderation

import (
	"context"
	"math"
	"sync"
	"time"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

const (
	safetyPeriod   = 30 * 24 * time.Hour // the figures count the reports of this time
	safetyLifetime = time.Minute         // how long a response is cached
	minReports     = 10                  // a figure about fewer reports is not shown
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

// Safety returns the address of the operator, the times to action of the reports that were decided in the 30 days before
// the last midnight in UTC, how many arrived in them, and how many were open at their end. It omits figures about fewer
// than minReports reports. The response may be a minute old.
func (s *Service) Safety(ctx context.Context, now time.Time) (Safety, error) {
	cache := &s.safety
	cache.mu.Lock()
	defer cache.mu.Unlock()
	if age := now.Sub(cache.value.ComputedAt); age >= 0 && age < safetyLifetime {
		return cache.value, nil
	}
	until := now.UTC().Truncate(24 * time.Hour)
	timeToAction, err := shownTimeToAction(ctx, s.pool, until.Add(-safetyPeriod), until)
	if err != nil {
		return Safety{}, pg.Fault(err)
	}
	load, err := selectReportLoad(ctx, s.pool, until.Add(-safetyPeriod), until)
	if err != nil {
		return Safety{}, pg.Fault(err)
	}
	cache.value = Safety{Contact: s.contact, Imprint: s.imprint, TimeToAction: timeToAction, Load: load, Until: web.Time(until), ComputedAt: web.Time(now)}
	return cache.value, nil
}

// shownTimeToAction returns the ActionTime of a period, rounded up to seconds, or nil if fewer than minReports were decided.
func shownTimeToAction(ctx context.Context, db pg.DB, from, until time.Time) (*TimeToAction, error) {
	t, err := MeasureActionTime(ctx, db, from, until)
	if err != nil || t.Decided < minReports {
		return nil, err
	}
	return &TimeToAction{Decided: t.Decided, MedianSeconds: int(math.Ceil(*t.Median)), P95Seconds: int(math.Ceil(*t.P95))}, nil
}

// selectReportLoad returns how many reports arrived in a period, and how many were open at its end. It returns nil if fewer
// than minReports arrived.
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
	if err != nil || l.Arrived < minReports {
		return nil, err
	}
	if open >= minReports {
		l.Open = &open
	} else {
		l.OldestSeconds = nil // with few open reports, it would show when a certain report arrived
	}
	return &l, nil
}
