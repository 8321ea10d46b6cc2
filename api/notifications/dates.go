package notifications

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heartward/api/dates"
)

// RemindOfDate tells both members of a date that is near, in tx with which the
// job is completed. Nothing happens when the date is not as it was agreed.
func (s *Service) RemindOfDate(ctx context.Context, tx pgx.Tx, jobs Inserter, args dates.ReminderArgs) error {
	reminders, err := dates.Reminders(ctx, tx, args)
	if err != nil {
		return err
	}
	for _, r := range reminders {
		news := News{
			Member: r.Member, Category: Messages, Title: "Your date with " + r.With, Body: "At " + r.Plan.Clock() + ", " + r.Plan.Place,
			Path: "/messages/" + r.Conversation.String(), Tag: "date-" + args.DateID.String(),
		}
		if err := s.Tell(ctx, tx, jobs, news); err != nil {
			return err
		}
	}
	return nil
}
