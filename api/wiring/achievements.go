package wiring

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api"
	"heartward/api/badges"
)

// watchAchievements connects the events of members with the rewards, badges and moments that follow
// them. Each function runs in the transaction of its event.
func watchAchievements(s api.Services) {
	s.Badges.WatchAwards(s.Moments.Awarded)
	s.Members.Watch(func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		if err := s.Referrals.Complete(ctx, tx, id); err != nil {
			return err
		}
		if err := s.Badges.ProfileSaved(ctx, tx, id); err != nil {
			return err
		}
		return s.Moments.ProfileSaved(ctx, tx, id)
	})
	s.Matching.WatchLikes(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return s.Badges.Enqueue(ctx, tx, badges.LikeSent, ids...)
	})
	s.Matching.WatchMatches(func(ctx context.Context, tx pgx.Tx, id uuid.UUID, ids ...uuid.UUID) error {
		if err := s.Badges.Enqueue(ctx, tx, badges.MatchMade, ids...); err != nil {
			return err
		}
		return s.Moments.Matched(ctx, tx, id, ids...)
	})
	s.Messaging.Messages.WatchMilestones(func(ctx context.Context, tx pgx.Tx, ids ...uuid.UUID) error {
		return s.Badges.Enqueue(ctx, tx, badges.MessageSent, ids...)
	})
	s.Community.WatchPublished(func(ctx context.Context, tx pgx.Tx, author uuid.UUID) error {
		return s.Badges.Enqueue(ctx, tx, badges.PostPublished, author)
	})
}
