package admin

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/members"
	"heartward/api/moderation"
	"heartward/api/platform/pg"
)

// IntentionTags returns the intention tags that members choose from.
func (s *Service) IntentionTags(ctx context.Context) ([]string, error) {
	return members.ListedTags(ctx, s.pool)
}

// SetIntentionTags replaces the intention tags, and records the change with its reason in the
// audit log. Members who have chosen a removed tag keep it. It returns Invalid with the field
// for invalid tags and without a reason.
func (s *Service) SetIntentionTags(ctx context.Context, admin uuid.UUID, tags []string, reason string) ([]string, error) {
	tags, err := members.CleanTags(tags)
	if err != nil {
		return nil, err
	}
	return tags, pg.TxDo(ctx, s.pool, func(tx pgx.Tx) error {
		before, err := members.SetListedTags(ctx, tx, admin, tags)
		if err != nil {
			return err
		}
		return moderation.Audit(ctx, tx, admin, "settings.intention_tags", uuid.Nil, reason, map[string]any{"before": before, "after": tags})
	})
}
