package moderation

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/platform/feature"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
	"heartward/api/queue"
)

// causesStatus is an SQL condition: sanction s in force causes the profile status @status.
const causesStatus = `@status IN ('suspended', 'under_review')
			AND (s.kind = 'review') = (@status = 'under_review')`

// selectInForce returns the sanction in force that causes the profile status of a member: a
// ban, or the suspension that ends last. It returns nil if there is none.
func selectInForce(ctx context.Context, db pg.DB, member uuid.UUID, status string) (*Sanction, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+statedColumns+`
		FROM sanctions_in_force s
		WHERE s.user_id = @member
			AND `+causesStatus+`
		ORDER BY s.suspended_until DESC NULLS FIRST, s.created_at DESC, s.id DESC
		LIMIT 1`, pgx.NamedArgs{"member": member, "status": status})
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[statedRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return new(r.sanction()), err
}

// isInForce reports whether a sanction is among those that cause the profile status.
func isInForce(ctx context.Context, db pg.DB, id uuid.UUID, status string) (inForce bool, err error) {
	err = db.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM sanctions_in_force s
			WHERE s.id = @id
				AND `+causesStatus+`
		)`, pgx.NamedArgs{"id": id, "status": status}).Scan(&inForce)
	return inForce, err
}

// selectAppealable returns those of a member's sanctions against which the member can appeal now: one in force that causes the
// member's profile status, and a warning or removal of the last warningAppealDays that was not reversed. It does not ask whether
// there is an appeal.
func selectAppealable(ctx context.Context, db pg.DB, ids []uuid.UUID, status string) ([]uuid.UUID, error) {
	rows, _ := db.Query(ctx, `
		SELECT s.id
		FROM sanctions_in_force s
		WHERE s.id = ANY(@ids)
			AND `+causesStatus+`
		UNION
		SELECT s.id
		FROM sanctions s
		WHERE s.id = ANY(@ids)
			AND (s.kind = 'warning' OR s.parts <> '{}')
			AND s.reversed_by IS NULL
			AND s.created_at > now() - make_interval(days => @term)`,
		pgx.NamedArgs{"ids": ids, "status": status, "term": warningAppealDays})
	return pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
}

// selectAppealText returns the text of the member's appeal against a sanction, or nil without
// one. It returns NotFound for an unknown sanction and for one of another member.
func selectAppealText(ctx context.Context, db pg.DB, member, sanction uuid.UUID) (text *string, err error) {
	err = db.QueryRow(ctx, `
		SELECT a.content
		FROM sanctions s
		LEFT JOIN appeals a ON a.sanction_id = s.id
		WHERE s.id = $2
			AND s.user_id = $1`, member, sanction).Scan(&text)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, errNoCase
	}
	return text, err
}

func insertAppeal(ctx context.Context, tx pgx.Tx, member, sanction uuid.UUID, text string) error {
	_, err := tx.Exec(ctx, `INSERT INTO appeals (sanction_id, user_id, content) VALUES ($1, $2, $3)`, sanction, member, text)
	return err
}

// ownAppealRow is an appeal as its member sees it, with the id of the sanction.
type ownAppealRow struct {
	SanctionID uuid.UUID
	OwnAppeal
}

// selectOwnAppeals returns the appeals against sanctions, by the ids of these.
func selectOwnAppeals(ctx context.Context, db pg.DB, sanctions ...uuid.UUID) (map[uuid.UUID]*OwnAppeal, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			a.sanction_id,
			a.created_at,
			a.outcome,
			a.explanation,
			a.decided_at,
			coalesce(a.decided_by = s.decided_by, false) AS same_moderator
		FROM appeals a
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE a.sanction_id = ANY($1)`, sanctions)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[ownAppealRow])
	appeals := map[uuid.UUID]*OwnAppeal{}
	for _, row := range found {
		a := row.OwnAppeal
		a.CreatedAt, a.DecidedAt = web.Time(a.CreatedAt), timeOf(a.DecidedAt)
		appeals[row.SanctionID] = &a
	}
	return appeals, err
}

// counterpart is an SQL expression: the other party of sanction s, which is the reporter or the recipient of the flagged message. It
// is looked up for each row of a page: as a join it would be read of all sanctions.
const counterpart = `(SELECT c.member_id FROM sanction_counterparts c WHERE c.sanction_id = s.id)`

// mayDecideAppeal is an SQL condition: @admin is among the least involved admins, who decide on the appeal against sanction s.
const mayDecideAppeal = `may_judge_appeal(@admin, s.user_id, ` + counterpart + `, s.decided_by)`

// maySeeAppeal is an SQL condition: @admin may see the appeal against sanction s. Either no party is @admin or a match of @admin,
// or @admin decides on it for lack of somebody less involved.
const maySeeAppeal = `(
				NOT ARRAY[s.user_id, ` + counterpart + `] && (@admin::uuid || ARRAY(
					SELECT own.peer_id
					FROM match_sides own
					WHERE own.member_id = @admin
						AND own.unmatched_at IS NULL
				))
				OR ` + mayDecideAppeal + `
			)`

// appealColumns are the columns of an appealRow.
const appealColumns = `
			a.sanction_id,
			s.kind,
			s.created_at AS sanctioned_at,
			s.decided_by AS sanctioned_by,
			a.user_id,
			a.created_at,
			a.opened_at,
			a.decided_at,
			a.decided_by,
			a.outcome,
			` + mayDecideAppeal + ` AS may_decide`

// appealRow is a row of appeal a against sanction s.
type appealRow struct {
	SanctionID   uuid.UUID
	Kind         SanctionKind
	SanctionedAt time.Time
	SanctionedBy *uuid.UUID
	UserID       uuid.UUID
	CreatedAt    time.Time
	OpenedAt     *time.Time
	DecidedAt    *time.Time
	DecidedBy    *uuid.UUID
	Outcome      *string
	MayDecide    bool
}

// appeal returns the appeal without cards.
func (r appealRow) appeal() QueuedAppeal {
	return QueuedAppeal{
		ID: r.SanctionID, Kind: r.Kind, SanctionedAt: r.SanctionedAt, CreatedAt: r.CreatedAt, OpenedAt: r.OpenedAt, DecidedAt: r.DecidedAt,
		Outcome: r.Outcome, MayDecide: r.MayDecide,
		userID: r.UserID, sanctionedBy: r.SanctionedBy, decidedBy: r.DecidedBy,
	}
}

// selectPendingAppeals returns the appeals without a decision, the oldest first.
func selectPendingAppeals(ctx context.Context, db pg.DB, admin uuid.UUID, after web.Cursor, limit int) ([]QueuedAppeal, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+appealColumns+`
		FROM appeals a
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE `+maySeeAppeal+`
			AND a.outcome IS NULL
			AND (a.created_at, a.sanction_id) > (@at, @id)
		ORDER BY a.created_at, a.sanction_id
		LIMIT @limit`, pgx.NamedArgs{"admin": admin, "at": after.At, "id": after.ID, "limit": limit})
	return collect(rows, appealRow.appeal)
}

// selectDecidedAppeals returns the appeals with a decision, the newest decision first.
func selectDecidedAppeals(ctx context.Context, db pg.DB, admin uuid.UUID, after web.Cursor, limit int) ([]QueuedAppeal, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+appealColumns+`
		FROM appeals a
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE `+maySeeAppeal+`
			AND a.outcome IS NOT NULL
			AND (a.decided_at, a.sanction_id) < (@at, @id)
		ORDER BY a.decided_at DESC, a.sanction_id DESC
		LIMIT @limit`, pgx.NamedArgs{"admin": admin, "at": after.At, "id": after.ID, "limit": limit})
	return collect(rows, appealRow.appeal)
}

func countAppeals(ctx context.Context, db pg.DB, admin uuid.UUID) (c AppealCounts, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			count(*),
			count(*) FILTER (WHERE a.created_at < now() - @hours * interval '1 hour')
		FROM appeals a
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE a.outcome IS NULL
			AND `+maySeeAppeal, pgx.NamedArgs{"admin": admin, "hours": queue.ReviewTime(appealUrgency).Hours()}).Scan(&c.Pending, &c.Overdue)
	return c, pg.Fault(err)
}

// openedAppealRow is a row of selectOpenedAppeal.
type openedAppealRow struct {
	appealRow
	Content            string
	SuspendedUntil     *time.Time
	Explanation        string
	ReportID           *uuid.UUID
	MessageID          *uuid.UUID
	OutcomeExplanation string
}

// selectOpenedAppeal returns an appeal without cards, or NotFound like OpenAppeal.
func selectOpenedAppeal(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID) (OpenedAppeal, error) {
	rows, _ := tx.Query(ctx, `
		SELECT `+appealColumns+`,
			a.content,
			s.suspended_until,
			s.explanation,
			s.report_id,
			s.message_id,
			a.explanation AS outcome_explanation
		FROM appeals a
		JOIN sanctions s ON s.id = a.sanction_id
		WHERE a.sanction_id = @id
			AND `+maySeeAppeal, pgx.NamedArgs{"admin": admin, "id": id})
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[openedAppealRow])
	if errors.Is(err, pgx.ErrNoRows) {
		return OpenedAppeal{}, errNoCase
	}
	return OpenedAppeal{
		QueuedAppeal: r.appeal(), Text: r.Content, SuspendedUntil: r.SuspendedUntil, Explanation: r.Explanation, ReportID: r.ReportID,
		MessageID: r.MessageID, OutcomeExplanation: r.OutcomeExplanation,
	}, err
}

// selectAppellant returns the member of an appeal, or NotFound.
func selectAppellant(ctx context.Context, tx pgx.Tx, id uuid.UUID) (member uuid.UUID, err error) {
	err = tx.QueryRow(ctx, `SELECT user_id FROM appeals WHERE sanction_id = $1`, id).Scan(&member)
	if errors.Is(err, pgx.ErrNoRows) {
		return member, errNoCase
	}
	return member, err
}

func setAppealOpened(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE appeals SET opened_at = now() WHERE sanction_id = $1 AND outcome IS NULL AND opened_at IS NULL`, id)
	return err
}

func closeAppeal(ctx context.Context, tx pgx.Tx, admin, id uuid.UUID, in AppealDecision) error {
	_, err := tx.Exec(ctx, `
		UPDATE appeals
		SET
			decided_by = $2,
			decided_at = clock_timestamp(),
			outcome = $3,
			explanation = $4
		WHERE sanction_id = $1`, id, admin, in.Outcome, in.Explanation)
	return err
}

// hasHiddenAppeal reports whether a member has a pending appeal that the admin may not see.
func hasHiddenAppeal(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID) (isHidden bool, err error) {
	err = tx.QueryRow(ctx, `
		SELECT EXISTS (
			SELECT
			FROM appeals a
			JOIN sanctions s ON s.id = a.sanction_id
			WHERE a.user_id = @member
				AND a.outcome IS NULL
				AND NOT `+maySeeAppeal+`
		)`, pgx.NamedArgs{"admin": admin, "member": member}).Scan(&isHidden)
	return isHidden, err
}

// liftAppeals closes the pending appeals of a member whom an admin reinstates.
func liftAppeals(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID, explanation string) error {
	_, err := tx.Exec(ctx, `
		UPDATE appeals
		SET
			decided_by = $1,
			decided_at = clock_timestamp(),
			outcome = 'lifted',
			explanation = $3
		WHERE user_id = $2
			AND outcome IS NULL`, admin, member, explanation)
	return err
}

var appealEnd = feature.After(90*feature.Day, "decided_at", "the decision on the appeal")

// DeleteOldAppeals empties at most limit texts of appeals 90 days after the decision, and
// returns their number.
func DeleteOldAppeals(ctx context.Context, db pg.DB, limit int) (int, error) {
	tag, err := db.Exec(ctx, `
		UPDATE appeals
		SET content = ''
		WHERE sanction_id IN (
			SELECT sanction_id
			FROM appeals
			WHERE content <> ''
				AND `+appealEnd.Due()+`
			LIMIT $1
			FOR UPDATE SKIP LOCKED)`, limit)
	return int(tag.RowsAffected()), pg.Fault(err)
}
