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
func Register(api web.API, s *Service) {
	h := handlers{s}
	registerLikes(api, h)
	registerPasses(api, h)
	registerMatches(api, h)
}

func registerLikes(api web.API, h handlers) {
	web.Post(api, web.Member, "like", "/api/likes",
		"Like a member; 200 for a repeated like", h.like, web.Status(http.StatusCreated))
	web.Get(api, web.Member, "list-likes-received", "/api/likes/received",
		"List the unanswered likes that the caller received, the newest first", h.received)
	web.Get(api, web.Member, "get-like-allowance", "/api/likes/allowance",
		"Get the number of likes that the caller may still send today", h.allowance)
}

func registerPasses(api web.API, h handlers) {
	web.Post(api, web.Member, "pass", "/api/passes",
		"Pass on a member: exclude them from discovery for 30 days", h.pass)
	web.Get(api, web.Member, "list-passes", "/api/passes",
		"List the members whom the caller passed on in the last 30 days, the newest first", h.passes)
	web.Delete(api, web.Member, "undo-pass", "/api/passes/{userId}",
		"Undo a pass; succeeds if there is none", h.undoPass)
}

func registerMatches(api web.API, h handlers) {
	web.Get(api, web.Member, "list-matches", "/api/matches",
		"List the caller's matches, the newest first", h.matches)
	web.Get(api, web.Member, "get-match-counts", "/api/matches/counts",
		"Count the caller's matches and conversations", h.counts)
	web.Post(api, web.Member, "mark-match-seen", "/api/matches/{id}/seen",
		"Mark a match as seen", h.markSeen)
	web.Delete(api, web.Member, "unmatch", "/api/matches/{id}",
		"End a match and its conversation for both; succeeds if it has ended", h.unmatch)
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
