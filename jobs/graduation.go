package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/graduation"
)

// addGraduation registers the mail of a request to graduate. Its notification is among those of all news.
func addGraduation(r *registry, pool *pgxpool.Pool, deps Deps) {
	addMail(r, pool, func(ctx context.Context, args graduation.MailArgs) error {
		return graduation.SendRequest(ctx, pool, deps.Mail, deps.Site, args)
	})
}
