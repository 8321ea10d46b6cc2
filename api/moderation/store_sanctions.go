package moderation

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// insertSanction stores a sanction, and reports whether it did: false for a repetition. It
// returns Conflict if another sanction has the id. admin is Nil for the external moderation. An empty ground is
// CommunityRules, empty facts are those that the moderator found, and an empty automation is none.
func insertSanction(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID, s Sanction) (inserted bool, err error) {
	var same bool
	err = tx.QueryRow(ctx, `
		INSERT INTO sanctions AS s (
			id,
			user_id,
			kind,
			suspended_until,
			explanation,
			report_id,
			message_id,
			decided_by,
			deletes_at,
			ground,
			facts_from,
			automation,
			parts,
			created_at
		)
		VALUES (
			@id,
			@member,
			@kind,
			@suspendedUntil,
			@explanation,
			@report,
			@message,
			@admin,
			@deletesAt,
			@ground,
			@factsFrom,
			@automation,
			@parts,
			clock_timestamp()
		)
		ON CONFLICT (id) DO UPDATE SET id = s.id
		RETURNING
			xmax = 0,
			user_id = @member AND kind = @kind AND explanation = @explanation`, pgx.NamedArgs{
		"id": s.ID, "member": member, "kind": s.Kind, "suspendedUntil": s.SuspendedUntil, "explanation": s.Explanation,
		"report": s.ReportID, "message": s.MessageID, "admin": orNull(admin), "deletesAt": s.DeletesAt, "ground": cmp.Or(s.Ground, CommunityRules),
		"factsFrom": cmp.Or(s.FactsFrom, "moderator"), "automation": cmp.Or(s.Automation, "none"), "parts": append([]string{}, s.Parts...),
	}).Scan(&inserted, &same)
	if err == nil && !same {
		return false, errIDInUse
	}
	return inserted, err
}

// sanctionOfDecision returns the sanction of a decision on a report, and whether there is
// one.
func sanctionOfDecision(report uuid.UUID, about reportState, d Decision) (Sanction, bool) {
	kinds := map[string]SanctionKind{Warn: Warning, Remove: Removal, Suspend: Suspension, Ban: BanForGood, NotOfAge: BanForGood}
	kind, ok := kinds[d.Action]
	sanction := Sanction{ID: uuid.New(), Kind: kind, SuspendedUntil: d.SuspendedUntil, Explanation: d.Explanation, ReportID: &report}
	sanction.Ground, sanction.FactsFrom, sanction.Automation = cmp.Or(d.Ground, Ground(about.Reason)), "report", "none"
	if about.Source != "member" {
		sanction.FactsFrom, sanction.Automation = "pictures", "found"
	}
	if d.Action == NotOfAge {
		sanction.DeletesAt = new(time.Now().Add(appealTerm).UTC().Truncate(time.Second))
	}
	return sanction, ok
}

// Record is what admins see of a member's past: decisions and reports, without contents.
type Record struct {
	Sanctions []Sanction     `json:"sanctions" doc:"The newest 50"`
	Reports   []QueuedReport `json:"reports" doc:"The newest 20 about the member, without contents"`
	RecordCounts
}

// RecordCounts are the numbers of a Record.
type RecordCounts struct {
	ActiveWarnings   int `json:"activeWarnings" doc:"Warnings that still count: not older than a year, and not taken back"`
	ReportsAbout     int `json:"reportsAbout"`
	ReportsMade      int `json:"reportsMade"`
	UnfoundedReports int `json:"unfoundedReports" doc:"Reports by the member that were decided without consequences"`
	FlaggedMessages  int `json:"flaggedMessages" doc:"Messages of the member flagged within 90 days"`
	BlockedBy        int `json:"blockedBy" doc:"The number of members who have blocked the member"`
}

// The largest numbers of entries in a Record.
const (
	recordSanctions = 50
	recordReports   = 20
)

// RecordOf returns the record of a member for an admin or moderator, without the reports on which they may not decide.
func RecordOf(ctx context.Context, db pg.DB, admin, member uuid.UUID) (r Record, err error) {
	if r.RecordCounts, err = selectRecordCounts(ctx, db, admin, member); err != nil {
		return r, pg.Fault(err)
	}
	if r.Reports, err = selectReportsAbout(ctx, db, admin, member); err != nil {
		return r, pg.Fault(err)
	}
	if err := completeReports(ctx, db, r.Reports); err != nil {
		return r, err
	}
	r.Sanctions, err = selectSanctions(ctx, db, member)
	return r, err
}

func selectRecordCounts(ctx context.Context, db pg.DB, admin, member uuid.UUID) (RecordCounts, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			(
				SELECT count(*)
				FROM reports r
				WHERE r.reported_user_id = @member
					AND `+mayDecideReport+`
			) AS reports_about,
			made.reports AS reports_made,
			made.unfounded AS unfounded_reports,
			(
				SELECT count(*)
				FROM message_flags f
				WHERE f.sender_id = @member
					AND f.created_at > now() - interval '90 days'
			) AS flagged_messages,
			(
				SELECT count(DISTINCT b.blocker_id)
				FROM blocks b
				WHERE b.blocked_id = @member
			) AS blocked_by,
			(
				SELECT count(*)
				FROM sanctions s
				WHERE s.user_id = @member
					AND s.kind = 'warning'
					AND s.reversed_by IS NULL
					AND s.created_at > now() - make_interval(years => @years)
			) AS active_warnings
		FROM (
			SELECT
				count(*) AS reports,
				count(*) FILTER (WHERE r.action_taken = 'no_action') AS unfounded
			FROM reports r
			WHERE r.reporter_id = @member
				AND `+mayDecideReport+`
		) made`, pgx.NamedArgs{"member": member, "admin": admin, "years": warningYears})
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[RecordCounts])
}

func selectReportsAbout(ctx context.Context, db pg.DB, admin, member uuid.UUID) ([]QueuedReport, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+reportColumns+`
		FROM reports r
		WHERE r.reported_user_id = @member
			AND `+mayDecideReport+`
		ORDER BY r.created_at DESC
		LIMIT @limit`, pgx.NamedArgs{"member": member, "admin": admin, "limit": recordReports})
	return collect(rows, reportRow.report)
}

// recordedRow is a row of selectSanctions.
type recordedRow struct {
	statedRow
	ReportID   *uuid.UUID
	MessageID  *uuid.UUID
	DecidedBy  *uuid.UUID
	ReversedBy *uuid.UUID
	IsActive   bool
}

func (r recordedRow) sanction() Sanction {
	s := r.statedRow.sanction()
	s.ReportID, s.MessageID, s.decidedBy, s.ReversedBy, s.IsActive = r.ReportID, r.MessageID, r.DecidedBy, r.ReversedBy, r.IsActive
	return s
}

// selectSanctions returns the newest recordSanctions sanctions of a member, with the names of the admins.
func selectSanctions(ctx context.Context, db pg.DB, member uuid.UUID) ([]Sanction, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+statedColumns+`,
			s.report_id,
			s.message_id,
			s.decided_by,
			s.reversed_by,
			EXISTS (
				SELECT
				FROM sanctions_in_force f
				JOIN profiles p ON p.id = f.user_id
				WHERE f.id = s.id
					AND p.profile_status = CASE f.kind WHEN 'review' THEN 'under_review' ELSE 'suspended' END
			) AS is_active
		FROM sanctions s
		WHERE s.user_id = $1
		ORDER BY s.created_at DESC, s.id DESC
		LIMIT $2`, member, recordSanctions)
	list, err := collect(rows, recordedRow.sanction)
	if err != nil {
		return nil, pg.Fault(err)
	}
	var admins []uuid.UUID
	for _, s := range list {
		admins = append(admins, orNil(s.decidedBy))
	}
	cards, err := members.CardsForModerators(ctx, db, admins)
	for i := range list {
		s := &list[i]
		*s = s.complete(time.Now())
		s.CreatedAt, s.SuspendedUntil, s.DeletesAt, s.CountsUntil = web.Time(s.CreatedAt), timeOf(s.SuspendedUntil), timeOf(s.DeletesAt), timeOf(s.CountsUntil)
		if card := cardOf(cards, s.decidedBy); card != nil {
			s.DecidedBy = &card.FullName
		}
	}
	return list, err
}

// statedColumns are the columns of a statedRow.
const statedColumns = `
			s.id,
			s.kind,
			s.suspended_until,
			s.explanation,
			s.created_at,
			s.deletes_at,
			s.ground,
			s.facts_from,
			s.automation,
			s.parts`

// statedRow has the columns of sanction s that its statement of reasons needs.
type statedRow struct {
	ID             uuid.UUID
	Kind           SanctionKind
	SuspendedUntil *time.Time
	Explanation    string
	CreatedAt      time.Time
	DeletesAt      *time.Time
	Ground         Ground
	FactsFrom      string
	Automation     string
	Parts          []string
}

func (r statedRow) sanction() Sanction {
	return Sanction{
		ID: r.ID, Kind: r.Kind, SuspendedUntil: r.SuspendedUntil, Explanation: r.Explanation, CreatedAt: r.CreatedAt, DeletesAt: r.DeletesAt,
		Ground: r.Ground, FactsFrom: r.FactsFrom, Automation: r.Automation, Parts: r.Parts,
	}
}

// selectStatedSanctions returns all sanctions of a member, the oldest first.
func selectStatedSanctions(ctx context.Context, db pg.DB, member uuid.UUID) ([]Sanction, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+statedColumns+`
		FROM sanctions s
		WHERE s.user_id = $1
		ORDER BY s.created_at, s.id`, member)
	list, err := collect(rows, statedRow.sanction)
	return list, pg.Fault(err)
}

// selectSanctionsSince returns the sanctions of a member that were stored at a time or later, the oldest first.
func selectSanctionsSince(ctx context.Context, db pg.DB, member uuid.UUID, since time.Time) ([]Sanction, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+statedColumns+`
		FROM sanctions s
		WHERE s.user_id = $1
			AND s.created_at >= $2
		ORDER BY s.created_at, s.id`, member, since)
	list, err := collect(rows, statedRow.sanction)
	return list, pg.Fault(err)
}

// mailedSanction is a sanction with what its mail needs.
type mailedSanction struct {
	statedRow
	UserID    uuid.UUID
	ReportID  *uuid.UUID
	MessageID *uuid.UUID
}

func (m mailedSanction) sanction() Sanction {
	s := m.statedRow.sanction()
	s.ReportID, s.MessageID = m.ReportID, m.MessageID
	return s
}

// mailedColumns are the columns of a mailedSanction.
const mailedColumns = statedColumns + `,
			s.user_id,
			s.report_id,
			s.message_id`

// selectMailedSanction returns a sanction and its member, or pgx.ErrNoRows.
func selectMailedSanction(ctx context.Context, db pg.DB, id uuid.UUID) (Sanction, uuid.UUID, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+mailedColumns+`
		FROM sanctions s
		WHERE s.id = $1`, id)
	m, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[mailedSanction])
	return m.sanction(), m.UserID, err
}

// selectSanctionOfReport returns the sanction of the decision on a report, or pgx.ErrNoRows.
func selectSanctionOfReport(ctx context.Context, db pg.DB, report uuid.UUID) (Sanction, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+mailedColumns+`
		FROM sanctions s
		WHERE s.report_id = $1
			AND s.kind IN ('warning', 'removal', 'suspension', 'ban')
		ORDER BY s.created_at
		LIMIT 1`, report)
	m, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[mailedSanction])
	return m.sanction(), err
}
