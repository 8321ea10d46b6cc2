package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heartward/api/platform/jobqueue"
	"heartward/api/platform/mail"
	"heartward/api/platform/pg"
)

// StaffReportArgs are the arguments of the job that mails the outside contact about a report on an admin or a moderator, if
// no other admin can decide on it.
type StaffReportArgs struct {
	ReportID uuid.UUID `json:"reportId" river:"unique"`
}

// Kind returns the name of the job in River.
func (StaffReportArgs) Kind() string { return "staff_report" }

// InsertOpts allow one job per report.
func (StaffReportArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}
}

// enqueueStaffReport enqueues the job if the report is about a member of the staff.
func (s *Service) enqueueStaffReport(ctx context.Context, tx pgx.Tx, report, member uuid.UUID) error {
	var isStaff bool
	err := tx.QueryRow(ctx, `SELECT is_staff FROM profiles WHERE id = $1`, member).Scan(&isStaff)
	if err != nil || !isStaff {
		return err
	}
	_, err = s.jobs.InsertTx(ctx, tx, StaffReportArgs{report}, nil)
	return err
}

// EnqueueStaffReports enqueues a job for each pending report about a member who has become an admin or a moderator. It
// does nothing for a report that has a job.
func EnqueueStaffReports(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, member uuid.UUID) error {
	rows, _ := tx.Query(ctx, `
		SELECT id
		FROM reports
		WHERE reported_user_id = $1
			AND status = 'pending'`, member)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := jobs.InsertTx(ctx, tx, StaffReportArgs{id}, nil); err != nil {
			return err
		}
	}
	return nil
}

// SendStaffReport mails the outside contact that a report about the staff waits on which no admin can decide. The mail has
// the id of the report, but neither its contents nor the reporter: a newly appointed admin finds the report in the queue.
// SendStaffReport does nothing if another admin can decide, if the report was decided, and without an outside contact. Like
// SendSanction it may send the same mail twice.
func SendStaffReport(ctx context.Context, db pg.DB, sender mail.Sender, outside string, args StaffReportArgs) error {
	var hasAdmin bool
	err := db.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM profiles admin
			WHERE admin.is_admin
				AND admin.profile_status = 'active'
				AND admin.id IS DISTINCT FROM r.reported_user_id
				AND admin.id IS DISTINCT FROM r.reporter_id
		)
		FROM reports r
		WHERE r.id = $1
			AND `+aboutStaff+`
			AND r.status = 'pending'`, args.ReportID).Scan(&hasAdmin)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && (hasAdmin || outside == "") {
		return nil
	}
	if err != nil {
		return pg.Fault(err)
	}
	return mail.Send(ctx, sender, mail.Letter{
		Template: "moderation.staff_report", Kind: mail.Staff, ID: "staff-report-" + args.ReportID.String(),
		To: mail.Reader{Address: outside, Name: "there"}, Subject: "A report about the Heartward team waits",
		Blocks: []mail.Block{
			mail.Text("A member reported somebody who works on Heartward's safety team. Nobody else in the team can decide on it, so you " +
				"get this mail: you are named as the contact outside the team."),
			mail.Text("Please ask the operator of the server to appoint another admin, with the command “heartward admin grant ADDRESS”. " +
				"They find the report in their queue. The person it is about does not see it."),
			mail.Facts("Report: " + args.ReportID.String()),
		},
	})
}
