package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// collect returns what convert makes of each row. Row has a field for each column.
func collect[Row, T any](rows pgx.Rows, convert func(Row) T) ([]T, error) {
	return pgx.CollectRows(rows, func(from pgx.CollectableRow) (converted T, err error) {
		row, err := pgx.RowToStructByName[Row](from)
		if err != nil {
			return converted, err
		}
		return convert(row), nil
	})
}

// canHaveMet is an SQL condition: @viewer can have met member u. Either u's profile was
// accepted once, even if it is suspended, reported, paused, incognito or blocked now, so that the responses do not tell why
// a profile is not visible; or @viewer has blocked u; or there is a like, match or conversation between them.
const canHaveMet = `(
		u.is_approved
			AND (u.profile_status <> 'under_review' OR ` + underReport + `)
		OR EXISTS (SELECT FROM likes l WHERE l.member_id = u.id AND l.peer_id = @viewer)
		OR EXISTS (SELECT FROM likes l WHERE l.member_id = @viewer AND l.peer_id = u.id)
		OR EXISTS (SELECT FROM blocks b WHERE b.blocker_id = @viewer AND b.blocked_id = u.id AND b.entry_id IS NULL)
		OR EXISTS (SELECT FROM match_sides m WHERE m.member_id = @viewer AND m.peer_id = u.id)
		OR EXISTS (SELECT FROM conversation_sides c WHERE c.member_id = @viewer AND c.peer_id = u.id))`

// underReport is an SQL condition: member u is under review because of a pending report.
const underReport = `EXISTS (SELECT FROM members_under_report r WHERE r.user_id = u.id)`

func checkCanHaveMet(ctx context.Context, tx pgx.Tx, viewer, id uuid.UUID) error {
	var ok bool
	err := tx.QueryRow(ctx, `SELECT `+canHaveMet+` FROM profiles u WHERE u.id = @id`, pgx.NamedArgs{"viewer": viewer, "id": id}).Scan(&ok)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !ok {
		return errNoMember
	}
	return err
}

func insertBlock(ctx context.Context, tx pgx.Tx, blocker, blocked uuid.UUID) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO blocks (blocker_id, blocked_id, created_at)
		VALUES ($1, $2, clock_timestamp())
		ON CONFLICT DO NOTHING`, blocker, blocked)
	return err
}

func deleteBlock(ctx context.Context, tx pgx.Tx, blocker, blocked uuid.UUID) error {
	_, err := tx.Exec(ctx, `DELETE FROM blocks WHERE blocker_id = $1 AND blocked_id = $2 AND entry_id IS NULL`, blocker, blocked)
	return err
}

func selectBlocks(ctx context.Context, db pg.DB, blocker uuid.UUID, after web.Cursor, limit int) ([]Blocked, error) {
	rows, _ := db.Query(ctx, `
		SELECT blocked_id, created_at
		FROM blocks
		WHERE blocker_id = $1
			AND entry_id IS NULL
			AND (created_at, blocked_id) < ($2, $3)
		ORDER BY created_at DESC, blocked_id DESC
		LIMIT $4`, blocker, after.At, after.ID, limit)
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (b Blocked, err error) {
		err = row.Scan(&b.User.ID, &b.BlockedAt)
		return b, err
	})
}

// earlierReport is a report by the same member about the same member, or the same post or comment.
type earlierReport struct {
	id        uuid.UUID // Nil without one
	isOpen    bool
	isSame    bool // has the same reason and words, within a day: a repetition
	priority  int
	overLimit bool
}

// selectEarlierReport returns the report that in repeats, or else the open one to which it is an addition, or a zero one.
// The caller must hold the reporter's lock.
func selectEarlierReport(ctx context.Context, tx pgx.Tx, reporter uuid.UUID, in ReportInput) (e earlierReport, err error) {
	err = tx.QueryRow(ctx, `
		SELECT
			e.id,
			e.is_open,
			e.is_same,
			e.priority,
			e.over_limit
		FROM (
			SELECT
				r.id,
				r.status = 'pending' AS is_open,
				r.priority,
				r.over_limit,
				r.created_at,
				(
					coalesce(r.filed_reason, r.reason) = @reason
					AND r.description = @description
					AND r.created_at > now() - interval '1 day'
				)
				OR EXISTS (
					SELECT
					FROM report_additions a
					WHERE a.report_id = r.id
						AND a.reason = @reason
						AND a.description = @description
						AND a.created_at > now() - interval '1 day'
				) AS is_same
			FROM reports r
			WHERE r.reporter_id = @reporter
				AND r.reported_user_id = @reported
				AND r.content_id IS NOT DISTINCT FROM @content
		) e
		WHERE e.is_open
			OR e.is_same
		ORDER BY e.is_open DESC, e.created_at DESC
		LIMIT 1`, pgx.NamedArgs{
		"reporter": reporter, "reported": in.UserID, "reason": in.Reason, "description": in.Description, "content": in.contentID(),
	}).Scan(&e.id, &e.isOpen, &e.isSame, &e.priority, &e.overLimit)
	if errors.Is(err, pgx.ErrNoRows) {
		return earlierReport{}, nil
	}
	return e, err
}

// isOverLimit reports whether a new report of the member is beyond the daily limit. The caller must hold the reporter's lock.
func isOverLimit(ctx context.Context, tx pgx.Tx, reporter uuid.UUID) (over bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT count(*) >= $2
		FROM reports
		WHERE reporter_id = $1
			AND created_at > now() - interval '1 day'`, reporter, reportsPerDay).Scan(&over)
	return over, err
}

func insertReport(ctx context.Context, tx pgx.Tx, receipt ReportReceipt, reporter uuid.UUID, in ReportInput, evidence Evidence, h hiding, overLimit bool) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO reports (
			id,
			reporter_id,
			reported_user_id,
			reason,
			description,
			place,
			priority,
			evidence,
			hides_profile,
			hides_until,
			content_id,
			created_at,
			over_limit,
			about_staff
		)
		SELECT
			@id,
			@reporter,
			u.id,
			@reason,
			@description,
			@place,
			@priority,
			@evidence,
			@hides,
			@hidesUntil,
			@content,
			clock_timestamp(),
			@overLimit,
			u.is_staff
		FROM profiles u
		WHERE u.id = @reported`, pgx.NamedArgs{
		"id": receipt.ID, "reporter": reporter, "reported": in.UserID, "reason": in.Reason, "description": in.Description, "place": in.Place,
		"priority": receipt.Priority, "evidence": evidence, "hides": h.hides, "hidesUntil": h.until, "content": in.contentID(), "overLimit": overLimit,
	})
	return err
}

// maxAdditions is how often a reporter can add to an open report.
const maxAdditions = 20

// insertAddition adds the words and the evidence to an open report, which becomes as urgent as they are. It returns
// Conflict after maxAdditions, unless it makes the report more urgent.
func insertAddition(ctx context.Context, tx pgx.Tx, report uuid.UUID, in ReportInput, evidence Evidence, h hiding) error {
	tag, err := tx.Exec(ctx, `
		INSERT INTO report_additions (id, report_id, reason, description, evidence)
		SELECT
			gen_random_uuid(),
			@report,
			@reason,
			@description,
			@evidence
		FROM report_additions
		WHERE report_id = @report
		HAVING count(*) < @max
			OR (SELECT priority FROM reports WHERE id = @report) > @priority`, pgx.NamedArgs{
		"report": report, "reason": in.Reason, "description": in.Description, "evidence": evidence, "max": maxAdditions, "priority": in.Reason.priority(),
	})
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return fault.New(fault.Conflict, "You have added a lot to this report. A moderator is going to read it.")
	}
	_, err = tx.Exec(ctx, `
		UPDATE reports
		SET
			reason = CASE WHEN $3 < priority THEN $2 ELSE reason END,
			filed_reason = CASE WHEN $3 < priority THEN coalesce(filed_reason, reason) ELSE filed_reason END,
			priority = least(priority, $3),
			hides_profile = hides_profile OR $4,
			hides_until = CASE WHEN $4 THEN $5 ELSE hides_until END
		WHERE id = $1`, report, in.Reason, in.Reason.priority(), h.hides, h.until)
	return err
}
