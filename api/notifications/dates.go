package notifications

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heartward/api/dates"
	"heartward/api/platform/jobqueue"
	"heartward/api/platform/pg"
)

// DateReminder is the event of an accepted date that begins soon.
type DateReminder dates.ReminderArgs

func (DateReminder) eventType() string { return "date" }

// RemindOfDate enqueues, in the transaction that completes the job, pushes for both
// members of a date. It enqueues none if the date has changed since args.Revision.
func (s *Service) RemindOfDate(ctx context.Context, tx pgx.Tx, jobs jobqueue.Inserter, args dates.ReminderArgs) error {
	reminders, err := dates.Reminders(ctx, tx, args)
	if err != nil {
		return err
	}
	for _, r := range reminders {
		s.announce(r.Member) // the notification begins when the date is near, without a change of a row
		if err := s.pushEvent(ctx, tx, jobs, r.Member, Messages, DateReminder(args)); err != nil {
			return err
		}
	}
	return nil
}

func (e DateReminder) load(ctx context.Context, db pg.DB, member uuid.UUID, _ Preferences) (Notification, error) {
	reminders, err := dates.Reminders(ctx, db, dates.ReminderArgs(e))
	if err != nil {
		return Notification{}, err
	}
	for _, r := range reminders {
		if r.Member == member {
			return Notification{
				Category: Messages, Title: "Your date with " + r.With, plainTitle: "A date is coming up", Body: "At " + r.Plan.Clock() + ", " + r.Plan.Place,
				Path: "/messages/" + r.Conversation.String(), Tag: "date-" + e.DateID.String(), Expires: r.Plan.At,
			}, nil
		}
	}
	return Notification{}, pgx.ErrNoRows
}
