package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heartward/api/media"
	"heartward/api/messaging"
	"heartward/api/moderation"
)

// reviewWorker sends one message to the moderation endpoint.
type reviewWorker struct {
	river.WorkerDefaults[messaging.ReviewArgs]
	external *moderation.External // nil: no moderation endpoint is configured
}

func (w *reviewWorker) Work(ctx context.Context, job *river.Job[messaging.ReviewArgs]) error {
	if w.external == nil {
		return nil
	}
	return externalOutcome(ctx, w.external.Review(ctx, job.Args.MessageID))
}

// pictureReviewWorker sends one picture of a profile to the moderation endpoint.
type pictureReviewWorker struct {
	river.WorkerDefaults[media.ReviewArgs]
	external *moderation.External // nil: no moderation endpoint is configured
}

func (w *pictureReviewWorker) Work(ctx context.Context, job *river.Job[media.ReviewArgs]) error {
	if w.external == nil {
		return nil
	}
	return externalOutcome(ctx, w.external.ReviewPicture(ctx, job.Args.FileID))
}

// externalOutcome returns the result of a job for an error of the moderation endpoint.
func externalOutcome(ctx context.Context, err error) error {
	var later *moderation.RetryLaterError
	if errors.As(err, &later) {
		return river.JobSnooze(later.After)
	}
	var refused *moderation.RefusedError
	if errors.As(err, &refused) {
		slog.ErrorContext(ctx, "the moderation endpoint refused the request", "error", err)
		return river.JobCancel(err)
	}
	return err
}

// mailWorker sends one mail.
type mailWorker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	pool *pgxpool.Pool
	send func(ctx context.Context, args T) error
}

// Work completes the job immediately after the mail was sent, not in River's next batch of
// completions. Only a crash in between sends the mail twice.
func (w *mailWorker[T]) Work(ctx context.Context, job *river.Job[T]) error {
	if err := w.send(ctx, job.Args); err != nil {
		return err
	}
	return complete(ctx, w.pool, job)
}

// complete completes a job in a transaction of its own.
func complete[T river.JobArgs](ctx context.Context, pool *pgxpool.Pool, job *river.Job[T]) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

// hidingEndWorker ends the hiding of a member whom nobody has decided about.
type hidingEndWorker struct {
	river.WorkerDefaults[moderation.HidingEndArgs]
	s *moderation.Service
}

func (w *hidingEndWorker) Work(ctx context.Context, job *river.Job[moderation.HidingEndArgs]) error {
	return w.s.EndHiding(ctx, job.Args.ReportID)
}

// addReports registers the workers that mail sanctions and outcomes of reports and appeals, alert
// admins to urgent ones, and tell hidden members.
func addReports(r *registry, pool *pgxpool.Pool, deps Deps) {
	office := moderation.Office{Site: strings.TrimSuffix(deps.Site, "/"), Contact: deps.Contact}
	addWorker(r, &mailWorker[moderation.OutcomeArgs]{pool: pool, send: func(ctx context.Context, args moderation.OutcomeArgs) error {
		return moderation.SendOutcome(ctx, pool, deps.Mail, office, args)
	}})
	addWorker(r, &mailWorker[moderation.SanctionArgs]{pool: pool, send: func(ctx context.Context, args moderation.SanctionArgs) error {
		return moderation.SendSanction(ctx, pool, deps.Mail, office, args)
	}})
	addWorker(r, &mailWorker[moderation.AppealArgs]{pool: pool, send: func(ctx context.Context, args moderation.AppealArgs) error {
		return moderation.SendAppealOutcome(ctx, pool, deps.Mail, args)
	}})
	addNotify(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[moderation.AlertArgs]) (time.Duration, error) {
		return moderation.AlertAdmins(ctx, tx, jobs, job.Args, time.Now())
	})
	addUrgent(r, &mailWorker[moderation.AlertMailArgs]{pool: pool, send: func(ctx context.Context, args moderation.AlertMailArgs) error {
		return moderation.SendAlert(ctx, pool, deps.Mail, deps.Site, args)
	}})
	addWorker(r, &mailWorker[moderation.StaffReportArgs]{pool: pool, send: func(ctx context.Context, args moderation.StaffReportArgs) error {
		return moderation.SendStaffReport(ctx, pool, deps.Mail, deps.OutsideContact, args)
	}})
	addWorker(r, &hidingEndWorker{s: deps.Moderation})
	addWorker(r, &mailWorker[moderation.AskAgeArgs]{pool: pool, send: func(ctx context.Context, args moderation.AskAgeArgs) error {
		return moderation.SendAskAge(ctx, pool, deps.Mail, office, args)
	}})
	addUrgent(r, &mailWorker[moderation.HiddenMailArgs]{pool: pool, send: func(ctx context.Context, args moderation.HiddenMailArgs) error {
		return moderation.SendHidden(ctx, pool, deps.Mail, office, args)
	}})
	addNotify(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[moderation.HiddenArgs]) (time.Duration, error) {
		return 0, deps.Notifications.NotifyHidden(ctx, tx, jobs, job.Args)
	})
}
