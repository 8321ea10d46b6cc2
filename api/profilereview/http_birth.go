package profilereview

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

func registerBirthDates(api web.API, h handlers) {
	web.Get(api, web.Member, "get-birth-date-request", "/api/users/me/birth-date",
		"Get whether the caller asked a moderator for another birth date, and the answer", h.birthDate)
	web.Put(api, web.Member, "request-birth-date", "/api/users/me/birth-date",
		"Ask a moderator for another birth date; replaces an earlier request", h.requestBirthDate)
	web.Post(api, web.Moderator, "open-birth-date", "/api/admin/birth-dates/{id}/open",
		"Get a request for another birth date; each call is recorded in the audit log", h.openBirthDate)
	web.Post(api, web.Moderator, "decide-birth-date", "/api/admin/birth-dates/{id}/decide",
		"Approve or refuse a request for another birth date; idempotent", h.decideBirthDate)
}

type birthDateOutput struct{ Body BirthDateStatus }

func (h handlers) birthDate(ctx context.Context, _ *struct{}) (*birthDateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := h.s.BirthDate(ctx, actor.ID)
	return &birthDateOutput{status}, err
}

type requestBirthDateInput struct {
	Body struct {
		BirthDate   string `json:"birthDate" format:"date"`
		Explanation string `json:"explanation" minLength:"1" maxLength:"500" doc:"Why; for the moderator"`
	}
}

func (h handlers) requestBirthDate(ctx context.Context, in *requestBirthDateInput) (*birthDateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	status, err := h.s.AskForBirthDate(ctx, actor.ID, in.Body.BirthDate, in.Body.Explanation)
	return &birthDateOutput{status}, err
}

type openBirthDateOutput struct{ Body OpenedBirthDate }

func (h handlers) openBirthDate(ctx context.Context, in *openProfileInput) (*openBirthDateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	opened, err := h.s.OpenBirthDate(ctx, actor.ID, in.ID, in.Body.Reason)
	return &openBirthDateOutput{opened}, err
}

type decideBirthDateInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Decision string `json:"decision" enum:"approve,refuse"`
		Reason   string `json:"reason" minLength:"1" maxLength:"500" doc:"Recorded in the audit log, and told to a member whose request is refused"`
	}
}

func (h handlers) decideBirthDate(ctx context.Context, in *decideBirthDateInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.DecideBirthDate(ctx, actor.ID, in.ID, in.Body.Decision == "approve", in.Body.Reason)
}
