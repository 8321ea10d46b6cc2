package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/verification"
)

// addVerification registers the mails of decisions on selfies.
func addVerification(r *registry, pool *pgxpool.Pool, deps Deps) {
	addMail(r, pool, func(ctx context.Context, args verification.DecisionMailArgs) error {
		return verification.SendDecision(ctx, pool, deps.Mail, args)
	})
}
