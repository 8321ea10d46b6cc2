package moderation

import (
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
// returns Conflict if another sanction has the id. admin is Nil for the external moderation.
func insertSanction(ctx context.Context, tx pgx.Tx, admin, member uuid.UUID, s Sanction) (inserted bool, err error) {
	var same bool
	err = tx.QueryRow(ctx, `
		INSERT INTO sanctions AS s (id, user_id, kind, suspended_until, explanation, report_id, message_id, decided_by, deletes_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, nullif($8, '00000000-0000-0000-0000-000000000000'::uuid), $9, clock_timestamp())
		ON CONFLICT (id) DO UPDATE SET id = s.id
		RETURNING xmax = 0, user_id = $2 AND kind = $3 AND explanation = $5`,
		s.ID, member, s.Kind, s.SuspendedUntil, s.Explanation, s.ReportID, s.MessageID, admin, s.DeletesAt).Scan(&inserted, &same)
	if err == nil && !same {
		return false, fault.New(fault.Conflict, "That id is in use.")
	}
	return inserted, err
}

// sanctionOfDecision returns the sanction of a decision on a report, and whether there is
// one.
func sanctionOfDecision(report uuid.UUID, d Decision) (Sanction, bool) {
	kinds := map[string]SanctionKind{Warn: Warning, Suspend: Suspension, Ban: BanForGood, NotOfAge: BanForGood}
	kind, ok := kinds[d.Action]
	sanction := Sanction{ID: uuid.New(), Kind: kind, SuspendedUntil: d.SuspendedUntil, Explanation: d.Explanation, ReportID: &report}
	if d.Action == NotOfAge {
		sanction.DeletesAt = new(time.Now().Add(appealTerm).UTC().Truncate(time.Second))
	}
	return sanction, ok
}

// Record is what admins see of a member's past: decisions and reports, without contents.
type Record struct {
	Sanctions        []Sanction     `json:"sanctions" doc:"The newest 50"`
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
			(SELECT count(DISTINCT b.blocker_id) FROM blocks b WHERE b.blocked_id = @member)`,
		pgx.NamedArgs{"member": member, "admin": admin}).
		Scan(&r.ReportsAbout, &r.ReportsMade, &r.UnfoundedReports, &r.FlaggedMessages, &r.BlockedBy)
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
		SELECT id, kind, suspended_until, explanation, report_id, message_id, decided_by, created_at, deletes_at
		FROM sanctions
		WHERE user_id = $1
		ORDER BY created_at DESC, id DESC
		LIMIT 50`, member)
	var admins []uuid.UUID
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s Sanction, err error) {
		err = row.Scan(&s.ID, &s.Kind, &s.SuspendedUntil, &s.Explanation, &s.ReportID, &s.MessageID, &s.decidedBy, &s.CreatedAt, &s.DeletesAt)
		admins = append(admins, orNil(s.decidedBy))
		return s, err
	})
	if err != nil {
		return nil, pg.Fault(err)
	}
	cards, err := members.CardsForModerators(ctx, db, admins)
	for i := range list {
		s := &list[i]
		s.CreatedAt, s.SuspendedUntil, s.DeletesAt = web.Time(s.CreatedAt), timeOf(s.SuspendedUntil), timeOf(s.DeletesAt)
		if card := cardOf(cards, s.decidedBy); card != nil {
			s.DecidedBy = &card.FullName
		}
	}
	return list, err
}

// selectMailedSanction returns a sanction and its member, or pgx.ErrNoRows.
func selectMailedSanction(ctx context.Context, db pg.DB, id uuid.UUID) (s Sanction, member uuid.UUID, err error) {
	err = db.QueryRow(ctx, `SELECT id, user_id, kind, suspended_until, explanation, report_id, message_id FROM sanctions WHERE id = $1`, id).
		Scan(&s.ID, &member, &s.Kind, &s.SuspendedUntil, &s.Explanation, &s.ReportID, &s.MessageID)
	return s, member, err
}
