package dates

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

type handlers struct{ s *Service }

// Register adds the operations of package dates. All require a session, except the
// one that returns a shared date.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Post(api, web.Member, "propose-date", "/api/conversations/{id}/dates",
		"Propose a date; idempotent by clientId", h.propose, web.Status(http.StatusCreated))
	web.Get(api, web.Member, "list-dates", "/api/dates",
		"List the caller's dates: upcoming ones, the next first, or past ones, the latest first", h.list)
	web.Get(api, web.Member, "get-date", "/api/dates/{id}",
		"Get one of the caller's dates", h.get)
	web.Put(api, web.Member, "change-date", "/api/dates/{id}",
		"Propose another place or time for a date", h.change)
	web.Post(api, web.Member, "accept-date", "/api/dates/{id}/accept",
		"Accept a proposed date", h.accept)
	web.Post(api, web.Member, "decline-date", "/api/dates/{id}/decline",
		"Decline a proposed date", h.decline)
	web.Post(api, web.Member, "cancel-date", "/api/dates/{id}/cancel",
		"Withdraw a proposal or cancel an accepted date", h.cancel)
	web.Get(api, web.Member, "get-date-calendar", "/api/dates/{id}/ics",
		"Get one of the caller's dates as a calendar file", h.calendar, web.Returns("text/calendar", "The file (RFC 5545)"))
	web.Put(api, web.Member, "give-date-feedback", "/api/dates/{id}/feedback",
		"Store the caller's private feedback on a date", h.giveFeedback)
	web.Post(api, web.Member, "share-date", "/api/dates/{id}/shares",
		"Create a link that shows a date to a friend", h.share, web.Status(http.StatusCreated))
	web.Delete(api, web.Member, "end-date-shares", "/api/dates/{id}/shares",
		"Delete the caller's links to a date", h.endShares)
	web.Post(api, web.Anyone, "get-shared-date", "/api/shared-dates",
		"Get the date of a valid link; the token is in the body, so that no proxy logs it", h.shared)
}

// PlanInput is the place and time of a proposed date.
type PlanInput struct {
	Place    string    `json:"place" minLength:"1" maxLength:"120"`
	At       time.Time `json:"at" format:"date-time" doc:"In the future, within a year"`
	TimeZone string    `json:"timeZone" minLength:"1" maxLength:"64" doc:"An IANA name, such as America/Los_Angeles"`
	Note     string    `json:"note,omitempty" maxLength:"300"`
}

func (p PlanInput) plan() Plan {
	return Plan{Place: p.Place, Note: p.Note, At: p.At, TimeZone: p.TimeZone}
}

type proposeDateInput struct {
	ID   uuid.UUID `path:"id" format:"uuid" doc:"The id of the conversation"`
	Body struct {
		PlanInput
		ClientID uuid.UUID `json:"clientId" format:"uuid" doc:"A UUIDv7 created by the device; the same for each retry"`
	}
}

type dateOutput struct {
	Status int
	Body   Date
}

func (h handlers) propose(ctx context.Context, in *proposeDateInput) (*dateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	result, err := h.s.Propose(ctx, actor, in.ID, in.Body.ClientID, in.Body.plan())
	status := http.StatusCreated
	if result.Repeated {
		status = http.StatusOK
	}
	return &dateOutput{status, result.Date}, err
}

type listInput struct {
	web.Page
	When Period `query:"when" enum:"upcoming,past" default:"upcoming"`
}

type listOutput struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []Date
}

func (h handlers) list(ctx context.Context, in *listInput) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.List(ctx, actor, in.When, in.Cursor, in.Limit)
	query := url.Values{"when": {string(in.When)}, "limit": {strconv.Itoa(in.Limit)}}
	return &listOutput{Link: web.NextLink("/api/dates", query, next), Body: list}, err
}

type dateInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

func (h handlers) get(ctx context.Context, in *dateInput) (*dateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	date, err := h.s.Get(ctx, actor, in.ID)
	return &dateOutput{http.StatusOK, date}, err
}

type changeDateInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		PlanInput
		Revision int `json:"revision" minimum:"1" maximum:"1000000" doc:"The revision that the client has seen; 409 if there is a newer one"`
	}
}

func (h handlers) change(ctx context.Context, in *changeDateInput) (*dateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	date, err := h.s.Change(ctx, actor, in.ID, in.Body.Revision, in.Body.plan())
	return &dateOutput{http.StatusOK, date}, err
}

type dateRevisionInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Revision int `json:"revision" minimum:"1" maximum:"1000000" doc:"The revision that the client has seen; 409 if there is a newer one"`
	}
}

type revisionFunc func(context.Context, web.Actor, uuid.UUID, int) (Date, error)

func callWithRevision(ctx context.Context, in *dateRevisionInput, call revisionFunc) (*dateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	date, err := call(ctx, actor, in.ID, in.Body.Revision)
	return &dateOutput{http.StatusOK, date}, err
}

func (h handlers) accept(ctx context.Context, in *dateRevisionInput) (*dateOutput, error) {
	return callWithRevision(ctx, in, h.s.Accept)
}

func (h handlers) decline(ctx context.Context, in *dateRevisionInput) (*dateOutput, error) {
	return callWithRevision(ctx, in, h.s.Decline)
}

func (h handlers) cancel(ctx context.Context, in *dateRevisionInput) (*dateOutput, error) {
	return callWithRevision(ctx, in, h.s.Cancel)
}

type calendarOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

func (h handlers) calendar(ctx context.Context, in *dateInput) (*calendarOutput, error) {
	actor, _ := web.ActorOf(ctx)
	text, err := h.s.Calendar(ctx, actor, in.ID)
	return &calendarOutput{"text/calendar; charset=utf-8", `attachment; filename="heartward-date.ics"`, []byte(text)}, err
}

type dateFeedbackInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Met      Met    `json:"met" enum:"yes,no,not_yet"`
		FeltSafe *bool  `json:"feltSafe,omitempty"`
		Note     string `json:"note,omitempty" maxLength:"500"`
	}
}

func (h handlers) giveFeedback(ctx context.Context, in *dateFeedbackInput) (*dateOutput, error) {
	actor, _ := web.ActorOf(ctx)
	date, err := h.s.GiveFeedback(ctx, actor, in.ID, Feedback{Met: in.Body.Met, FeltSafe: in.Body.FeltSafe, Note: in.Body.Note})
	return &dateOutput{http.StatusOK, date}, err
}

type shareDateInput struct {
	ID   uuid.UUID `path:"id" format:"uuid"`
	Body struct {
		Hours int `json:"hours" minimum:"1" maximum:"8800" doc:"The lifetime of the link in hours; it ends at the latest a day after the date"`
	}
}

type shareOutput struct{ Body Link }

func (h handlers) share(ctx context.Context, in *shareDateInput) (*shareOutput, error) {
	actor, _ := web.ActorOf(ctx)
	share, err := h.s.Share(ctx, actor, in.ID, in.Body.Hours)
	return &shareOutput{share}, err
}

func (h handlers) endShares(ctx context.Context, in *dateInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.EndShares(ctx, actor, in.ID)
}

type sharedInput struct {
	Body struct {
		Token string `json:"token" maxLength:"64"`
	}
}

type sharedOutput struct {
	Robots string `header:"X-Robots-Tag"`
	Body   SharedDate
}

func (h handlers) shared(ctx context.Context, in *sharedInput) (*sharedOutput, error) {
	date, err := h.s.Shared(ctx, in.Body.Token)
	return &sharedOutput{"noindex, nofollow", date}, err
}
