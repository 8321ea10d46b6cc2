package jobs

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"heartward/api/members"
)

// addStartReminder registers the mail that reminds a new member of the guided first run.
func addStartReminder(r *registry, pool *pgxpool.Pool, deps Deps) {
	addMail(r, pool, func(ctx context.Context, args members.StartReminderArgs) error {
		return members.SendStartReminder(ctx, pool, deps.Mail, deps.Site, args)
	})
}
