package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/community"
)

// addCommunity registers the mails of decisions on posts. Their notifications are among those of all news.
func addCommunity(r *registry, pool *pgxpool.Pool, deps Deps) {
	addMail(r, pool, func(ctx context.Context, args community.DecisionMailArgs) error {
		return community.SendDecision(ctx, pool, deps.Mail, args)
	})
}
