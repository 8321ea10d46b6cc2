package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// aboutStaff is an SQL expression: the reported member of report r was an admin or a moderator when the report was filed,
// or is one now. The view reports_waiting has the same expression.
const aboutStaff = `(
				r.about_staff
				OR EXISTS (
					SELECT
					FROM profiles staff
					WHERE staff.id = r.reported_user_id
						AND staff.is_staff
				)
			)`

// mayDecideReport is an SQL condition: @admin, an admin or a moderator, may decide on report r. The report is neither by nor
// about @admin, nor, while another admin can decide, by or about a match of @admin; and it is not about a member of the staff, unless
// @admin is an admin.
const mayDecideReport = `r.reporter_id IS DISTINCT FROM @admin
			AND r.reported_user_id IS DISTINCT FROM @admin
			AND NOT (
				ARRAY[r.reporter_id, r.reported_user_id] && ARRAY(SELECT withheld_from(@admin))
				AND another_can_judge(@admin, ARRAY[r.reporter_id, r.reported_user_id])
			)
			AND (
				(SELECT caller.is_admin FROM profiles caller WHERE caller.id = @admin)
				OR NOT ` + aboutStaff + `
			)`

// reportColumns are the columns of a reportRow.
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

// reportRow is a row of reports r.
type reportRow struct {
	ID             uuid.UUID
	Reason         Reason
	Priority       int
	Status         string
	Source         string
	Place          string
	IssueKind      *string
	ContentID      *uuid.UUID
	OverLimit      bool
	HidesProfile   bool
	CreatedAt      time.Time
	OpenedAt       *time.Time
	ReviewedAt     *time.Time
	ActionTaken    *string
	ReporterID     *uuid.UUID
	ReportedUserID *uuid.UUID
}

// report returns the report without cards.
func (r reportRow) report() QueuedReport {
	return QueuedReport{
		ID: r.ID, Reason: r.Reason, Priority: r.Priority, Status: r.Status, Source: r.Source, Place: r.Place,
		IssueKind: r.IssueKind, ContentID: r.ContentID, OverLimit: r.OverLimit, HidesProfile: r.HidesProfile,
		CreatedAt: r.CreatedAt, OpenedAt: r.OpenedAt, ReviewedAt: r.ReviewedAt, ActionTaken: r.ActionTaken,
		reporterID: r.ReporterID, reportedID: r.ReportedUserID,
	}
}

// selectPendingReports returns reports in the order of the queue. It has the parameters of selectDecidedReports.
func selectPendingReports(ctx context.Context, db pg.DB, admin uuid.UUID, _ string, reason Reason, after reportCursor, limit int) ([]QueuedReport, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+reportColumns+`
		FROM reports r
		WHERE r.status = 'pending'
			AND (r.over_limit, r.priority, r.created_at, r.id) > (@over, @priority, @at, @id)
			AND @reason IN ('', r.reason)
			AND `+mayDecideReport+`
		ORDER BY r.over_limit, r.priority, r.created_at, r.id
		LIMIT @limit`, pgx.NamedArgs{
		"admin": admin, "over": after.OverLimit, "priority": after.Priority, "at": after.At, "id": after.ID, "limit": limit, "reason": reason,
	})
	return collect(rows, reportRow.report)
}

// selectDecidedReports returns reports with a status other than pending, the newest decision
// first.
func selectDecidedReports(ctx context.Context, db pg.DB, admin uuid.UUID, status string, reason Reason, after reportCursor, limit int) ([]QueuedReport, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+reportColumns+`
		FROM reports r
		WHERE r.status = @status
			AND r.status <> 'pending' -- the condition of the index reports_decided
			AND (r.reviewed_at, r.id) < (@at, @id)
			AND @reason IN ('', r.reason)
			AND `+mayDecideReport+`
		ORDER BY r.reviewed_at DESC, r.id DESC
		LIMIT @limit`, pgx.NamedArgs{"admin": admin, "status": status, "reason": reason, "at": after.At, "id": after.ID, "limit": limit})
	return collect(rows, reportRow.report)
}

func countReports(ctx context.Context, db pg.DB, admin uuid.UUID) (ReportCounts, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			count(*) FILTER (WHERE r.status = 'pending') AS pending,
			count(*) FILTER (WHERE r.status = 'pending' AND r.priority = 0) AS urgent,
			count(*) FILTER (
				WHERE r.status = 'pending'
					AND r.created_at < now() - (@hours::float8[])[r.priority + 1] * interval '1 hour'
			) AS overdue,
			count(*) FILTER (WHERE r.status = 'pending' AND r.reason = 'underage') AS underage,
			count(*) FILTER (WHERE r.status = 'reviewed') AS reviewed,
			count(*) FILTER (WHERE r.status = 'resolved') AS resolved
		FROM reports r
		WHERE `+mayDecideReport, pgx.NamedArgs{"admin": admin, "hours": queue.ReviewHours()})
	counts, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[ReportCounts])
	return counts, pg.Fault(err)
}

// openedReportRow is a row of selectOpenedReport.
type openedReportRow struct {
	reportRow
	Description     string
	Evidence        *Evidence
	OtherReports    int
	Unfounded       int
	SuspendedUntil  *time.Time
	Explanation     string
	AgeAskedAt      *time.Time
	ReporterAddress *string
	IsDeparted      bool
}

// selectOpenedReport returns a report without cards and files, or NotFound like OpenReport.
func selectOpenedReport(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID) (OpenedReport, error) {
	rows, _ := tx.Query(ctx, `
		SELECT `+reportColumns+`,
			CASE WHEN r.status = 'pending' THEN r.description ELSE '' END AS description,
			CASE WHEN r.status = 'pending' AND r.source <> 'issue' THEN r.evidence END AS evidence,
			(
				SELECT count(DISTINCT coalesce(o.reporter_id, o.id)) -- a deleted reporter counts as one
				FROM reports o
				WHERE o.reported_user_id = r.reported_user_id
					AND o.source = 'member'
					AND o.id <> r.id
					AND (o.reporter_id IS NULL OR o.reporter_id IS DISTINCT FROM r.reporter_id)
			) AS other_reports,
			(
				SELECT count(*)
				FROM reports o
				WHERE o.reporter_id = r.reporter_id
					AND o.action_taken = 'no_action'
					AND o.source = 'member'
					AND o.id <> r.id
			) AS unfounded,
			r.suspended_until,
			r.explanation,
			r.age_asked_at,
			r.reporter_address,
			r.departed_id IS NOT NULL AND r.status = 'pending' AS is_departed
		FROM reports r
		WHERE r.id = @id
			AND `+mayDecideReport, pgx.NamedArgs{"id": id, "admin": admin})
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[openedReportRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return OpenedReport{}, errNoCase
	}
	return OpenedReport{
		QueuedReport: r.report(), Description: r.Description, Evidence: r.Evidence, OtherReports: r.OtherReports, Unfounded: r.Unfounded,
		SuspendedUntil: r.SuspendedUntil, Explanation: r.Explanation, AgeAskedAt: r.AgeAskedAt, ReporterAddress: r.ReporterAddress,
		IsDeparted: r.IsDeparted,
	}, err
}

// setOpened stores the time of the first opening of a pending report.
func setOpened(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		UPDATE reports
		SET opened_at = now()
		WHERE id = $1
			AND status = 'pending'
			AND opened_at IS NULL`, id)
	return err
}

// selectReportFiles returns the files in the evidence of a report: those of the profile, then
// those of messages.
func selectReportFiles(ctx context.Context, db pg.DB, report uuid.UUID) ([]EvidenceFile, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			file_id,
			content_type,
			message_id,
			slot
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
		SELECT
			reason,
			description,
			evidence,
			created_at
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
			AND `+mayDecideReport, pgx.NamedArgs{"report": report, "id": id, "admin": admin}).Scan(&contentType, &member)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil, errNoCase
	}
	return contentType, member, pg.Fault(err)
}

// reportState is the state of a report that a decision needs.
type reportState struct {
	ReporterID     *uuid.UUID
	ReportedUserID *uuid.UUID
	DepartedID     *uuid.UUID // the row of departed_members of a former member; nil without one
	ReviewedBy     *uuid.UUID // nil while the report is pending
	HidesProfile   bool
	HidBefore      bool // it hid the profile until its time was over
	Status         string
	Source         string
	Reason         Reason
	IsAboutStaff   bool // only another admin decides
	HasAddress     bool // a visitor's, for the answer to an issue
	// The decision; zero while the report is pending.
	ActionTaken    string
	SuspendedUntil *time.Time
	Explanation    string
	RemovesParts   bool // of the profile
}

// isIssue reports whether the report is an issue, which is about no member.
func (r reportState) isIssue() bool { return r.Source == "issue" }

// isLookalike reports whether the report is about a possible second account of a blocked member.
func (r reportState) isLookalike() bool { return r.Source == "block" }

// selectReportState returns the state of a report, or NotFound for an unknown one.
func selectReportState(ctx context.Context, tx pgx.Tx, id uuid.UUID) (reportState, error) {
	rows, _ := tx.Query(ctx, `
		SELECT
			r.reporter_id,
			r.reported_user_id,
			r.departed_id,
			r.reviewed_by,
			r.hides_profile,
			NOT r.hides_profile AND r.hides_until IS NOT NULL AS hid_before,
			r.status,
			r.source,
			r.reason,
			`+aboutStaff+` AS is_about_staff,
			r.reporter_address IS NOT NULL AS has_address,
			coalesce(r.action_taken, '') AS action_taken,
			r.suspended_until,
			r.explanation,
			EXISTS (
				SELECT
				FROM sanctions s
				WHERE s.report_id = r.id
					AND s.parts <> '{}'
			) AS removes_parts
		FROM reports r
		WHERE r.id = $1`, id)
	state, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[reportState])
	if errors.Is(err, pgx.ErrNoRows) {
		return state, errNoCase
	}
	return state, err
}

// closeReport stores a decision. It returns Conflict with the decision if the report is already closed.
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
		return errReportDecided(ctx, tx, id)
	}
	return err
}

// errReportDecided returns the error for a report on which somebody has decided.
func errReportDecided(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	r, err := selectReportState(ctx, tx, id)
	if err != nil {
		return err
	}
	return queue.ErrDecided(ctx, tx, r.ReviewedBy, r.code())
}
