package moderation

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/fault"
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
			id, user_id, kind, suspended_until, explanation, report_id, message_id, decided_by, deletes_at, ground, facts_from, automation, parts, created_at
		)
		VALUES ($1, $2, $3, $4, $5, $6, $7, nullif($8, '00000000-0000-0000-0000-000000000000'::uuid), $9, $10, $11, $12, $13, clock_timestamp())
		ON CONFLICT (id) DO UPDATE SET id = s.id
		RETURNING xmax = 0, user_id = $2 AND kind = $3 AND explanation = $5`,
		s.ID, member, s.Kind, s.SuspendedUntil, s.Explanation, s.ReportID, s.MessageID, admin, s.DeletesAt,
		cmp.Or(s.Ground, CommunityRules), cmp.Or(s.FactsFrom, "moderator"), cmp.Or(s.Automation, "none"), append([]string{}, s.Parts...)).Scan(&inserted, &same)
	if err == nil && !same {
		return false, fault.New(fault.Conflict, "That id is in use.")
	}
	return inserted, err
}

// sanctionOfDecision returns the sanction of a decision on a report, and whether there is
// one.
func sanctionOfDecision(report uuid.UUID, about reportState, d Decision) (Sanction, bool) {
	kinds := map[string]SanctionKind{Warn: Warning, Remove: Removal, Suspend: Suspension, Ban: BanForGood, NotOfAge: BanForGood}
	kind, ok := kinds[d.Action]
	sanction := Sanction{ID: uuid.New(), Kind: kind, SuspendedUntil: d.SuspendedUntil, Explanation: d.Explanation, ReportID: &report}
	sanction.Ground, sanction.FactsFrom, sanction.Automation = cmp.Or(d.Ground, Ground(about.reason)), "report", "none"
	if about.source != "member" {
		sanction.FactsFrom, sanction.Automation = "pictures", "found"
	}
	if d.Action == NotOfAge {
		sanction.DeletesAt = new(time.Now().Add(appealTerm).UTC().Truncate(time.Second))
	}
	return sanction, ok
}

// Record is what admins see of a member's past: decisions and reports, without contents.
type Record struct {
	Sanctions        []Sanction     `json:"sanctions" doc:"The newest 50"`
	ActiveWarnings   int            `json:"activeWarnings" doc:"Warnings that still count: not older than a year, and not taken back"`
	Reports          []QueuedReport `json:"reports" doc:"The newest 20 about the member, without contents"`
	ReportsAbout     int            `json:"reportsAbout"`
	ReportsMade      int            `json:"reportsMade"`
	UnfoundedReports int            `json:"unfoundedReports" doc:"Reports by the member that were decided without consequences"`
	FlaggedMessages  int            `json:"flaggedMessages" doc:"Messages of the member flagged within 90 days"`
	BlockedBy        int            `json:"blockedBy" doc:"The number of members who have blocked the member"`
}

// RecordOf returns the record of a member for an admin, without reports by the admin.
func RecordOf(ctx context.Context, db pg.DB, admin, member uuid.UUID) (r Record, err error) {
	err = db.QueryRow(ctx, `
		SELECT
			(SELECT count(*) FROM reports r WHERE r.reported_user_id = @member AND `+notOwn+`),
			(SELECT count(*) FROM reports r WHERE r.reporter_id = @member AND `+notOwn+`),
			(SELECT count(*) FROM reports r WHERE r.reporter_id = @member AND r.action_taken = 'no_action' AND `+notOwn+`),
			(SELECT count(*) FROM message_flags f WHERE f.sender_id = @member AND f.created_at > now() - interval '90 days'),
			(SELECT count(DISTINCT b.blocker_id) FROM blocks b WHERE b.blocked_id = @member),
			(
				SELECT count(*)
				FROM sanctions s
				WHERE s.user_id = @member
					AND s.kind = 'warning'
					AND s.reversed_by IS NULL
					AND s.created_at > now() - make_interval(years => @years)
			)`,
		pgx.NamedArgs{"member": member, "admin": admin, "years": warningYears}).
		Scan(&r.ReportsAbout, &r.ReportsMade, &r.UnfoundedReports, &r.FlaggedMessages, &r.BlockedBy, &r.ActiveWarnings)
	if err != nil {
		return r, pg.Fault(err)
	}
	rows, _ := db.Query(ctx, `
		SELECT `+reportColumns+`
		FROM reports r
		WHERE r.reported_user_id = @member
			AND `+notOwn+`
		ORDER BY r.created_at DESC
		LIMIT 20`, pgx.NamedArgs{"member": member, "admin": admin})
	r.Reports, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (q QueuedReport, err error) {
		err = row.Scan(q.targets()...)
		return q, err
	})
	if err != nil {
		return r, pg.Fault(err)
	}
	if err := completeReports(ctx, db, r.Reports); err != nil {
		return r, err
	}
	r.Sanctions, err = selectSanctions(ctx, db, member)
	return r, err
}

func selectSanctions(ctx context.Context, db pg.DB, member uuid.UUID) ([]Sanction, error) {
	rows, _ := db.Query(ctx, `
		SELECT
			s.id,
			s.kind,
			s.suspended_until,
			s.explanation,
			s.report_id,
			s.message_id,
			s.decided_by,
			s.created_at,
			s.deletes_at,
			s.ground,
			s.facts_from,
			s.automation,
			s.reversed_by,
			s.parts,
			EXISTS (
				SELECT
				FROM sanctions_in_force f
				JOIN profiles p ON p.id = f.user_id
				WHERE f.id = s.id
					AND p.profile_status = CASE f.kind WHEN 'review' THEN 'under_review' ELSE 'suspended' END
			)
		FROM sanctions s
		WHERE s.user_id = $1
		ORDER BY s.created_at DESC, s.id DESC
		LIMIT 50`, member)
	var admins []uuid.UUID
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s Sanction, err error) {
		err = row.Scan(&s.ID, &s.Kind, &s.SuspendedUntil, &s.Explanation, &s.ReportID, &s.MessageID, &s.decidedBy, &s.CreatedAt, &s.DeletesAt,
			&s.Ground, &s.FactsFrom, &s.Automation, &s.ReversedBy, &s.Parts, &s.IsActive)
		admins = append(admins, orNil(s.decidedBy))
		return s, err
	})
	if err != nil {
		return nil, pg.Fault(err)
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

// selectMailedSanction returns a sanction and its member, or pgx.ErrNoRows.
func selectMailedSanction(ctx context.Context, db pg.DB, id uuid.UUID) (s Sanction, member uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT `+mailedColumns+`
		FROM sanctions s
		WHERE s.id = $1`, id).Scan(s.mailTargets(&member)...)
	return s, member, err
}

// selectSanctionOfReport returns the sanction of the decision on a report and its member, or pgx.ErrNoRows.
func selectSanctionOfReport(ctx context.Context, db pg.DB, report uuid.UUID) (s Sanction, member uuid.UUID, err error) {
	err = db.QueryRow(ctx, `
		SELECT `+mailedColumns+`
		FROM sanctions s
		WHERE s.report_id = $1
			AND s.kind IN ('warning', 'removal', 'suspension', 'ban')
		ORDER BY s.created_at
		LIMIT 1`, report).Scan(s.mailTargets(&member)...)
	return s, member, err
}

// statedColumns of sanction s are those of its statement of reasons.
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

// statedTargets returns the destinations of statedColumns.
func (s *Sanction) statedTargets() []any {
	return []any{&s.ID, &s.Kind, &s.SuspendedUntil, &s.Explanation, &s.CreatedAt, &s.DeletesAt, &s.Ground, &s.FactsFrom, &s.Automation, &s.Parts}
}

// selectStatedSanctions returns all sanctions of a member.
func selectStatedSanctions(ctx context.Context, db pg.DB, member uuid.UUID) ([]Sanction, error) {
	rows, _ := db.Query(ctx, `
		SELECT `+statedColumns+`
		FROM sanctions s
		WHERE s.user_id = $1`, member)
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s Sanction, err error) {
		err = row.Scan(s.statedTargets()...)
		return s, err
	})
	return list, pg.Fault(err)
}

// mailedColumns of sanction s are those of its mail.
const mailedColumns = statedColumns + `,
			s.user_id,
			s.report_id,
			s.message_id`

// mailTargets returns the destinations of mailedColumns.
func (s *Sanction) mailTargets(member *uuid.UUID) []any {
	return append(s.statedTargets(), member, &s.ReportID, &s.MessageID)
}
