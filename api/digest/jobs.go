package digest

import (
	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// Queue is the queue of the mails. It is separate, so that a run does not delay other jobs.
const Queue = "digest"

// TickArgs are the arguments of the hourly job that starts a run when it is due.
type TickArgs struct{}

// Kind returns the name of the job in River.
func (TickArgs) Kind() string { return "weekly_digest" }

// InsertOpts let the next hour repeat a failed job.
func (TickArgs) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 1} }

// EnqueueArgs are the arguments of the job that enqueues the mails of a run.
type EnqueueArgs struct {
	Week Week `json:"week" river:"unique"`
}

// Kind returns the name of the job in River.
func (EnqueueArgs) Kind() string { return "enqueue_digests" }

// InsertOpts allow one job per run.
func (EnqueueArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// SendArgs are the arguments of the job that mails a digest.
type SendArgs struct {
	MemberID uuid.UUID `json:"memberId"`
	Week     Week      `json:"week"`
}

// Kind returns the name of the job in River.
func (SendArgs) Kind() string { return "send_digest" }

// InsertOpts limit the attempts: with River's delays the last one is about a quarter of an
// hour after the first. The job needs no uniqueness, because the row of the digest has it.
func (SendArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: 6}
}
