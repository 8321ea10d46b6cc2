// Package digest mails members a summary of their week: new matches and likes, unread
// messages and planned dates.
//
// A run enqueues one mail for each member and ISO week. Delivery is at most once: the row of
// the digest is committed as sending before the mail server gets the mail, and is sent again
// only after an error which proves that the server did not accept it. See
// docs/decisions/0033-weekly-digest.md.
package digest

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/moderation"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/mail"
	"heartward/api/platform/nilcheck"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// Runs start by themselves on Mondays, mondayOffset after midnight UTC, when it is morning in
// America and afternoon in Europe. If no worker runs then, they start up to lateness later. A mail
// that waits for longer than lateness after the start of its run is not sent.
const (
	mondayOffset = 15 * time.Hour
	lateness     = 48 * time.Hour
)

// Service sends digests. It is safe for concurrent use.
type Service struct {
	pool *pgxpool.Pool
	mail mail.Sender
	jobs jobqueue.Inserter
	site string

	outcomes outcomes
}

// New returns a Service whose mails link to site, an origin. It panics when a dependency is
// nil.
func New(pool *pgxpool.Pool, sender mail.Sender, jobs jobqueue.Inserter, site string) *Service {
	nilcheck.Must("digest.New", nilcheck.Deps{"pool": pool, "mail": sender, "jobs": jobs})
	return &Service{pool: pool, mail: sender, jobs: jobs, site: strings.TrimSuffix(site, "/")}
}

// Week is the Monday of an ISO week in UTC, such as "2026-11-23".
type Week string

// WeekOf returns the week of a time.
func WeekOf(at time.Time) Week { return Week(mondayOf(at).Format(time.DateOnly)) }

func mondayOf(at time.Time) time.Time {
	at = at.UTC()
	sinceMonday := (int(at.Weekday()) + 6) % 7
	return time.Date(at.Year(), at.Month(), at.Day()-sinceMonday, 0, 0, 0, 0, time.UTC)
}

// isDue reports whether the run of this week starts by itself now, unless it was started.
func isDue(now time.Time) bool {
	late := now.Sub(mondayOf(now).Add(mondayOffset))
	return late >= 0 && late < lateness
}

// nextRun returns when the next run starts by itself: this week's, if it was not started and is not too late, otherwise that of
// the next week.
func nextRun(now time.Time, isStarted bool) time.Time {
	thisWeek := mondayOf(now).Add(mondayOffset)
	if !isStarted && now.Before(thisWeek.Add(lateness)) {
		return thisWeek
	}
	return thisWeek.AddDate(0, 0, 7)
}

// Tick starts the run of the week if it is due and was not started.
func (s *Service) Tick(ctx context.Context, now time.Time) error {
	if !isDue(now) {
		return nil
	}
	return pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		_, err := s.start(ctx, tx, WeekOf(now))
		return err
	})
}

// start starts the run of a week and enqueues the job that enqueues its mails. It reports
// false if the week has a run already.
func (s *Service) start(ctx context.Context, tx pgx.Tx, week Week) (started bool, err error) {
	if started, err = insertRun(ctx, tx, week); err != nil || !started {
		return false, err
	}
	_, err = s.jobs.InsertTx(ctx, tx, EnqueueArgs{Week: week}, nil)
	return true, err
}

// StartNow starts the run of this week for an admin, with a row in the audit log, and returns
// its status. If the run exists already it only returns the status.
func (s *Service) StartNow(ctx context.Context, admin web.Actor, now time.Time) (RunStatus, error) {
	week := WeekOf(now)
	err := pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		started, err := s.start(ctx, tx, week)
		if err != nil || !started {
			return err
		}
		return moderation.Audit(ctx, tx, admin.ID, "digest.start", uuid.Nil, "The weekly digest was sent by hand.", map[string]any{"week": week})
	})
	if err != nil {
		return RunStatus{}, err
	}
	return s.Status(ctx, now)
}

// State is the state of a run.
type State string

// The states of a run.
const (
	NotStarted State = "not_started"
	Running    State = "running"
	Done       State = "done"
)

// RunStatus is the state of the run of this week, with the number of members by outcome.
type RunStatus struct {
	Week          Week       `json:"week" example:"2026-11-23" doc:"The Monday of the ISO week in UTC"`
	State         State      `json:"state" enum:"not_started,running,done"`
	StartedAt     *time.Time `json:"startedAt" nullable:"true" doc:"null before the start"`
	NextRunAt     time.Time  `json:"nextRunAt" doc:"The next run that starts by itself, if workers run then"`
	EmailsWaiting int        `json:"emailsWaiting" doc:"Emails that wait or are being sent. While they are enqueued the number grows"`
	EmailsSent    int        `json:"emailsSent"`
	EmailsFailed  int        `json:"emailsFailed" doc:"Emails that were refused, or that may or may not have arrived"`
	Skipped       int        `json:"skipped" doc:"Members who get no digest this week"`
	SkippedBy     SkippedBy  `json:"skippedBy" doc:"Skipped members by reason"`
}

// SkippedBy has the numbers of members who get no digest, by reason.
type SkippedBy struct {
	NotActive  int `json:"notActive" doc:"Suspended, under review, or leaving"`
	Graduated  int `json:"graduated"`
	Paused     int `json:"paused"`
	OptedOut   int `json:"optedOut"`
	Inactive   int `json:"inactive" doc:"Not active for 90 days"`
	NewMembers int `json:"newMembers" doc:"Joined in the last day"`
	NothingNew int `json:"nothingNew"`
	Withheld   int `json:"withheld" doc:"The address takes no such mail"`
}

// Status returns the status of the run of the week of now.
func (s *Service) Status(ctx context.Context, now time.Time) (RunStatus, error) {
	status := RunStatus{Week: WeekOf(now), State: NotStarted}
	run, exists, err := selectRun(ctx, s.pool, status.Week)
	status.NextRunAt = nextRun(now, exists)
	if err != nil || !exists {
		return status, err
	}
	counts, err := selectCounts(ctx, s.pool, status.Week)
	if err != nil {
		return status, err
	}
	started := web.Time(run.startedAt)
	status.StartedAt, status.State = &started, Running
	for _, c := range counts {
		status.add(c)
	}
	if run.enqueued && status.EmailsWaiting == 0 {
		status.State = Done
	}
	return status, nil
}

func (s *RunStatus) add(c count) {
	switch c.State {
	case stateQueued, stateSending:
		s.EmailsWaiting += c.Count
	case stateSent:
		s.EmailsSent += c.Count
	case stateFailed:
		s.EmailsFailed += c.Count
	case stateSkipped:
		s.Skipped += c.Count
		if n := s.SkippedBy.of(c.Reason); n != nil {
			*n += c.Count
		}
	}
}

// of returns the field of a reason, or nil for an unknown reason.
func (s *SkippedBy) of(reason string) *int {
	return map[string]*int{
		"not_active": &s.NotActive, "graduated": &s.Graduated, "paused": &s.Paused, "opted_out": &s.OptedOut,
		"inactive": &s.Inactive, "new_member": &s.NewMembers, reasonNothingNew: &s.NothingNew,
		reasonWithheld: &s.Withheld,
	}[reason]
}
