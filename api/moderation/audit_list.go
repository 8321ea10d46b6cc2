package moderation

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/platform/pg"
	"heartward/api/platform/web"
)

// AuditEntry is a row of the audit log.
type AuditEntry struct {
	ID        int64           `json:"id"`
	Action    string          `json:"action" doc:"Such as report.ban, flag.open and settings.intention_tags"`
	Admin     *AuditedMember  `json:"admin" doc:"Null for an action on the command line"`
	Subject   *AuditedMember  `json:"subject" doc:"The member concerned; null for none"`
	Reason    string          `json:"reason"`
	Detail    json.RawMessage `json:"detail" doc:"An object; its fields depend on the action"`
	CreatedAt time.Time       `json:"createdAt"`

	adminID   uuid.UUID
	adminName *string // at the time of the action; nil in rows from before it was stored
	subjectID *uuid.UUID
}

// AuditedMember is a member in the audit log.
type AuditedMember struct {
	ID       uuid.UUID `json:"id"`
	FullName *string   `json:"fullName" nullable:"true" doc:"Of an admin at the time of the action, of a member now; null if the member's account was deleted"`
}

// AuditFilter selects rows of the audit log. A zero field selects all.
type AuditFilter struct {
	Action  string // an action, or the beginning of actions with a dot at its end, such as "report."
	Admin   uuid.UUID
	Subject uuid.UUID
	From    time.Time
	Until   time.Time
}

// auditCursor is the sort key of a row.
type auditCursor struct {
	ID int64 `json:"i"`
}

// AuditLog returns a page of the audit log, the newest rows first, and the cursor of the next
// page. It returns Invalid for an invalid cursor.
func (s *Service) AuditLog(ctx context.Context, admin uuid.UUID, f AuditFilter, page web.Page) ([]AuditEntry, string, error) {
	list := web.List{Name: "audit", Member: admin}
	after := auditCursor{ID: 1 << 62}
	if err := web.DecodeCursor(list, page.Cursor, &after); err != nil {
		return nil, "", err
	}
	rows, err := selectAudit(ctx, s.pool, f, after.ID, page.Limit+1)
	if err != nil {
		return nil, "", pg.Fault(err)
	}
	rows, next := web.Paginate(list, rows, page.Limit, func(e AuditEntry) auditCursor { return auditCursor{e.ID} })
	return rows, next, completeAudit(ctx, s.pool, rows)
}

// completeAudit adds the names that are not stored and the times as they are written in responses.
func completeAudit(ctx context.Context, db pg.DB, rows []AuditEntry) error {
	var ids []uuid.UUID
	for _, e := range rows {
		ids = append(ids, e.adminID, orNil(e.subjectID))
	}
	cards, err := members.CardsForModerators(ctx, db, ids)
	if err != nil {
		return err
	}
	audited := func(id uuid.UUID) *AuditedMember {
		if id == uuid.Nil {
			return nil
		}
		m := AuditedMember{ID: id}
		if card, ok := cards[id]; ok {
			m.FullName = &card.FullName
		}
		return &m
	}
	for i := range rows {
		e := &rows[i]
		e.Admin, e.Subject, e.CreatedAt = audited(e.adminID), audited(orNil(e.subjectID)), web.Time(e.CreatedAt)
		if e.adminName != nil {
			e.Admin.FullName = e.adminName
		}
	}
	return nil
}

// The conditions of an AuditFilter. Ids and times have the same order, so that a period is a range of ids.
const (
	auditHasAction = `
			AND action = @action`
	auditHasActionOf = `
			AND starts_with(action, @action)`
	auditHasAdmin = `
			AND admin_id = @admin`
	auditHasSubject = `
			AND subject_id = @subject`
	auditIsFrom = `
			AND id >= (SELECT id FROM audit_log WHERE created_at >= @from ORDER BY created_at, id LIMIT 1)`
	auditIsUntil = `
			AND id <= (SELECT id FROM audit_log WHERE created_at < @until ORDER BY created_at DESC, id DESC LIMIT 1)`
)

// where returns the conditions of the fields that are set, and their arguments. They are not one statement for all fields,
// whose plan could use the index of none of them.
func (f AuditFilter) where() (conditions string, args pgx.NamedArgs) {
	args = pgx.NamedArgs{"action": f.Action, "admin": f.Admin, "subject": f.Subject, "from": f.From, "until": f.Until}
	switch {
	case strings.HasSuffix(f.Action, "."):
		conditions += auditHasActionOf
	case f.Action != "":
		conditions += auditHasAction
	}
	if f.Admin != uuid.Nil {
		conditions += auditHasAdmin
	}
	if f.Subject != uuid.Nil {
		conditions += auditHasSubject
	}
	if !f.From.IsZero() {
		conditions += auditIsFrom
	}
	if !f.Until.IsZero() {
		conditions += auditIsUntil
	}
	return conditions, args
}

// auditRow is a row of audit_log.
type auditRow struct {
	ID        int64
	Action    string
	AdminID   uuid.UUID
	AdminName *string
	SubjectID *uuid.UUID
	Reason    string
	Detail    json.RawMessage
	CreatedAt time.Time
}

// entry returns the entry without the names that are not stored.
func (r auditRow) entry() AuditEntry {
	return AuditEntry{
		ID: r.ID, Action: r.Action, Reason: r.Reason, Detail: r.Detail, CreatedAt: r.CreatedAt,
		adminID: r.AdminID, adminName: r.AdminName, subjectID: r.SubjectID,
	}
}

func selectAudit(ctx context.Context, db pg.DB, f AuditFilter, before int64, limit int) ([]AuditEntry, error) {
	where, args := f.where()
	args["before"], args["limit"] = before, limit
	rows, _ := db.Query(ctx, `
		SELECT
			id,
			action,
			admin_id,
			admin_name,
			subject_id,
			reason,
			detail,
			created_at
		FROM audit_log
		WHERE id < @before`+where+`
		ORDER BY id DESC
		LIMIT @limit`, args)
	return collect(rows, auditRow.entry)
}
