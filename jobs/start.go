package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
)

// addStart registers the mail that reminds a new member of the guided first run.
func addStart(r *registry, pool *pgxpool.Pool, deps Deps) {
	addWorker(r, &mailWorker[members.StartReminderArgs]{pool: pool, send: func(ctx context.Context, args members.StartReminderArgs) error {
		return members.SendStartReminder(ctx, pool, deps.Mail, deps.Site, args)
	}})
}
