package digest

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// batch is the number of members that one transaction of Enqueue reads.
const batch = 1000

// Enqueue inserts the digests of all members and enqueues the mails of those who get one. It
// continues where an earlier call was interrupted: the rows, the jobs and the position of a
// batch are one transaction. Concurrent calls take turns.
func (s *Service) Enqueue(ctx context.Context, week Week) error {
	for {
		done, err := pg.Tx(ctx, s.pool, func(tx pgx.Tx) (enqueued, error) { return s.enqueueBatch(ctx, tx, week) })
		if err != nil {
			return err
		}
		s.outcomes.skipped.Add(int64(done.skipped))
		if done.isLast {
			return nil
		}
	}
}

// enqueued is the result of enqueueBatch.
type enqueued struct {
	skipped int  // digests that are not sent
	isLast  bool // all mails of the run are enqueued
}

func (s *Service) enqueueBatch(ctx context.Context, tx pgx.Tx, week Week) (enqueued, error) {
	after, err := lockRun(ctx, tx, week)
	if errors.Is(err, pgx.ErrNoRows) {
		return enqueued{isLast: true}, nil
	}
	if err != nil {
		return enqueued{}, err
	}
	rows, err := insertMails(ctx, tx, week, after, batch)
	if err != nil {
		return enqueued{}, err
	}
	jobs := jobsOf(rows, week)
	if len(jobs) > 0 {
		if _, err := s.jobs.InsertManyTx(ctx, tx, jobs); err != nil {
			return enqueued{}, err
		}
	}
	to := after
	if len(rows) > 0 {
		to = rows[len(rows)-1].Member
	}
	done := enqueued{skipped: len(rows) - len(jobs), isLast: len(rows) < batch}
	return done, updateRun(ctx, tx, week, to, done.isLast)
}

// jobsOf returns the jobs of the queued digests.
func jobsOf(rows []inserted, week Week) (jobs []river.InsertManyParams) {
	for _, row := range rows {
		if row.State == stateQueued {
			jobs = append(jobs, river.InsertManyParams{Args: SendArgs{MemberID: row.Member, Week: week}})
		}
	}
	return jobs
}

// outcomes count the digests of this process since its start.
type outcomes struct{ sent, failed, skipped atomic.Int64 }

// Counts returns the numbers of digests by outcome since this process started.
func (s *Service) Counts() (sent, failed, skipped int64) {
	return s.outcomes.sent.Load(), s.outcomes.failed.Load(), s.outcomes.skipped.Load()
}

// recordTimeout is the time to record the result of a mail, also while the process stops.
const recordTimeout = 10 * time.Second

// Send mails a digest, unless it was sent, or the member gets none any more. lastAttempt is
// whether a failed attempt will not be repeated.
//
// It returns an error if the attempt may be repeated: before the mail server got the mail, or
// after an error which proves that it did not accept the mail. A mail that may have been
// accepted is not repeated. If the process ends meanwhile, FailStale counts it as failed.
func (s *Service) Send(ctx context.Context, args SendArgs, lastAttempt bool) error {
	to, err := selectRecipient(ctx, s.pool, args.MemberID, args.Week)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil || to.state != stateQueued {
		return err
	}
	switch {
	case to.isExpired:
		return s.finish(ctx, args, stateQueued, stateFailed, reasonExpired)
	case to.skipReason != "":
		return s.finish(ctx, args, stateQueued, stateSkipped, to.skipReason)
	}
	c, err := selectContents(ctx, s.pool, args.MemberID, to.startedAt.AddDate(0, 0, -7), to.reader.Zone)
	if err != nil {
		return err
	}
	if c.isEmpty() {
		return s.finish(ctx, args, stateQueued, stateSkipped, reasonNothingNew)
	}
	message, err := mail.Build(s.letter(to, c, args))
	if err != nil {
		return err
	}
	claimed, err := setState(ctx, s.pool, args, stateQueued, stateSending, "")
	if err != nil || !claimed {
		return err
	}
	return s.deliver(ctx, args, message, lastAttempt)
}

// deliver sends a claimed digest and records the result.
func (s *Service) deliver(ctx context.Context, args SendArgs, message mail.Message, lastAttempt bool) error {
	sendErr := s.mail.Send(ctx, message)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	unsent, permanent := mail.IsUnsent(sendErr)
	switch {
	case sendErr == nil:
		return s.finish(ctx, args, stateSending, stateSent, "")
	case mail.IsWithheld(sendErr):
		return s.finish(ctx, args, stateSending, stateSkipped, reasonWithheld)
	case unsent && !permanent && !lastAttempt:
		_, err := setState(ctx, s.pool, args, stateSending, stateQueued, "")
		return errors.Join(sendErr, err)
	}
	reason := reasonInterrupted
	if permanent {
		reason = reasonRefused
	} else if unsent {
		reason = reasonUnavailable
	}
	slog.WarnContext(ctx, "a digest was not sent", "member", args.MemberID, "reason", reason, "error", sendErr)
	return s.finish(ctx, args, stateSending, stateFailed, reason)
}

// finish records the outcome of a digest, and counts it. After an attempt to send the mail, an
// error is logged and not returned: the mail must not be repeated.
func (s *Service) finish(ctx context.Context, args SendArgs, from, to, reason string) error {
	done, err := setState(ctx, s.pool, args, from, to, reason)
	if err != nil && from == stateSending {
		slog.ErrorContext(ctx, "the outcome of a digest could not be recorded", "member", args.MemberID, "outcome", to, "error", err)
		return nil
	}
	if done {
		s.outcomes.add(to)
	}
	return err
}

func (o *outcomes) add(state string) {
	switch state {
	case stateSent:
		o.sent.Add(1)
	case stateFailed:
		o.failed.Add(1)
	case stateSkipped:
		o.skipped.Add(1)
	}
}
