package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// registerSanctions adds the admins' operations on members.
func registerSanctions(api web.API, h handlers) {
	web.Put(api, web.Moderator, "set-member-status", "/api/admin/users/{id}/status",
		"Suspend a member, put them under review or reinstate them; idempotent", h.setStatus, web.MaxBody(64<<10))
	web.Put(api, web.Moderator, "warn-member", "/api/admin/users/{id}/warnings/{warningId}",
		"Mail a warning to a member; the client chooses the id of the warning; idempotent", h.warn, web.MaxBody(64<<10))
}

// SanctionBody is what the bodies of the operations that may sanction a member have in common.
type SanctionBody struct {
	SuspendedUntil *time.Time `json:"suspendedUntil,omitempty" doc:"The end of a suspension, within a year, or within 30 days if a moderator decides; only with a suspension"`
	Explanation    string     `json:"explanation,omitempty" maxLength:"500" doc:"Mailed to the member, so it must not reveal who reported them; required if the decision has consequences for the member"`
	Reason         string     `json:"reason,omitempty" maxLength:"500" doc:"Recorded in the audit log; required beside a decision or an explanation"`
	Ground         Ground     `json:"ground,omitempty" enum:"rules,underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other" doc:"The rule that was broken; by default that of the report, or the community rules"`
	AdminEmail     string     `json:"adminEmail,omitempty" maxLength:"254" doc:"Ignored: the session decides"`
}

type setStatusInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Status string `json:"status" enum:"active,suspended,under_review" doc:"A moderator can only suspend until a time; without a time a suspension has no end"`
		SanctionBody
	}
}

func (h handlers) setStatus(ctx context.Context, in *setStatusInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	reason, explanation := statusWords(in.Body.Status, in.Body.SanctionBody)
	return nil, h.s.SetStatus(ctx, actor.ID, in.ID, StatusChange{
		Status: in.Body.Status, SuspendedUntil: in.Body.SuspendedUntil, Explanation: explanation, Reason: reason,
		Ground:      in.Body.Ground,
		ByModerator: !actor.Admin,
	})
}

type warnInput struct {
	ID        uuid.UUID `path:"id" format:"uuid"`
	WarningID uuid.UUID `path:"warningId" format:"uuid" doc:"Chosen by the client"`
	Body      struct {
		Explanation string `json:"explanation" minLength:"1" maxLength:"500" doc:"Mailed to the member"`
		Reason      string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log"`
		Ground      Ground `json:"ground,omitempty" enum:"rules,underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other" doc:"The rule that was broken; by default the community rules"`
	}
}

func (h handlers) warn(ctx context.Context, in *warnInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Warn(ctx, actor.ID, in.ID, in.WarningID, in.Body.Explanation, in.Body.Ground, in.Body.Reason)
}
