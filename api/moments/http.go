package moments

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"heartward/api/media"
	"heartward/api/platform/web"
)

// Register adds the operations on moments to api.
func Register(api web.API, s *Service) {
	api = api.WithMaxBody(8 << 10)
	h := handlers{s}
	web.Get(api, web.Member, "list-moments", "/api/moments",
		"List the caller's moments, the newest first", h.list)
	web.Get(api, web.Member, "list-moment-subjects", "/api/moments/subjects",
		"List what happened to the caller and has no moment, the newest first, at most 50", h.subjects)
	web.Post(api, web.Member, "create-moment", "/api/moments",
		"Make a moment of something that happened to the caller; 200 if there is one", h.create, web.Status(http.StatusCreated))
	web.Put(api, web.Member, "edit-moment", "/api/moments/{id}",
		"Change the caption of a moment", h.edit)
	web.Delete(api, web.Member, "delete-moment", "/api/moments/{id}",
		"Delete a moment with its picture", h.remove)
	web.Post(api, web.Member, "share-moment", "/api/moments/{id}/shares",
		"Count that the caller has shared a moment; idempotent", h.share)
	web.Put(api, web.Member, "set-moment-picture", "/api/moments/{id}/picture",
		"Store the picture of a moment from an upload; idempotent", h.setPicture, web.Timeout(media.FileTimeout))
	web.Post(api, web.Member, "ask-moment-consent", "/api/moments/{id}/consent",
		"Ask the other member of a match whether its picture may name them; idempotent", h.ask)
	web.Get(api, web.Member, "list-moment-consents", "/api/moments/consents",
		"List the requests to name the caller, and those that the caller has allowed", h.consents)
	web.Put(api, web.Member, "answer-moment-consent", "/api/moments/consents/{id}",
		"Allow or refuse to be named in another member's picture, at any time", h.answer)
}

type handlers struct{ s *Service }

type listInput struct{ web.Page }

type listOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Moment
}

func (h handlers) list(ctx context.Context, in *listInput) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.List(ctx, actor.ID, in.Page)
	return &listOutput{Link: web.NextLink("/api/moments", in.Query(), next), Body: list}, err
}

type subjectsInput struct {
	Type Kind `query:"type" enum:"match,badge,referral" required:"true"`
}

type subjectsOutput struct{ Body []Subject }

func (h handlers) subjects(ctx context.Context, in *subjectsInput) (*subjectsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.Subjects(ctx, actor.ID, in.Type)
	return &subjectsOutput{list}, err
}

type createInput struct {
	Body struct {
		MomentType Kind      `json:"momentType" enum:"match,badge,referral"`
		SubjectID  uuid.UUID `json:"subjectId" format:"uuid" doc:"One of the subjects"`
	}
}

type createOutput struct {
	Status int
	Body   Moment
}

func (h handlers) create(ctx context.Context, in *createInput) (*createOutput, error) {
	actor, _ := web.ActorOf(ctx)
	m, created, err := h.s.Create(ctx, actor.ID, in.Body.MomentType, in.Body.SubjectID)
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return &createOutput{status, m}, err
}

type momentInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type momentOutput struct{ Body Moment }

type editInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Caption string `json:"caption" maxLength:"280"`
	}
}

func (h handlers) edit(ctx context.Context, in *editInput) (*momentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	m, err := h.s.SetCaption(ctx, actor.ID, in.ID, in.Body.Caption)
	return &momentOutput{m}, err
}

func (h handlers) remove(ctx context.Context, in *momentInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Delete(ctx, actor.ID, in.ID)
}

type shareMomentInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		ClientID uuid.UUID `json:"clientId" format:"uuid" doc:"The id of the share, so that a repeated call counts once"`
		Channel  string    `json:"channel" enum:"stories,twitter,whatsapp,copy,device" doc:"device: the share sheet of the device"`
	}
}

// MomentShares is how often a moment was shared.
type MomentShares struct {
	ShareCount int `json:"shareCount"`
}

type shareMomentOutput struct{ Body MomentShares }

func (h handlers) share(ctx context.Context, in *shareMomentInput) (out *shareMomentOutput, err error) {
	actor, _ := web.ActorOf(ctx)
	out = &shareMomentOutput{}
	out.Body.ShareCount, err = h.s.Share(ctx, actor.ID, in.ID, in.Body.ClientID, in.Body.Channel)
	return out, err
}

type pictureInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		UploadID uuid.UUID `json:"uploadId" format:"uuid" doc:"A complete upload for the profile"`
	}
}

func (h handlers) setPicture(ctx context.Context, in *pictureInput) (*momentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	m, err := h.s.SetPicture(ctx, actor.ID, in.ID, in.Body.UploadID)
	return &momentOutput{m}, err
}

func (h handlers) ask(ctx context.Context, in *momentInput) (*momentOutput, error) {
	actor, _ := web.ActorOf(ctx)
	m, err := h.s.Ask(ctx, actor.ID, in.ID)
	return &momentOutput{m}, err
}

type consentsOutput struct{ Body []Consent }

func (h handlers) consents(ctx context.Context, _ *struct{}) (*consentsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.Consents(ctx, actor.ID)
	return &consentsOutput{list}, err
}

type answerInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Allow bool `json:"allow"`
	}
}

func (h handlers) answer(ctx context.Context, in *answerInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Answer(ctx, actor.ID, in.ID, in.Body.Allow)
}
