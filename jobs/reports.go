package jobs

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heartward/api/moderation"
)

// hidingEndWorker ends the hiding of a member if there was no decision in time.
type hidingEndWorker struct {
	river.WorkerDefaults[moderation.HidingEndArgs]
	s *moderation.Service
}

func (w *hidingEndWorker) Work(ctx context.Context, job *river.Job[moderation.HidingEndArgs]) error {
	return w.s.EndHiding(ctx, job.Args.ReportID)
}

// addReports registers the workers that mail sanctions and the outcomes of reports and appeals, alert
// admins to urgent reports, and notify hidden members.
func addReports(r *registry, pool *pgxpool.Pool, deps Deps) {
	office := moderation.Office{Site: strings.TrimSuffix(deps.Site, "/"), Contact: deps.Contact}
	addMail(r, pool, func(ctx context.Context, args moderation.OutcomeArgs) error {
		return moderation.SendOutcome(ctx, pool, deps.Mail, office, args)
	})
	addMail(r, pool, func(ctx context.Context, args moderation.SanctionArgs) error {
		return moderation.SendSanction(ctx, pool, deps.Mail, office, args)
	})
	addMail(r, pool, func(ctx context.Context, args moderation.AppealArgs) error {
		return moderation.SendAppealOutcome(ctx, pool, deps.Mail, args)
	})
	addNotify(r, pool, func(ctx context.Context, tx pgx.Tx, jobs *Client, job *river.Job[moderation.AlertArgs]) (time.Duration, error) {
		return moderation.AlertAdmins(ctx, tx, jobs, job.Args, time.Now())
	})
	addUrgentMail(r, pool, func(ctx context.Context, args moderation.AlertMailArgs) error {
		return moderation.SendAlert(ctx, pool, deps.Mail, deps.Site, args)
	})
	addMail(r, pool, func(ctx context.Context, args moderation.StaffReportArgs) error {
		return moderation.SendStaffReport(ctx, pool, deps.Mail, deps.OutsideContact, args)
	})
	addWorker(r, &hidingEndWorker{s: deps.Moderation})
	addMail(r, pool, func(ctx context.Context, args moderation.AskAgeArgs) error {
		return moderation.SendAskAge(ctx, pool, deps.Mail, office, args)
	})
	addUrgentMail(r, pool, func(ctx context.Context, args moderation.HiddenMailArgs) error {
		return moderation.SendHidden(ctx, pool, deps.Mail, office, args)
	})
	addPrompt(r, pool, deps.Notifications.NotifyHidden)
}
