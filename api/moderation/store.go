package moderation

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// canHaveMet is an SQL condition: @viewer can have met member u. Either u's profile was
// accepted once, even if it is suspended, reported, paused, incognito or blocked now, so that the responses do not tell why
// a profile is not visible; or @viewer has blocked u; or there is a like, match or conversation between them.
const canHaveMet = `(
		u.is_approved
			AND (u.profile_status <> 'under_review' OR ` + underReport + `)
		OR ` + members.LikesViewer + `
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
		return notFound()
	}
	return err
}

func notFound() error { return fault.New(fault.NotFound, "We could not find that member.") }

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

// selectReport returns the id of the report about the same member, or the same post or comment, for the same
// reason within a day, or Nil. The caller must hold the reporter's lock.
func selectReport(ctx context.Context, tx pgx.Tx, reporter uuid.UUID, in ReportInput) (id uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `
		SELECT id
		FROM reports
		WHERE reporter_id = $1
			AND reported_user_id = $2
			AND reason = $3
			AND content_id IS NOT DISTINCT FROM $4
			AND created_at > now() - interval '1 day'
		ORDER BY created_at
		LIMIT 1`, reporter, in.UserID, in.Reason, in.contentID()).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	return id, err
}

// mayHide is an SQL condition on the profile u of a member whom @reporter reports for an
// urgent reason: the report may put it under review. That needs a match or conversation
// with the member, or a message from them, so that a request by the reporter is not enough.
// Without one a reporter may hide one other member at a time, and no one after a moderator
// found an urgent report of theirs about an existing member unfounded. A profile that is under review for a reason
// of its own is not affected, because the decision on the report would end that review.
const mayHide = `(
		EXISTS (
			SELECT FROM conversation_sides c
			WHERE c.member_id = @reporter
				AND c.peer_id = u.id
				AND (c.requested_by IS NULL OR c.requested_by = u.id))
		OR NOT EXISTS (
			SELECT FROM reports r
			WHERE r.reporter_id = @reporter
				AND r.priority = 0
				AND (r.action_taken = 'no_action' AND r.reported_user_id IS NOT NULL
					OR r.status = 'pending' AND r.hides_profile AND r.reported_user_id <> u.id)))
	AND (u.profile_status <> 'under_review' OR ` + underReport + `)`

// selectMayHide returns mayHide. The caller must hold the locks of both members.
func selectMayHide(ctx context.Context, tx pgx.Tx, reporter, reported uuid.UUID) (may bool, err error) {
	err = tx.QueryRow(ctx, `SELECT `+mayHide+` FROM profiles u WHERE u.id = @reported`,
		pgx.NamedArgs{"reporter": reporter, "reported": reported}).Scan(&may)
	return may, err
}

// insertReport inserts a report, and reports whether it is beyond the reporter's daily limit.
func insertReport(ctx context.Context, tx pgx.Tx, receipt ReportReceipt, reporter uuid.UUID, in ReportInput, evidence Evidence, hides bool) (overLimit bool, err error) {
	err = tx.QueryRow(ctx, `
		INSERT INTO reports (id, reporter_id, reported_user_id, reason, description, place, priority, evidence, hides_profile, content_id, created_at, over_limit)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, clock_timestamp(), count(*) >= $11
		FROM reports
		WHERE reporter_id = $2
			AND created_at > now() - interval '1 day'
		RETURNING over_limit`,
		receipt.ID, reporter, in.UserID, in.Reason, in.Description, in.Place, receipt.Priority, evidence, hides, in.contentID(), reportsPerDay).Scan(&overLimit)
	return overLimit, err
}
