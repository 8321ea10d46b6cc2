package moderation

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heartward/api/members"
	"heartward/api/platform/web"
)

// registerPreview adds the operation that shows a decision before it is made.
func registerPreview(api web.API, h handlers) {
	web.Post(api, web.Moderator, "preview-decision", "/api/admin/decisions/preview",
		"Get what a decision would do and the mails it would send; it changes nothing", h.preview, web.Reads(), web.MaxBody(64<<10))
}

type previewDecisionInput struct {
	Body struct {
		Kind           string                `json:"kind" enum:"report,flag,appeal,member"`
		ID             uuid.UUID             `json:"id" format:"uuid" doc:"Of the report, flag, appeal or member"`
		Decision       string                `json:"decision" enum:"no_action,dismiss,keep_apart,warn,remove,suspend,ban,not_of_age,review,reinstate,upheld,lifted" doc:"In the words of the operation of its kind; of a member: warn, suspend, ban, review or reinstate"`
		SuspendedUntil *time.Time            `json:"suspendedUntil,omitempty"`
		Explanation    string                `json:"explanation,omitempty" maxLength:"500"`
		Parts          []members.ProfilePart `json:"parts,omitempty" maxItems:"30"`
		Ground         Ground                `json:"ground,omitempty" enum:"rules,underage,threat,assault,nonconsensual_images,scam,hate,harassment,fake_profile,not_single,inappropriate,spam,other"`
	}
}

type previewOutput struct{ Body DecisionPreview }

func (h handlers) preview(ctx context.Context, in *previewDecisionInput) (*previewOutput, error) {
	actor, _ := web.ActorOf(ctx)
	b := in.Body
	preview, err := h.s.Preview(ctx, actor, PreviewInput{
		Kind: b.Kind, ID: b.ID, Decision: b.Decision,
		Details: Decision{SuspendedUntil: b.SuspendedUntil, Explanation: b.Explanation, Ground: b.Ground, Parts: b.Parts},
	})
	return &previewOutput{preview}, err
}
