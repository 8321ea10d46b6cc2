package moderation

import (
	"context"
	"errors"
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

// AlertArgs are the arguments of the job that alerts all admins and moderators to an urgent report, at once and
// every hour until somebody decides.
type AlertArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
}

// Kind returns the name of the job in River.
func (AlertArgs) Kind() string { return "report_alert" }

// InsertOpts allow one job per report.
func (AlertArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// AlertMailArgs are the arguments of the job that mails an admin that urgent reports wait.
type AlertMailArgs struct {
	AdminID uuid.UUID `json:"adminId" river:"unique"`
	Hour    time.Time `json:"hour" river:"unique"`
}

// Kind returns the name of the job in River.
func (AlertMailArgs) Kind() string { return "report_alert_mail" }

// InsertOpts allow one job per admin and hour, however many reports wait.
func (AlertMailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// enqueueAlert enqueues the job that alerts the staff to an urgent report.
func (s *Service) enqueueAlert(ctx context.Context, tx pgx.Tx, report uuid.UUID) error {
	_, err := s.jobs.InsertTx(ctx, tx, AlertArgs{report}, nil)
	return err
}

// AlertAdmins enqueues a mail to each admin and moderator but the reporter and the reported member, one for each hour, and
// returns the time until the next call: the beginning of the next hour, or zero when the report was decided. SendAlert sends no
// mail to those who may not decide on any urgent report.
func AlertAdmins(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args AlertArgs, now time.Time) (time.Duration, error) {
	var reporter, reported *uuid.UUID
	err := tx.QueryRow(ctx, `
		SELECT reporter_id, reported_user_id
		FROM reports
		WHERE id = $1
			AND status = 'pending'`, args.ReportID).Scan(&reporter, &reported)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	admins, err := members.Staff(ctx, tx)
	if err != nil {
		return 0, err
	}
	hour := now.UTC().Truncate(time.Hour)
	for _, admin := range admins {
		if admin == orNil(reporter) || admin == orNil(reported) {
			continue
		}
		if _, err := jobs.InsertTx(ctx, tx, AlertMailArgs{admin, hour}, nil); err != nil {
			return 0, err
		}
	}
	return hour.Add(time.Hour).Sub(now), nil
}

// countUrgent returns how many urgent reports an admin or moderator may decide, and for how many minutes the oldest has
// waited. Reports beyond the daily limit of their reporter do not count.
func countUrgent(ctx context.Context, db pg.DB, admin uuid.UUID) (count, minutes int, err error) {
	err = db.QueryRow(ctx, `
		SELECT count(*), coalesce(floor(extract(epoch FROM now() - min(r.created_at)) / 60), 0)::int
		FROM reports r
		WHERE r.status = 'pending'
			AND r.priority = 0
			AND NOT r.over_limit
			AND `+mayDecideReport, pgx.NamedArgs{"admin": admin}).Scan(&count, &minutes)
	return count, minutes, err
}

// SendAlert mails an admin how many urgent reports wait, and nothing of their contents. It does nothing when all were
// decided since, or the member is no longer an admin. Like SendSanction it may send the same mail twice.
func SendAlert(ctx context.Context, db pg.DB, sender mail.Sender, site string, args AlertMailArgs) error {
	admins, err := members.Staff(ctx, db)
	if err != nil || !slices.Contains(admins, args.AdminID) {
		return err
	}
	count, minutes, err := countUrgent(ctx, db, args.AdminID)
	if err != nil || count == 0 {
		return err
	}
	return members.SendMail(ctx, db, sender, args.AdminID, func(mail.Reader) mail.Letter {
		return alertLetter(fmt.Sprintf("alert-%d-%s", args.Hour.Unix(), args.AdminID), strings.TrimSuffix(site, "/"), count, minutes)
	})
}

func alertLetter(id, site string, count, minutes int) mail.Letter {
	waiting := "An urgent report waits for a decision"
	if count > 1 {
		waiting = fmt.Sprintf("%d urgent reports wait for a decision", count)
	}
	return mail.Letter{
		Template: "moderation.alert", Kind: mail.Staff, ID: id, Subject: waiting + " on Heartward", Greeting: "Hi,",
		Blocks: []mail.Block{
			mail.Text(waiting + " on Heartward. An urgent report should be decided within an hour of its arrival. " +
				fmt.Sprintf("The oldest has waited %d minutes. You get this mail every hour until somebody has decided.", minutes)),
			mail.Action("Open the reports", site+"/admin/dashboard/reports"),
		},
	}
}
