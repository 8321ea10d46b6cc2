package badges

import (
	"context"

	"github.com/google/uuid"

	"heartward/api/platform/web"
)

// Register adds the operations on badges to api.
func Register(api web.API, s *Service) {
	h := handlers{s}
	web.Get(api, web.Member, "list-badges", "/api/badges",
		"List the badges with the caller's progress", h.list)
	web.Get(api, web.Member, "list-user-badges", "/api/badges/user/{userId}",
		"List the caller's badges, the newest first", h.earned)
	web.Get(api, web.Member, "list-shown-badges", "/api/users/{id}/badges",
		"List the badges that others see on a member's profile", h.shown)
	web.Post(api, web.Member, "check-badges", "/api/badges/check/{userId}",
		"Award what the caller has earned, and list the badges whose celebration waits; idempotent", h.check)
	web.Post(api, web.Member, "notify-badge", "/api/badges/notify/{badgeId}",
		"Store that the caller has closed the celebration of a badge; idempotent", h.notify)
}

type handlers struct{ s *Service }

type listOutput struct{ Body []Badge }

func (h handlers) list(ctx context.Context, _ *struct{}) (*listOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.List(ctx, actor.ID)
	return &listOutput{list}, err
}

type userInput struct {
	UserID uuid.UUID `path:"userId" format:"uuid"`
}

type earnedOutput struct{ Body []UserBadge }

func (h handlers) earned(ctx context.Context, in *userInput) (*earnedOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.Earned(ctx, actor.ID, in.UserID)
	return &earnedOutput{list}, err
}

type shownInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type shownOutput struct{ Body []ShownBadge }

func (h handlers) shown(ctx context.Context, in *shownInput) (*shownOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.Shown(ctx, actor.ID, in.ID)
	return &shownOutput{list}, err
}

type checkOutput struct{ Body []NewBadge }

func (h handlers) check(ctx context.Context, in *userInput) (*checkOutput, error) {
	actor, _ := web.ActorOf(ctx)
	list, err := h.s.Check(ctx, actor.ID, in.UserID)
	return &checkOutput{list}, err
}

type badgeInput struct {
	BadgeID uuid.UUID `path:"badgeId" format:"uuid"`
}

func (h handlers) notify(ctx context.Context, in *badgeInput) (*struct{}, error) {
	actor, _ := web.ActorOf(ctx)
	return nil, h.s.MarkNotified(ctx, actor.ID, in.BadgeID)
}
