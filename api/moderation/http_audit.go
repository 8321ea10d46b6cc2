package moderation

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerAudit adds the admins' operation on the audit log.
func registerAudit(api web.API, h handlers) {
	web.Get(api, web.Admin, "list-audit-log", "/api/admin/audit",
		"List what admins did, the newest first", h.auditLog)
}

// TransformSchema marks the references that may be null, and describes the detail.
func (AuditEntry) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	detail := s.Properties["detail"]
	s.Properties["detail"] = &huma.Schema{Type: "object", Description: detail.Description, AdditionalProperties: true}
	return web.NullableRefs(s, "admin", "subject")
}

type auditInput struct {
	web.Page
	Action    string    `query:"action" maxLength:"100" doc:"An action, or the beginning of actions with a dot at its end"`
	AdminID   uuid.UUID `query:"adminId" format:"uuid"`
	SubjectID uuid.UUID `query:"subjectId" format:"uuid" doc:"The member concerned"`
	From      time.Time `query:"from"`
	Until     time.Time `query:"until"`
}

type auditOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []AuditEntry
}

func (h handlers) auditLog(ctx context.Context, in *auditInput) (*auditOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.AuditLog(ctx, actor.ID, AuditFilter{
		Action: in.Action, Admin: in.AdminID, Subject: in.SubjectID, From: in.From, Until: in.Until,
	}, in.Page)
	query := in.Query()
	for name, value := range map[string]string{"action": in.Action, "adminId": idText(in.AdminID), "subjectId": idText(in.SubjectID), "from": timeText(in.From), "until": timeText(in.Until)} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return &auditOutput{Link: web.NextLink("/api/admin/audit", query, next), Body: list}, err
}

// idText returns the text of an id, and "" for Nil.
func idText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// timeText returns the text of a time in a query, and "" for the zero time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}
