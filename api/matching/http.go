package matching

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"heartward/api/platform/fault"
	"heartward/api/platform/web"
)

type handlers struct{ s *Service }

// Target is the member whom a like or pass is about. Clients may use either field name.
type Target struct {
	ToUserID     uuid.UUID `json:"toUserId,omitempty" format:"uuid" required:"false"`
	TargetUserID uuid.UUID `json:"targetUserId,omitempty" format:"uuid" required:"false" doc:"The same as toUserId"`
}

func (t Target) id() (uuid.UUID, error) {
	switch {
	case t.ToUserID == uuid.Nil && t.TargetUserID == uuid.Nil:
		return uuid.Nil, fault.InvalidField("toUserId", "Please say which member you mean.")
	case t.ToUserID == uuid.Nil:
		return t.TargetUserID, nil
	case t.TargetUserID != uuid.Nil && t.TargetUserID != t.ToUserID:
		return uuid.Nil, fault.InvalidField("targetUserId", "Please name one member: toUserId and targetUserId differ.")
	}
	return t.ToUserID, nil
}

type likeInput struct {
	Body struct {
		Target
		LikeType string    `json:"likeType,omitempty" enum:"like,super_like,regular,super" default:"like" doc:"regular means like, super means super_like"`
		Comment  string    `json:"comment,omitempty" maxLength:"300" doc:"A comment for the recipient"`
		PhotoID  uuid.UUID `json:"photoId,omitempty" format:"uuid" required:"false" doc:"The photo of the recipient that the like is about"`
		Prompt   string    `json:"prompt,omitempty" maxLength:"120" doc:"The question whose answer the like is about; not together with photoId"`
	}
}

type likeOutput struct {
	Status int
	Body   LikeResult
}

type passInput struct {
	Body struct {
		Target
		ClientID uuid.UUID `json:"clientId,omitempty" format:"uuid" required:"false" doc:"The id of the pass, so that passing and undoing may arrive in any order"`
	}
}

type undoPassInput struct {
	UserID   uuid.UUID `path:"userId" format:"uuid"`
	ClientID string    `query:"clientId" format:"uuid" doc:"The id of the pass to undo; the pass is ignored if it arrives later"`
}

type passesInput struct {
	web.Page
	Lapsed bool `query:"lapsed" doc:"Whether to list earlier passes instead, which do not hide the member any more"`
}

type matchesInput struct {
	web.Page
	Sort Order `query:"sort" enum:"new,unread" default:"new" doc:"unread: matches with unread messages first"`
}

type matchInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// page is a page of a list with the link to the next page.
type page[T any] struct {
	Link string `header:"Link" doc:"The next page, if there is one"`
	Body []T
}

type receivedInput struct {
	web.Page
	SeenAt time.Time `query:"seenAt" doc:"likedAt of the newest like that the device has shown, for X-Unseen"`
}

type receivedOutput struct {
	Link      string `header:"Link" doc:"The next page, if there is one"`
	Remaining string `header:"X-Remaining" doc:"The number of likes after this page; 1000+ for more than 1000"`
	Unseen    string `header:"X-Unseen" doc:"The number of likes, in this page and not, that are newer than seenAt; 1000+ for more than 1000, absent without seenAt"`
	Body      []ReceivedLike
}

type allowanceOutput struct{ Body Allowance }

type countsOutput struct{ Body MatchCounts }

// Register adds matching's operations to api.
func Register(api huma.API, s *Service) {
	h := handlers{s}
	registerLikes(api, h)
	registerPasses(api, h)
	registerMatches(api, h)
}

func op(id, method, path, summary string, status int) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary, DefaultStatus: status, Tags: []string{"matching"}}
}

func registerLikes(api huma.API, h handlers) {
	web.Register(api, web.Member, op("like", http.MethodPost, "/api/likes",
		"Like a member; 200 for a repeated like", http.StatusCreated), h.like)
	web.Register(api, web.Member, op("list-likes-received", http.MethodGet, "/api/likes/received",
		"List the unanswered likes that the caller received, the newest first", http.StatusOK), h.received)
	web.Register(api, web.Member, op("get-like-allowance", http.MethodGet, "/api/likes/allowance",
		"Get the number of likes that the caller may still send today", http.StatusOK), h.allowance)
}

func registerPasses(api huma.API, h handlers) {
	web.Register(api, web.Member, op("pass", http.MethodPost, "/api/passes",
		"Pass on a member: exclude them from discovery for 30 days", http.StatusNoContent), h.pass)
	web.Register(api, web.Member, op("list-passes", http.MethodGet, "/api/passes",
		"List the members whom the caller passed on in the last 30 days, the newest first", http.StatusOK), h.passes)
	web.Register(api, web.Member, op("undo-pass", http.MethodDelete, "/api/passes/{userId}",
		"Undo a pass; succeeds if there is none", http.StatusNoContent), h.undoPass)
}

func registerMatches(api huma.API, h handlers) {
	web.Register(api, web.Member, op("list-matches", http.MethodGet, "/api/matches",
		"List the caller's matches, the newest first", http.StatusOK), h.matches)
	web.Register(api, web.Member, op("get-match-counts", http.MethodGet, "/api/matches/counts",
		"Count the caller's matches and conversations", http.StatusOK), h.counts)
	web.Register(api, web.Member, op("mark-match-seen", http.MethodPost, "/api/matches/{id}/seen",
		"Mark a match as seen", http.StatusNoContent), h.markSeen)
	web.Register(api, web.Member, op("unmatch", http.MethodDelete, "/api/matches/{id}",
		"End a match and its conversation for both; succeeds if it has ended", http.StatusNoContent), h.unmatch)
}

func (h handlers) like(ctx context.Context, in *likeInput) (*likeOutput, error) {
	to, err := in.Body.id()
	if err != nil {
		return nil, err
	}
	like := LikeInput{To: to, Kind: Like, Comment: in.Body.Comment, PhotoID: in.Body.PhotoID, Prompt: in.Body.Prompt}
	if in.Body.LikeType == "super" || in.Body.LikeType == "super_like" {
		like.Kind = SuperLike
	}
	actor, _ := web.ActorOf(ctx)
	result, err := h.s.Like(ctx, actor, like)
	if err != nil {
		return nil, err
	}
	status := http.StatusOK
	if result.Created {
		status = http.StatusCreated
	}
	return &likeOutput{Status: status, Body: result}, nil
}

func (h handlers) received(ctx context.Context, in *receivedInput) (*receivedOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, rest, err := h.s.Received(ctx, actor, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	page := pageOf("/api/likes/received", &in.Page, nil, list, rest.Cursor)
	out := &receivedOutput{Link: page.Link, Remaining: web.Remaining(rest.Count, rest.More), Body: page.Body}
	if !in.SeenAt.IsZero() {
		count, more, err := h.s.CountUnseen(ctx, actor, in.SeenAt)
		if err != nil {
			return nil, err
		}
		out.Unseen = web.Remaining(count, more)
	}
	return out, nil
}

func (h handlers) allowance(ctx context.Context, _ *struct{}) (*allowanceOutput, error) {
	actor, _ := web.ActorOf(ctx)
	allowance, err := h.s.Allowance(ctx, actor)
	return &allowanceOutput{allowance}, err
}

func (h handlers) pass(ctx context.Context, in *passInput) (*struct{}, error) {
	to, err := in.Body.id()
	if err != nil {
		return nil, err
	}
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Pass(ctx, actor, to, in.Body.ClientID)
}

func (h handlers) passes(ctx context.Context, in *passesInput) (*page[Passed], error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Passes(ctx, actor, in.Lapsed, in.Cursor, in.Limit)
	return pageOf("/api/passes", &in.Page, url.Values{"lapsed": {strconv.FormatBool(in.Lapsed)}}, list, next), err
}

func (h handlers) undoPass(ctx context.Context, in *undoPassInput) (*struct{}, error) {
	var pass uuid.UUID
	if in.ClientID != "" {
		var err error
		if pass, err = uuid.Parse(in.ClientID); err != nil {
			return nil, fault.InvalidField("query.clientId", "That is no id.")
		}
	}
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.UndoPass(ctx, actor, in.UserID, pass)
}

func (h handlers) matches(ctx context.Context, in *matchesInput) (*page[Match], error) {
	actor, _ := web.ActorOf(ctx)
	list, next, err := h.s.Matches(ctx, actor, in.Sort, in.Cursor, in.Limit)
	return pageOf("/api/matches", &in.Page, url.Values{"sort": {string(in.Sort)}}, list, next), err
}

func (h handlers) counts(ctx context.Context, _ *struct{}) (*countsOutput, error) {
	actor, _ := web.ActorOf(ctx)
	counts, err := h.s.Counts(ctx, actor)
	return &countsOutput{counts}, err
}

func (h handlers) markSeen(ctx context.Context, in *matchInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.MarkSeen(ctx, actor, in.ID)
}

func (h handlers) unmatch(ctx context.Context, in *matchInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.Unmatch(ctx, actor, in.ID)
}

// pageOf returns a page whose link has the parameters of this request.
func pageOf[T any](path string, in *web.Page, query url.Values, list []T, next string) *page[T] {
	if query == nil {
		query = url.Values{}
	}
	query.Set("limit", strconv.Itoa(in.Limit))
	return &page[T]{Link: web.NextLink(path, query, next), Body: list}
}

// TransformSchema marks theirLike and myLike as nullable.
func (Match) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return web.NullableRefs(s, "theirLike", "myLike")
}
