package wiring

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/badges"
	"heartward/api/community"
	"heartward/api/matching"
	"heartward/api/members"
	"heartward/api/messaging"
	"heartward/api/moments"
	"heartward/api/referrals"
)

// watchAchievements connects the events of members with the rewards, badges and moments that follow
// them. Each function runs in the transaction of its event.
func watchAchievements(m *members.Service, match *matching.Service, chat *messaging.Service, board *community.Service, friends *referrals.Service, earned *badges.Service, shared *moments.Service) {
	earned.WatchAwards(shared.Awarded)
	m.Watch(func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		if err := friends.Complete(ctx, tx, id); err != nil {
			return err
		}
		if err := earned.ProfileSaved(ctx, tx, id); err != nil {
			return err
		}
		return shared.ProfileSaved(ctx, tx, id)
	})
	match.WatchLikes(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return earned.Enqueue(ctx, tx, badges.LikeSent, ids...)
	})
	match.WatchMatches(func(ctx context.Context, tx pgx.Tx, id uuid.UUID, ids ...uuid.UUID) error {
		if err := earned.Enqueue(ctx, tx, badges.MatchMade, ids...); err != nil {
			return err
		}
		return shared.Matched(ctx, tx, id, ids...)
	})
	chat.WatchMilestones(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return earned.Enqueue(ctx, tx, badges.MessageSent, ids...)
	})
	board.WatchPublished(func(ctx context.Context, tx pgx.Tx, author uuid.UUID) error {
		return earned.Enqueue(ctx, tx, badges.PostPublished, author)
	})
}
