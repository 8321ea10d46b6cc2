package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// aboutStaff is an SQL expression: the reported member of report r was an admin or a moderator when the report was filed,
// or is one now. The view reports_waiting has the same expression.
const aboutStaff = `(r.about_staff OR EXISTS (SELECT FROM profiles staff WHERE staff.id = r.reported_user_id AND staff.is_staff))`

// notOwn is an SQL condition: @admin, an admin or a moderator, may decide on report r. The report is neither by nor about
// @admin, nor by or about a match of @admin for whom another admin can decide (withheld_from); and it is not about a member
// of the staff, unless @admin is an admin.
const notOwn = `r.reporter_id IS DISTINCT FROM @admin AND r.reported_user_id IS DISTINCT FROM @admin
			AND NOT ARRAY[r.reporter_id, r.reported_user_id] && ARRAY(SELECT withheld_from(@admin))
			AND ((SELECT caller.is_admin FROM profiles caller WHERE caller.id = @admin) OR NOT ` + aboutStaff + `)`

const reportColumns = `
			r.id,
			r.reason,
			r.priority,
			r.status,
			r.source,
			r.place,
			r.issue_kind,
			r.content_id,
			r.over_limit,
			r.hides_profile,
			r.created_at,
			r.opened_at,
			r.reviewed_at,
			r.action_taken,
			r.reporter_id,
			r.reported_user_id`

// targets returns the destinations of reportColumns.
func (r *QueuedReport) targets() []any {
	return []any{
		&r.ID, &r.Reason, &r.Priority, &r.Status, &r.Source, &r.Place, &r.IssueKind, &r.ContentID, &r.OverLimit, &r.HidesProfile,
		&r.CreatedAt, &r.OpenedAt, &r.ReviewedAt, &r.ActionTaken, &r.reporterID, &r.reportedID,
	}
}

func selectReports(ctx context.Context, db pg.DB, admin uuid.UUID, reason Reason, after reportCursor, limit int) ([]QueuedReport, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+reportColumns+`
		FROM reports r
		WHERE r.status = 'pending'
			AND (r.over_limit, r.priority, r.created_at, r.id) > (@over, @priority, @at, @id)
			AND @reason IN ('', r.reason)
			AND `+notOwn+`
		ORDER BY r.over_limit, r.priority, r.created_at, r.id
		LIMIT @limit`, pgx.NamedArgs{
		"admin": admin, "over": after.OverLimit, "priority": after.Priority, "at": after.At, "id": after.ID, "limit": limit, "reason": reason,
	})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r QueuedReport, err error) {
		err = row.Scan(r.targets()...)
		return r, err
	})
}

// selectDecidedReports returns reports with a status other than pending, the newest decision
// first.
func selectDecidedReports(ctx context.Context, db pg.DB, admin uuid.UUID, status string, reason Reason, after reportCursor, limit int) ([]QueuedReport, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+reportColumns+`
		FROM reports r
		WHERE r.status = @status
			AND r.status <> 'pending'
			AND (r.reviewed_at, r.id) < (@at, @id)
			AND @reason IN ('', r.reason)
			AND `+notOwn+`
		ORDER BY r.reviewed_at DESC, r.id DESC
		LIMIT @limit`, pgx.NamedArgs{"admin": admin, "status": status, "reason": reason, "at": after.At, "id": after.ID, "limit": limit})
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r QueuedReport, err error) {
		err = row.Scan(r.targets()...)
		return r, err
	})
}

func countReports(ctx context.Context, db pg.DB, admin uuid.UUID) (c ReportCounts, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			count(*) FILTER (WHERE r.status = 'pending'),
			count(*) FILTER (WHERE r.status = 'pending' AND r.priority = 0),
			count(*) FILTER (WHERE r.status = 'pending'
				AND r.created_at < now() - (@hours::float8[])[r.priority + 1] * interval '1 hour'),
			count(*) FILTER (WHERE r.status = 'pending' AND r.reason = 'underage'),
			count(*) FILTER (WHERE r.status = 'reviewed'),
			count(*) FILTER (WHERE r.status = 'resolved')
		FROM reports r
		WHERE `+notOwn, pgx.NamedArgs{"admin": admin, "hours": queue.ReviewHours()}).
		Scan(&c.Pending, &c.Urgent, &c.Overdue, &c.Underage, &c.Reviewed, &c.Resolved)
	return c, pg.Fault(err)
}

// selectOpenedReport returns a report without cards and files, or NotFound like OpenReport.
func selectOpenedReport(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID) (r OpenedReport, err error) {
	row := tx.QueryRow(ctx, `
		SELECT `+reportColumns+`,
			CASE WHEN r.status = 'pending' THEN r.description ELSE '' END,
			CASE WHEN r.status = 'pending' AND r.source <> 'issue' THEN r.evidence END,
			(
				SELECT count(DISTINCT coalesce(o.reporter_id, o.id)) -- a deleted reporter counts as one
				FROM reports o
				WHERE o.reported_user_id = r.reported_user_id
					AND o.source = 'member'
					AND o.id <> r.id
					AND (o.reporter_id IS NULL OR o.reporter_id IS DISTINCT FROM r.reporter_id)
			),
			(
				SELECT count(*)
				FROM reports o
				WHERE o.reporter_id = r.reporter_id
					AND o.action_taken = 'no_action'
					AND o.source = 'member'
					AND o.id <> r.id
			),
			r.suspended_until,
			r.explanation,
			r.age_asked_at,
			r.reporter_address,
			r.departed_id IS NOT NULL AND r.status = 'pending'
		FROM reports r
		WHERE r.id = @id
			AND `+notOwn, pgx.NamedArgs{"id": id, "admin": admin})
	err = row.Scan(append(r.targets(), &r.Description, &r.Evidence, &r.OtherReports, &r.Unfounded, &r.SuspendedUntil, &r.Explanation, &r.AgeAskedAt, &r.ReporterAddress, &r.IsDeparted)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return r, errNoReport()
	}
	return r, err
}

// errNoReport is the error for a report that is unknown or hidden from the admin.
func errNoReport() error { return fault.New(fault.NotFound, "We could not find that.") }

func setOpened(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE reports SET opened_at = now() WHERE id = $1 AND status = 'pending' AND opened_at IS NULL`, id)
	return err
}

// selectReportFiles returns the files in the evidence of a report: those of the profile, then
// those of messages.
func selectReportFiles(ctx context.Context, db pg.DB, report uuid.UUID) ([]EvidenceFile, error) {
	rows, _ := db.Query(ctx, `
		SELECT file_id, content_type, message_id, slot
		FROM evidence_files
		WHERE subject_id = $1
		ORDER BY message_id NULLS FIRST, slot, position`, report)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (f EvidenceFile, err error) {
		err = row.Scan(&f.ID, &f.MimeType, &f.MessageID, &f.Slot)
		f.URL = evidenceURL("reports", report, f.ID, f.MimeType)
		return f, err
	})
}

// selectAdditions returns what was added to a report, the oldest first.
func selectAdditions(ctx context.Context, db pg.DB, report uuid.UUID) ([]Addition, error) {
	rows, _ := db.Query(ctx, `
		SELECT reason, description, evidence, created_at
		FROM report_additions
		WHERE report_id = $1
		ORDER BY created_at, id`, report)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (a Addition, err error) {
		err = row.Scan(&a.Reason, &a.Description, &a.Evidence, &a.CreatedAt)
		a.CreatedAt = web.Time(a.CreatedAt)
		return a, err
	})
}

// selectReportedFile returns the content type of a file of a pending report, and the reported
// member, or nil if the account was deleted. It returns NotFound like OpenReportedFile.
func selectReportedFile(ctx context.Context, db pg.DB, admin, report, id uuid.UUID) (contentType string, member *uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT e.content_type, r.reported_user_id
		FROM reports r
		JOIN evidence_files e ON e.subject_id = r.id
		WHERE r.id = @report
			AND e.file_id = @id
			AND r.status = 'pending'
			AND `+notOwn, pgx.NamedArgs{"report": report, "id": id, "admin": admin}).Scan(&contentType, &member)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil, errNoReport()
	}
	return contentType, member, pg.Fault(err)
}

// reportState is the state of a report that DecideReport and SendOutcome need.
type reportState struct {
	reporter, reported *uuid.UUID
	departed           *uuid.UUID // the row of departed_members of a former member; nil without one
	reviewer           *uuid.UUID // nil while the report is pending
	hidesProfile       bool
	hidBefore          bool // it hid the profile until its time was over
	status             string
	isIssue            bool
	aboutStaff         bool     // only another admin decides
	removesParts       bool     // of the profile; false while the report is pending
	isLookalike        bool     // about a possible second account of a blocked member
	hasAddress         bool     // a visitor's, for the answer to an issue
	decision           Decision // empty while the report is pending; without the reason
	reason             Reason
	source             string
}

// selectReportState returns the state of a report, or NotFound for an unknown one.
func selectReportState(ctx context.Context, tx pgx.Tx, id uuid.UUID) (d reportState, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			reporter_id,
			reported_user_id,
			departed_id,
			reviewed_by,
			hides_profile,
			NOT hides_profile AND hides_until IS NOT NULL,
			status,
			source = 'issue',
			source = 'block',
			reporter_address IS NOT NULL,
			coalesce(action_taken, ''),
			suspended_until,
			explanation,
			reason,
			source,
			`+aboutStaff+`,
			EXISTS (SELECT FROM sanctions s WHERE s.report_id = r.id AND s.parts <> '{}')
		FROM reports r
		WHERE id = $1`, id).
		Scan(&d.reporter, &d.reported, &d.departed, &d.reviewer, &d.hidesProfile, &d.hidBefore, &d.status, &d.isIssue, &d.isLookalike, &d.hasAddress, &d.decision.Action, &d.decision.SuspendedUntil, &d.decision.Explanation,
			&d.reason, &d.source, &d.aboutStaff, &d.removesParts)
	if errors.Is(err, pgx.ErrNoRows) {
		return d, errNoReport()
	}
	return d, err
}

// closeReport stores a decision. It returns Conflict if the report is already closed.
func closeReport(ctx context.Context, tx pgx.Tx, id, admin uuid.UUID, in Decision) error {
	tag, err := tx.Exec(ctx, `
		UPDATE reports
		SET
			status = CASE WHEN $3 IN ('suspend', 'ban', 'not_of_age') THEN 'resolved' ELSE 'reviewed' END,
			reviewed_by = $2,
			reviewed_at = now(),
			action_taken = $3,
			suspended_until = $4,
			explanation = $5
		WHERE id = $1
			AND status = 'pending'`, id, admin, in.Action, in.SuspendedUntil, in.Explanation)
	if err == nil && tag.RowsAffected() == 0 {
		return errDecided()
	}
	return err
}
