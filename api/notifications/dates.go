package notifications

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"heartward/api/dates"
	"heartward/api/matching"
)

// RemindOfDate tells both members of a date that is near, in tx with which the
// job is completed. Nothing happens when the date is not as it was agreed.
func (s *Service) RemindOfDate(ctx context.Context, tx pgx.Tx, jobs matching.Inserter, args dates.ReminderArgs) error {
	reminders, err := dates.Reminders(ctx, tx, args)
	if err != nil {
		return err
	}
	for _, r := range reminders {
		news := News{
			Member: r.Member, Category: Messages, Title: "Your date with " + r.With, Body: "At " + r.Plan.Clock() + ", " + r.Plan.Place,
			Path: "/messages/" + r.Conversation.String(), Tag: "date-" + args.DateID.String(), Date: &args, Until: &r.Plan.At,
		}
		if err := s.Tell(ctx, tx, jobs, news); err != nil {
			return err
		}
	}
	return nil
}

// stands reports whether news are still true: a date may have been changed,
// called off or begun since its reminder began to wait.
func (s *Service) stands(ctx context.Context, news News) (bool, error) {
	if news.Date == nil {
		return true, nil
	}
	left, err := dates.Reminders(ctx, s.pool, *news.Date)
	return slices.ContainsFunc(left, func(r dates.Reminder) bool { return r.Member == news.Member }), err
}
