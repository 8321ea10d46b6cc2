package moderation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/members"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// alertMinutes are the times after an urgent report at which admins are alerted, unless one
// of them has opened or decided it. It should be decided within an hour.
var alertMinutes = []int{0, 30, 55}

// AlertArgs are the arguments of the job that alerts all admins and moderators to an urgent report.
type AlertArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
	Minute   int       `json:"minute" river:"unique"` // of alertMinutes
}

// Kind returns the name of the job in River.
func (AlertArgs) Kind() string { return "report_alert" }

// InsertOpts allow one job per report and minute.
func (AlertArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// AlertMailArgs are the arguments of the job that mails an alert to one admin.
type AlertMailArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
	Minute   int       `json:"minute" river:"unique"`
	AdminID  uuid.UUID `json:"adminId" river:"unique"`
}

// Kind returns the name of the job in River.
func (AlertMailArgs) Kind() string { return "report_alert_mail" }

// InsertOpts allow one job per report, minute and admin.
func (AlertMailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// enqueueAlerts enqueues the alerts to an urgent report.
func (s *Service) enqueueAlerts(ctx context.Context, tx pgx.Tx, report uuid.UUID) error {
	for _, minute := range alertMinutes {
		at := time.Now().Add(time.Duration(minute) * time.Minute)
		if _, err := s.jobs.InsertTx(ctx, tx, AlertArgs{report, minute}, &river.InsertOpts{ScheduledAt: at}); err != nil {
			return err
		}
	}
	return nil
}

// AlertAdmins enqueues a mail to each admin who may decide on the report. It does nothing
// when the report was opened or decided.
func AlertAdmins(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args AlertArgs) error {
	admins, err := members.Staff(ctx, tx)
	if err != nil {
		return err
	}
	for _, admin := range admins {
		unopened, err := isUnopened(ctx, tx, args.ReportID, admin)
		if err != nil {
			return err
		}
		if !unopened {
			continue
		}
		if _, err := jobs.InsertTx(ctx, tx, AlertMailArgs{args.ReportID, args.Minute, admin}, nil); err != nil {
			return err
		}
	}
	return nil
}

// isUnopened is whether a report that the admin may see is pending and was not opened.
func isUnopened(ctx context.Context, db pg.DB, report, admin uuid.UUID) (unopened bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT FROM reports r
			WHERE r.id = @report
				AND r.status = 'pending'
				AND r.opened_at IS NULL
				AND `+notOwn+`)`, pgx.NamedArgs{"report": report, "admin": admin}).Scan(&unopened)
	return unopened, err
}

const alertText = `An urgent report on Heartward has waited %d minutes, and no admin has opened
it. It should be decided within an hour of its arrival. Please open:

%s/admin/dashboard/reports`

// SendAlert mails an alert to an admin. Its text does not depend on the report. It does
// nothing when the report was opened or decided since, or the member is no longer an admin.
// Like SendWarning it may send the same mail twice.
func SendAlert(ctx context.Context, db pg.DB, sender mail.Sender, site string, args AlertMailArgs) error {
	admins, err := members.Staff(ctx, db)
	if err != nil || !slices.Contains(admins, args.AdminID) {
		return err
	}
	unopened, err := isUnopened(ctx, db, args.ReportID, args.AdminID)
	if err != nil || !unopened {
		return err
	}
	return members.SendMail(ctx, db, sender, args.AdminID, func(string) mail.Message {
		return mail.Message{
			Subject: "An urgent report waits on Heartward", Text: mail.Letter("", fmt.Sprintf(alertText, args.Minute, strings.TrimSuffix(site, "/"))),
			ID: fmt.Sprintf("alert-%s-%d-%s", args.ReportID, args.Minute, args.AdminID),
		}
	})
}
